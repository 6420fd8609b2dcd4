#include "platform/text/markup.hpp"

#include <fmt/format.h>

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

std::string html_row(const std::vector<std::string>& cells, const char* element) {
  std::string html = "<tr>";
  for (const std::string& each : cells) html += fmt::format("<{0}>{1}</{0}>", element, each);
  return html + "</tr>\n";
}

std::string html_table(const std::vector<std::string>& heading, const std::string& rows) {
  return "<table>\n" + html_row(heading, "th") + rows + "</table>\n";
}

}  // namespace heddle
