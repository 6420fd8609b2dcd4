#include "platform/text/natural_order.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits at the front of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto length =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool is_naturally_before(std::string_view a, std::string_view b) {
  std::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const std::string_view one = take_number(left), other = take_number(right);
      if (one.size() != other.size()) return one.size() < other.size();
      if (one != other) return one < other;
    } else {
      if (left.front() != right.front()) return left.front() < right.front();
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return left.empty() != right.empty() ? left.empty() : a < b;
}

}  // namespace heddle
