// The functions that execute instructions of F and D.
#pragma once

#include "models/cpu/rv/block.hpp"

namespace heddle::rv {

// nullptr: the instruction is not of F or D.
template <class X>
handler<X> float_handler_of(opcode op);

}  // namespace heddle::rv
