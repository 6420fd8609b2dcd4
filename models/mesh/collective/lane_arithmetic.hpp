// What functional units do with two payloads: 8 doubles each, lane by lane, in IEEE 754 binary64.
#pragma once

#include <cmath>

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
  const auto& a = pool.at(left).lanes;
  const auto& b = pool.at(right).lanes;
  auto& to = pool.at(result).lanes;
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = op == flit_op::max_f64 ? std::fmax(a[i], b[i]) : a[i] + b[i];
  pool.give_back(left);
  pool.give_back(right);
  return result;
}

}  // namespace heddle
