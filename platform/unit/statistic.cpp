#include "platform/unit/statistic.hpp"

namespace heddle {

const char* unit_symbol(quantity q) {
  switch (q) {
    case quantity::count:
      return "1";
    case quantity::bytes:
      return "B";
    case quantity::time:
      return "s";
  }
  return "";
}

statistic::statistic(statistic_set& owner, std::string name, quantity q, std::string meaning)
    : quantity_(q), name_(std::move(name)), meaning_(std::move(meaning)) {
  owner.all_.push_back(this);
}

double statistic::si() const {
  return quantity_ == quantity::time ? seconds(value_) : static_cast<double>(value_);
}

}  // namespace heddle
