#include "platform/text/quote.hpp"

#include <fmt/format.h>

namespace heddle {

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + (text.size() > longest ? "...\"" : "\"");
}

}  // namespace heddle
