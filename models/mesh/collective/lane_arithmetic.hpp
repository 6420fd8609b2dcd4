// What functional units do with two payloads, lane by lane: 8 numbers in IEEE 754 binary64 each, 16
// in binary32, 32 in binary16 or 64 in FP8 (SIMD of the FPUs: pulp-platform/picobello
// cfg/snitch_cluster.json, xf16, xf8 and xfvec).
// The arithmetic is that of every reduction (platform/tensor/reduce.hpp): a NaN result is the
// canonical one, whatever went in, as in the FPUs of RISC-V cores, and a NaN on either side of a
// maximum gives a NaN.
#pragma once

#include "platform/tensor/reduce.hpp"
#include "transactors/flit/flit_payloads.hpp"

namespace heddle {

struct lane_arithmetic {
  dtype type;
  reduce_op op;
};

constexpr lane_arithmetic arithmetic_of(flit_op op) {
  constexpr dtype types[] = {dtype::fp64, dtype::fp32, dtype::fp16, dtype::fp8};
  constexpr reduce_op ops[] = {reduce_op::sum, reduce_op::max, reduce_op::min};
  const int index = static_cast<int>(op) - static_cast<int>(flit_op::add_f64);
  return {types[index / 3], ops[index % 3]};
}

// The result is left op right; takes over both operands. Without data (handle 0) there is none.
inline payload_handle combine_lanes(flit_payloads& pool, flit_op op, payload_handle left,
                                    payload_handle right) {
  if (left == 0 || right == 0) {
    pool.give_back(left);
    pool.give_back(right);
    return 0;
  }
  const payload_handle result = pool.take();
  auto& to = pool.at(result).bytes;
  to = pool.at(left).bytes;
  const lane_arithmetic of = arithmetic_of(op);
  reduce(of.type, of.op, to.data(), pool.at(right).bytes.data(), to.size() / size_of(of.type));
  pool.give_back(left);
  pool.give_back(right);
  return result;
}

}  // namespace heddle
