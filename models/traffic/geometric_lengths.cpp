#include "models/traffic/geometric_lengths.hpp"

#include <cmath>
#include <map>
#include <memory>

namespace heddle {

const geometric_lengths& geometric_lengths::with_log(double log_failing) {
  static std::map<double, std::unique_ptr<const geometric_lengths>> made;
  std::unique_ptr<const geometric_lengths>& its = made[log_failing];
  if (!its) its = std::make_unique<const geometric_lengths>(log_failing);
  return *its;
}

geometric_lengths::geometric_lengths(double log_failing) : log_failing_(log_failing) {
  constexpr std::uint64_t end = std::uint64_t{1} << random_stream::bits_of_fraction;
  for (std::uint32_t length = 1; length <= known; ++length)
    begin_[length] = begin_[length - 1] == end ? end : first_beyond(length - 1, begin_[length - 1]);
  begin_[known + 1] = UINT64_MAX;
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    while (length < known && begin_[length + 1] <= i << guide_shift) ++length;
    from_[i] = static_cast<std::uint8_t>(length);
  }
}

// By halving. Nobody draws `end`.
std::uint64_t geometric_lengths::first_beyond(std::uint32_t length, std::uint64_t from) const {
  std::uint64_t end = std::uint64_t{1} << random_stream::bits_of_fraction;
  while (from < end) {
    const std::uint64_t middle = from + (end - from) / 2;
    if (by_logarithm(middle) > length)
      end = middle;
    else
      from = middle + 1;
  }
  return end;
}

std::uint64_t geometric_lengths::long_length(std::uint64_t drawn) const {
  constexpr double most = 1e18;
  const double length = by_logarithm(drawn);
  return length > most ? without_end : static_cast<std::uint64_t>(length);
}

double geometric_lengths::by_logarithm(std::uint64_t drawn) const {
  return std::floor(std::log1p(-random_stream::fraction_of(drawn)) / log_failing_);
}

}  // namespace heddle
