#include "platform/text/markup.hpp"

namespace heddle {
namespace {

std::string escaped(std::string_view text, bool keeps_quotes) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"' && !keeps_quotes)
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string markup_escaped(std::string_view text) {
  return escaped(text, false);
}

std::string content_escaped(std::string_view text) {
  return escaped(text, true);
}

}  // namespace heddle
