#include "platform/registers/field_text.hpp"

#include <fmt/format.h>

namespace heddle {

std::string value_text(const field_description& field, std::uint64_t value) {
  for (const value_description& named : field.values) {
    if (named.value == value) return std::string(named.name);
  }
  return fmt::format("{}", value);
}

const char* access_name(register_access access) {
  constexpr const char* names[] = {"RO", "WO", "RW", "W1C", "W1S", "RC"};
  return names[static_cast<int>(access)];
}

std::string fields_text(const register_description& of, std::uint64_t value, std::uint64_t bits) {
  std::string text;
  for (const field_description& field : of.fields) {
    if ((field.mask() & bits) == 0) continue;
    const std::uint64_t found = (value & field.mask()) >> field.low;
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", field.name, value_text(field, found));
  }
  return text;
}

std::uint64_t accessed_bits(unsigned first_byte, unsigned bytes) {
  return bytes == 0 ? 0 : (~std::uint64_t{0} >> (64 - 8 * bytes)) << (8 * first_byte);
}

}  // namespace heddle
