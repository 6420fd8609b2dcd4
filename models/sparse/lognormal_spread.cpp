#include "models/sparse/lognormal_spread.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numeric>

#include "platform/random/split_mix.hpp"

namespace heddle {
namespace {

std::vector<double> quantiles_of(std::size_t count) {
  std::vector<double> quantiles(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    quantiles[i] = std::sqrt(2.0) * boost::math::erf_inv(2 * share - 1);
  }
  return quantiles;
}

}  // namespace

std::vector<double> shuffled_quantiles(std::size_t count, std::uint64_t seed) {
  std::vector<double> quantiles = quantiles_of(count);
  const std::uint64_t stream = split_mix::start_of_stream(seed, count);
  for (std::size_t i = count; i > 1; --i)
    std::swap(quantiles[i - 1], quantiles[split_mix::output(stream, i) % i]);
  return quantiles;
}

double deviation_of_tail(std::size_t count, double tail) {
  const std::vector<double> quantiles = quantiles_of(count);
  double low = 0, high = 8;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    const std::vector<double> sizes = lognormal_sizes(quantiles, middle);
    (*std::max_element(sizes.begin(), sizes.end()) < tail ? low : high) = middle;
  }
  return tail > 1 ? low : 0;
}

std::vector<double> lognormal_sizes(const std::vector<double>& quantiles, double deviation) {
  std::vector<double> sizes(quantiles.size());
  std::transform(quantiles.begin(), quantiles.end(), sizes.begin(),
                 [deviation](double each) { return std::exp(deviation * each); });
  const double mean =
      std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
  for (double& each : sizes) each /= mean;
  return sizes;
}

}  // namespace heddle
