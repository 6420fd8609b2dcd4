// Draws numbers in proportion to weights, each at most once until it is forgotten.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platform/random/random_stream.hpp"

namespace heddle {

class draw_without_repeating {
 public:
  // Of each number from 0 on, at least 0; those of no weight come last. Must outlive this.
  explicit draw_without_repeating(const std::vector<double>& weights);

  // There is one that has not been drawn.
  std::uint16_t next(random_stream& random);
  void forget(const std::vector<std::uint16_t>& drawn);

 private:
  std::size_t among_the_rest(random_stream& random) const;
  std::uint16_t take(std::size_t drawn);

  const std::vector<double>& weights_;
  std::vector<double> sums_;
  std::vector<bool> taken_;
};

}  // namespace heddle
