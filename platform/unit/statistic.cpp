#include "platform/unit/statistic.hpp"

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

statistic::statistic(statistic_set& owner, std::string name, quantity q, std::string meaning)
    : description_(
          owner.descriptions_.emplace_back(description{std::move(name), std::move(meaning), q})) {
  owner.all_.push_back(this);
}

double statistic::si() const {
  return is_time() ? seconds(value_) : static_cast<double>(value_);
}

}  // namespace heddle
