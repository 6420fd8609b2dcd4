#include "models/sparse/kernel_result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace heddle {

std::string kernel_mistake(const nonzero_source& matrix, std::uint32_t node, sparse_kernel kernel,
                           std::uint32_t elements, const gathered_properties& of) {
  const kernel_operands ours_of{&matrix, elements, of.arrived, of.own_rows};
  const kernel_operands golden_of{&matrix, elements, of.owners, of.own_rows};
  const std::vector<float> ours = kernel_in_order(ours_of, kernel, node);
  const std::vector<float> golden = kernel_in_order(golden_of, kernel, node);
  const std::vector<double> exact = kernel_in_double(golden_of, kernel, node);
  const std::vector<double> bound = kernel_error_bound(golden_of, kernel, node);
  for (std::size_t i = 0; i < golden.size(); ++i) {
    if (std::memcmp(&ours[i], &golden[i], sizeof ours[i]) != 0)
      return fmt::format("result {} is {}, the golden result {}", i, ours[i], golden[i]);
    if (!(std::abs(static_cast<double>(ours[i]) - exact[i]) <= bound[i]))
      return fmt::format("result {} is {}, in float64 {}: more than rounding", i, ours[i],
                         exact[i]);
  }
  return {};
}

}  // namespace heddle
