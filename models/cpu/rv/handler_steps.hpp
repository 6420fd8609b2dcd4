// How a handler goes on to the next one.
#pragma once

#include "models/cpu/rv/block.hpp"
#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {

template <class X>
using result = block_exit<X>*;

template <class X>
result<X> next(hart<X>& h, const operation<X>* at) {
  return at[1].run(h, at + 1);
}

// Goes on after an instruction that called the bus.
template <class X>
result<X> proceed(hart<X>& h, const operation<X>* at) {
  return h.is_leaving() ? h.leave_after(at) : next(h, at);
}

}  // namespace heddle::rv
