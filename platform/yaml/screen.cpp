#include "platform/yaml/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/diagnostic.hpp"
#include "platform/yaml/limits.hpp"

namespace heddle {
namespace {

// The length of the well-formed UTF-8 sequence at the front of text, 0 if there is none.
// Table 3-7 of the Unicode standard: neither overlong forms nor surrogates.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return follows(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    const bool overlong = lead == 0xf0 && byte(1) < 0x90;
    const bool beyond_unicode = lead == 0xf4 && byte(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !beyond_unicode ? 4 : 0;
  }
  return 0;
}

// The library skips directives that it does not know; so would a mistyped first line be.
void refuse_directives(std::string_view text, const std::string& name) {
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::size_t first = text.find_first_not_of(" \r\n");
    if (text[0] == '%') throw user_error({name, line, 1}, "directives (%name) are not supported");
    const bool blank = first > end;
    if (!blank && text[first] != '#') return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void screen_yaml(std::string_view text, const std::string& name) {
  if (text.size() > yaml_size_limit) {
    throw user_error({name, 0, 0}, fmt::format("larger than {} MiB", yaml_size_limit >> 20));
  }
  source_place place{name, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool end_of_line = byte == '\n' || (byte == '\r' && text.substr(i + 1, 1) == "\n");
    if (byte == '\t') throw user_error(place, "a tab; indent and separate with spaces");
    if ((byte < 0x20 && !end_of_line) || byte == 0x7f) {
      throw user_error(place, fmt::format("control character 0x{:02x}", byte));
    }
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) throw user_error(place, fmt::format("byte 0x{:02x} is not UTF-8", byte));
    if (text.substr(i, length) == "\xef\xbb\xbf") throw user_error(place, "a byte order mark");
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      place.column += static_cast<int>(length);
    }
    i += length;
  }
  refuse_directives(text, name);
}

}  // namespace heddle
