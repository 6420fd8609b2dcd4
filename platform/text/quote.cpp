#include "platform/text/quote.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr char c1_lead = '\xc2';  // first byte of U+0080 to U+00BF in UTF-8

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

bool is_control(char c) {
  return byte_of(c) < 0x20 || byte_of(c) == 0x7f;
}

// Whether a control character of U+0080 to U+009F stands at the front.
bool begins_with_c1(std::string_view text) {
  return text.size() > 1 && text[0] == c1_lead && byte_of(text[1]) >= 0x80 &&
         byte_of(text[1]) < 0xa0;
}

std::string escape_of(char c) {
  return fmt::format("\\x{:02x}", byte_of(c));
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  for (const char c : text.substr(0, longest)) {
    if (is_control(c))
      result += escape_of(c);
    else
      result += c;
  }
  return result + (text.size() > longest ? "...\"" : "\"");
}

std::string control_escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (begins_with_c1(text.substr(i)))
      result += escape_of(c) + escape_of(text[++i]);
    else if (is_control(c) && c != '\n' && c != '\t')
      result += escape_of(c);
    else
      result += c;
  }
  return result;
}

}  // namespace heddle
