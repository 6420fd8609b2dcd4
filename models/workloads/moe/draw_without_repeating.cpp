#include "models/workloads/moe/draw_without_repeating.hpp"

#include <algorithm>

namespace heddle {

draw_without_repeating::draw_without_repeating(const std::vector<double>& weights)
    : weights_(weights), taken_(weights.size()) {
  double sum = 0;
  for (const double each : weights) sums_.push_back(sum += each);
}

std::uint16_t draw_without_repeating::next(random_stream& random) {
  constexpr int patience = 16;
  for (int tries = 0; tries < patience && sums_.back() > 0; ++tries) {
    const double at = random.fraction() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
    const auto drawn = static_cast<std::size_t>(
        std::min<std::ptrdiff_t>(found - sums_.begin(), std::ptrdiff_t(sums_.size()) - 1));
    if (!taken_[drawn] && weights_[drawn] > 0) return take(drawn);
  }
  return take(among_the_rest(random));
}

void draw_without_repeating::forget(const std::vector<std::uint16_t>& drawn) {
  for (const std::uint16_t each : drawn) taken_[each] = false;
}

// Where a few have nearly all the weight, repeating would take long.
std::size_t draw_without_repeating::among_the_rest(random_stream& random) const {
  double rest = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) rest += taken_[i] ? 0 : weights_[i];
  double at = random.fraction() * rest;
  std::size_t last = weights_.size();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (taken_[i] || (rest > 0 && weights_[i] == 0)) continue;
    last = i;
    at -= weights_[i];
    if (at < 0) break;
  }
  return last;
}

std::uint16_t draw_without_repeating::take(std::size_t drawn) {
  taken_[drawn] = true;
  return static_cast<std::uint16_t>(drawn);
}

}  // namespace heddle
