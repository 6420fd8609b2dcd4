// What functional units do with two payloads: 8 numbers in IEEE 754 binary64 each, lane by lane.
// The arithmetic is that of every reduction (platform/tensor/reduce.hpp): a NaN result is the
// canonical one, whatever went in, as in the FPUs of RISC-V cores, and a NaN on either side of a
// maximum gives a NaN.
#pragma once

#include "platform/tensor/reduce.hpp"
#include "transactors/flit/flit_payloads.hpp"

namespace heddle {

// The result is left op right; takes over both operands. Without data (handle 0) there is none.
inline payload_handle combine_lanes(flit_payloads& pool, flit_op op, payload_handle left,
                                    payload_handle right) {
  if (left == 0 || right == 0) {
    pool.give_back(left);
    pool.give_back(right);
    return 0;
  }
  const payload_handle result = pool.take();
  auto& to = pool.at(result).lanes;
  to = pool.at(left).lanes;
  reduce(dtype::fp64, op == flit_op::max_f64 ? reduce_op::max : reduce_op::sum, to.data(),
         pool.at(right).lanes.data(), to.size());
  pool.give_back(left);
  pool.give_back(right);
  return result;
}

}  // namespace heddle
