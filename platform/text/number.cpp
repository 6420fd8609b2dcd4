#include "platform/text/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platform/text/quote.hpp"

namespace heddle {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t count_digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) -
                                  text.begin());
}

[[noreturn]] void refuse(const char* expected, std::string_view text, const std::string& why = "") {
  throw quantity_error("expected " + std::string(expected) + ", got " + quoted(text) + why);
}

// zeros is where the digits start in text, after a sign.
[[noreturn]] void refuse_leading_zeros(std::string_view text, std::size_t zeros) {
  std::size_t kept = zeros;
  while (kept + 1 < text.size() && text[kept] == '0' && is_digit(text[kept + 1])) ++kept;
  throw quantity_error("leading zeros are not allowed in " + quoted(text) + ": write " +
                       std::string(text.substr(0, zeros)) + std::string(text.substr(kept)));
}

std::string without_underscores(std::string_view text) {
  std::string plain(text);
  plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  return plain;
}

std::uint64_t magnitude(std::string_view digits, std::string_view text, const char* expected) {
  const bool hexadecimal = digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X";
  if (hexadecimal) {
    digits.remove_prefix(2);
  } else if (digits.size() > 1 && digits[0] == '0' && count_digits(digits) == digits.size()) {
    refuse_leading_zeros(text, text.size() - digits.size());
  }
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range && rest == end) {
    throw quantity_error(quoted(text) + " does not fit 64 bits");
  }
  if (error != std::errc{} || rest != end) {
    const bool underscored = digits.find('_') != std::string_view::npos;
    refuse(expected, text,
           underscored ? ": write " + without_underscores(text) + " ('_' is not allowed)" : "");
  }
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::size_t decimal_length(std::string_view text) {
  const std::size_t whole = count_digits(text);
  if (whole == 0) return 0;
  if (whole > 1 && text[0] == '0') refuse_leading_zeros(text, 0);
  if (whole == text.size() || text[whole] != '.') return whole;
  const std::size_t fraction = count_digits(text.substr(whole + 1));
  return fraction == 0 ? 0 : whole + 1 + fraction;
}

std::int64_t parse_integer(std::string_view text) {
  const bool negative = text.substr(0, 1) == "-";
  const std::uint64_t value = magnitude(text.substr(negative ? 1 : 0), text, "an integer");
  const std::uint64_t largest = static_cast<std::uint64_t>(INT64_MAX) + (negative ? 1 : 0);
  if (value > largest) throw quantity_error(quoted(text) + " does not fit 64 signed bits");
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::uint64_t parse_unsigned(std::string_view text) {
  if (text.substr(0, 1) == "-" && text.size() > 1) {
    refuse("an integer", text, ", which must not be negative");
  }
  return magnitude(text, text, "an integer");
}

double parse_double(std::string_view text) {
  const std::size_t sign = text.substr(0, 1) == "-" ? 1 : 0;
  const bool starts_like_a_number = decimal_length(text.substr(sign)) > 0;
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (!starts_like_a_number || rest != end || error == std::errc::invalid_argument) {
    refuse("a number", text);
  }
  if (error == std::errc::result_out_of_range || !std::isfinite(value)) {
    throw quantity_error(quoted(text) + " is outside the range of a double");
  }
  return value;
}

bool parse_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  refuse("true or false", text);
}

}  // namespace heddle
