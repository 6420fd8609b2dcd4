// Operands of a layer, and what it must leave behind, computed without the simulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/moe/expert_routing.hpp"
#include "models/workloads/moe/moe_schedule.hpp"

namespace heddle {

// How far the result of a token is from the golden one.
struct moe_difference {
  bool is_same = true;    // bit for bit
  bool is_within = true;  // no element is farther away than rounding explains, in whatever order
  double error = 0;       // the largest, relative to the sum of the magnitudes
};

class moe_golden {
 public:
  // `traffic`: whether a switch adds, and rounds, or the source alone.
  moe_golden(const moe_shape& shape, const expert_routing& routing, moe_traffic traffic,
             bool has_gemms, std::uint64_t seed);

  // BF16, `hidden` elements of each.
  std::vector<std::byte> input(std::uint32_t token) const;
  // An exact factor from 1/8 to 1.
  float gate(std::uint32_t token, std::uint32_t expert) const;
  // W1, then W2, in BF16.
  std::vector<std::byte> weights(std::uint32_t expert) const;

  struct result {
    std::vector<std::byte> bits;     // in the order of GPUs, own experts last
    std::vector<double> exact;       // in float64, of the experts' rounded outputs
    std::vector<double> magnitudes;  // sums of the absolute values: what rounding is relative to

    // `got`: BF16, `hidden` elements.
    moe_difference difference(const std::vector<std::byte>& got) const;
  };
  result of(std::uint32_t token);

 private:
  const std::vector<std::byte>& weights_of(std::uint32_t expert);
  std::vector<std::byte> output(std::uint32_t token, std::uint32_t expert);
  // `of_gpu`: the sums of its experts, empty where it has none; `home`: the token's own.
  std::vector<std::byte> rounded_sum(const std::vector<std::vector<float>>& of_gpu,
                                     std::uint32_t home) const;

  const moe_shape shape_;
  const expert_routing& routing_;
  const bool sums_in_switch_, has_gemms_;
  const std::uint64_t seed_;
  std::vector<std::vector<std::byte>> known_weights_;  // by expert
};

}  // namespace heddle
