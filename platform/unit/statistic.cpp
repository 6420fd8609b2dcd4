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
  return is_time() ? seconds(value_) : static_cast<double>(value_);
}

}  // namespace heddle
