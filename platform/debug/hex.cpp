#include "platform/debug/hex.hpp"

namespace heddle::hex {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string from_bytes(std::string_view bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::optional<std::string> to_bytes(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  constexpr std::size_t most_digits = 16;
  std::uint64_t value = 0;
  std::size_t used = 0;
  for (; used < text.size() && digit(text[used]) >= 0; ++used) {
    if (used == most_digits) return std::nullopt;
    value = value << 4 | static_cast<std::uint64_t>(digit(text[used]));
  }
  if (used == 0) return std::nullopt;
  text.remove_prefix(used);
  return value;
}

std::optional<std::uint64_t> number(std::string_view text) {
  const auto value = take_number(text);
  return text.empty() ? value : std::nullopt;
}

}  // namespace heddle::hex
