#include "platform/text/quantity.hpp"

#include <algorithm>
#include <vector>

#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"
#include "platform/text/unit_table.hpp"

namespace heddle {
namespace {

__extension__ using uint128 = unsigned __int128;

struct dimension {
  const char* expected;   // "a duration such as ..."
  const char* base_unit;  // what the value must be a whole number of
  bool zero_needs_unit;
  std::vector<unit_factor> units;
};

template <typename... Tables>
std::vector<unit_factor> units_of(const Tables&... tables) {
  std::vector<unit_factor> units;
  (units.insert(units.end(), tables.begin(), tables.end()), ...);
  return units;
}

std::vector<std::string> unit_names(const dimension& kind) {
  std::vector<std::string> names;
  for (const unit_factor& unit : kind.units) {
    if (std::find(names.begin(), names.end(), unit.name) == names.end()) names.push_back(unit.name);
  }
  return names;
}

std::string listed_units(const dimension& kind) {
  const std::vector<std::string> names = unit_names(kind);
  std::string list = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    list += (i + 1 == names.size() ? " or " : ", ") + names[i];
  }
  return list;
}

[[noreturn]] void refuse(const dimension& kind, std::string_view text, const std::string& why) {
  throw quantity_error("expected " + std::string(kind.expected) + ", got " + quoted(text) + why);
}

// number x factor, exactly: the factors 2 and 5 of the power of ten under the decimal point cancel
// against the unit first, then against the digits.
std::uint64_t exact_product(std::string_view number, std::uint64_t factor, const dimension& kind,
                            std::string_view text) {
  const std::size_t point = std::min(number.find('.'), number.size());
  if (point < number.size()) {
    while (number.back() == '0') number.remove_suffix(1);
  }
  const std::size_t decimals = number.size() > point ? number.size() - point - 1 : 0;
  uint128 digits = 0;
  bool overflow = false;
  for (const char c : number) {
    if (c == '.') continue;
    overflow |= __builtin_mul_overflow(digits, 10U, &digits);
    overflow |= __builtin_add_overflow(digits, static_cast<unsigned>(c - '0'), &digits);
  }
  const auto cancel = [&](unsigned prime) {
    for (std::size_t i = 0; i < decimals && !overflow; ++i) {
      if (factor % prime == 0) {
        factor /= prime;
      } else if (digits % prime == 0) {
        digits /= prime;
      } else {
        throw quantity_error(quoted(text) + " is not a whole number of " + kind.base_unit);
      }
    }
  };
  cancel(2);
  cancel(5);
  std::uint64_t value = 0;
  overflow = overflow || __builtin_mul_overflow(digits, factor, &value);
  if (overflow) throw quantity_error(quoted(text) + " does not fit 64 bits of " + kind.base_unit);
  return value;
}

std::uint64_t parse(std::string_view text, const dimension& kind) {
  const std::string_view body = trimmed(text);
  if (body.substr(0, 1) == "-" && body.size() > 1) refuse(kind, text, ", which is negative");
  const std::size_t length = decimal_length(body);
  if (length == 0) refuse(kind, text, "");
  const std::string_view unit = trimmed(body.substr(length));
  if (unit.empty()) {
    if (body == "0" && !kind.zero_needs_unit) return 0;
    refuse(kind, text, " without a unit (" + listed_units(kind) + ")");
  }
  for (const unit_factor& known : kind.units) {
    if (unit == known.name) return exact_product(body.substr(0, length), known.factor, kind, text);
  }
  refuse(kind, text, did_you_mean(unit, unit_names(kind)));
}

}  // namespace

std::uint64_t parse_duration(std::string_view text) {
  static const dimension duration{"a duration such as \"250 ns\"", "femtoseconds", false,
                                  units_of(duration_units)};
  return parse(text, duration);
}

std::uint64_t parse_bytes(std::string_view text) {
  static const dimension bytes{"a size such as \"64 KiB\"", "bytes", false,
                               units_of(binary_byte_units, decimal_byte_units)};
  return parse(text, bytes);
}

std::uint64_t parse_bandwidth(std::string_view text) {
  static const dimension bandwidth{"a bandwidth such as \"450 GB/s\"", "bytes per second", true,
                                   units_of(bandwidth_units, bit_rate_units)};
  return parse(text, bandwidth);
}

}  // namespace heddle
