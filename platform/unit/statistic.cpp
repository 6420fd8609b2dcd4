#include "platform/unit/statistic.hpp"

#include <set>
#include <tuple>

namespace heddle {

const char* unit_symbol(quantity q) {
  switch (q) {
    case quantity::count:
      return "1";
    case quantity::bytes:
      return "B";
    case quantity::time:
    case quantity::busy:
    case quantity::summed_time:
      return "s";
  }
  return "";
}

bool statistic::description::operator<(const description& other) const {
  return std::tie(name, meaning, what) < std::tie(other.name, other.meaning, other.what);
}

statistic::statistic(statistic_set& owner, const char* name, quantity q, const char* meaning)
    : description_(shared({name, meaning, q})) {
  owner.all_.push_back(this);
}

const statistic::description& statistic::shared(const description& wanted) {
  static std::set<description> all;
  return *all.insert(wanted).first;
}

double statistic::si() const {
  if (what() == quantity::summed_time)
    return seconds_of(static_cast<const summed_time*>(this)->total());
  return is_time() ? seconds(value_) : static_cast<double>(value_);
}

void summed_time::raise_to(std::uint64_t cycles, fs_t period) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(cycles) * period;
  const auto low = static_cast<std::uint64_t>(product);
  statistic::operator+=(low - raw());
  high_ = static_cast<std::uint64_t>(product >> 64);
}

double summed_time::total() const {
  constexpr double word = 18446744073709551616.0;  // 2^64
  return static_cast<double>(high_) * word + static_cast<double>(raw());
}

}  // namespace heddle
