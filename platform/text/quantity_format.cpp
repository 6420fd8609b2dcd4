#include <fmt/format.h>

#include <cmath>

#include "platform/text/quantity.hpp"
#include "platform/text/unit_table.hpp"

namespace heddle {
namespace {

__extension__ using uint128 = unsigned __int128;

constexpr int significant_digits = 4;

template <typename Units>
std::size_t largest_fitting_unit(std::uint64_t value, const Units& units) {
  std::size_t index = units.size() - 1;
  while (index > 0 && value < units[index].factor) --index;
  return index;
}

std::string with_decimals(std::uint64_t scaled, std::uint64_t power_of_ten, int decimals) {
  std::string text = fmt::format("{}", scaled / power_of_ten);
  if (scaled % power_of_ten == 0) return text;
  text += fmt::format(".{:0{}}", scaled % power_of_ten, decimals);
  while (text.back() == '0') text.pop_back();
  return text;
}

// Rounded half up in integers, so that every machine prints the same digits.
template <typename Units>
std::string for_people(std::uint64_t value, const Units& units) {
  const std::size_t index = largest_fitting_unit(value, units);
  const std::uint64_t factor = units[index].factor;
  int decimals = significant_digits - 1;
  for (std::uint64_t whole = value / factor; whole >= 10 && decimals > 0; whole /= 10) --decimals;
  if (factor == 1) decimals = 0;
  std::uint64_t power_of_ten = 1;
  for (int i = 0; i < decimals; ++i) power_of_ten *= 10;
  const uint128 product = static_cast<uint128>(value) * power_of_ten + factor / 2;
  const auto scaled = static_cast<std::uint64_t>(product / factor);
  if (index + 1 < units.size()) {
    const std::uint64_t ratio = units[index + 1].factor / factor;
    const bool rounded_up_to_next_unit = scaled >= ratio * power_of_ten;
    if (rounded_up_to_next_unit) return fmt::format("1 {}", units[index + 1].name);
  }
  return with_decimals(scaled, power_of_ten, decimals) + " " + units[index].name;
}

// Units are powers of a thousand.
template <typename Units>
std::string rounded(double amount, const Units& units) {
  if (!std::isfinite(amount)) return fmt::format("{} {}", amount, units.front().name);
  for (std::size_t index = 0;; ++index) {
    const unit_factor& unit = units[index];
    const double value = amount / static_cast<double>(unit.factor);
    const bool last = index + 1 == units.size();
    // 999.95 would round to the 1000 of the next unit.
    if (!last && std::abs(value) >= 999.95) continue;
    return std::abs(value) < 9999.5
               ? fmt::format("{:.{}g} {}", value, significant_digits, unit.name)
               : fmt::format("{:.0f} {}", value, unit.name);
  }
}

// Units are powers of ten: every value has a finite decimal fraction in its largest unit.
template <typename Units>
std::string exact_decimal(std::uint64_t value, const Units& units) {
  const unit_factor& unit = units[largest_fitting_unit(value, units)];
  int decimals = 0;
  for (std::uint64_t rest = unit.factor; rest > 1; rest /= 10) ++decimals;
  return with_decimals(value, unit.factor, decimals) + " " + unit.name;
}

template <typename Units>
const unit_factor& largest_dividing_unit(std::uint64_t value, const Units& units) {
  std::size_t index = largest_fitting_unit(value, units);
  while (value % units[index].factor != 0) --index;
  return units[index];
}

}  // namespace

std::string format_duration(std::uint64_t femtoseconds) {
  return femtoseconds == 0 ? "0 s" : for_people(femtoseconds, duration_units);
}

std::string format_bytes(std::uint64_t bytes) {
  return for_people(bytes, binary_byte_units);
}

std::string format_bandwidth(double bytes_per_second) {
  return rounded(bytes_per_second, bandwidth_units);
}

std::string format_energy(double joules) {
  constexpr double pico = 1e-12;
  return joules == 0 ? "0 J" : rounded(joules / pico, energy_units);
}

std::string format_count(std::uint64_t count) {
  return count < 1000 ? fmt::format("{}", count) : rounded(static_cast<double>(count), count_units);
}

std::string exact_duration(std::uint64_t femtoseconds) {
  return femtoseconds == 0 ? "0 s" : exact_decimal(femtoseconds, duration_units);
}

std::string exact_bytes(std::uint64_t bytes) {
  const unit_factor& binary = largest_dividing_unit(bytes, binary_byte_units);
  const unit_factor& decimal = largest_dividing_unit(bytes, decimal_byte_units);
  // Sizes are powers of two as a rule; "64 KB" only where no KiB divides.
  const unit_factor& unit = binary.factor > 1 ? binary : decimal;
  return fmt::format("{} {}", bytes / unit.factor, unit.name);
}

std::string exact_bandwidth(std::uint64_t bytes_per_second) {
  return exact_decimal(bytes_per_second, bandwidth_units);
}

}  // namespace heddle
