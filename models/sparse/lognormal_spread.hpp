// Sizes that differ as a log-normal distribution does, without its luck: the quantiles in the
// middle of `count` equal parts, in a random order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

// Of the normal distribution's quantiles, in a random order that depends on the seed.
std::vector<double> shuffled_quantiles(std::size_t count, std::uint64_t seed);

// The deviation of the logarithm for which the largest of `count` sizes is `tail` times their mean:
// at least 0, and at most what `count` sizes can have.
double deviation_of_tail(std::size_t count, double tail);

// Sizes with mean 1.
std::vector<double> lognormal_sizes(const std::vector<double>& quantiles, double deviation);

}  // namespace heddle
