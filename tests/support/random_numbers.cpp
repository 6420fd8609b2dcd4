#include "tests/support/random_numbers.hpp"

#include <cmath>
#include <random>
#include <stdexcept>

namespace heddle {
namespace {

std::uint64_t draw(const dimension& of, std::mt19937_64& random) {
  if (!of.is_range) return of.choices[random() % of.choices.size()];
  const auto low = static_cast<double>(of.choices.front() + 1);
  const auto high = static_cast<double>(of.choices.back() + 1);
  const double part = static_cast<double>(random() >> 11) / static_cast<double>(1ULL << 53);
  return static_cast<std::uint64_t>(low * std::pow(high / low, part)) - 1;
}

}  // namespace

random_numbers::random_numbers(const std::vector<dimension>& dimensions, std::uint64_t seed)
    : dimensions_(&dimensions) {
  std::mt19937_64 random(seed);
  for (const dimension& each : dimensions) values_.push_back(draw(each, random));
}

std::uint64_t random_numbers::operator[](const std::string& name) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if ((*dimensions_)[i].name == name) return values_[i];
  throw std::logic_error("no dimension " + name);
}

std::vector<random_numbers> random_numbers::simpler() const {
  std::vector<random_numbers> candidates;
  const auto add = [&](std::size_t place, std::uint64_t value) {
    if (value == values_[place]) return;
    candidates.push_back(*this);
    candidates.back().values_[place] = value;
  };
  for (std::size_t i = 0; i < values_.size(); ++i) add(i, (*dimensions_)[i].simplest);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::uint64_t simplest = (*dimensions_)[i].simplest;
    if (values_[i] > simplest + 1) add(i, simplest + (values_[i] - simplest) / 2);
  }
  return candidates;
}

}  // namespace heddle
