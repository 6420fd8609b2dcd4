#include "platform/report/html.hpp"

#include <fmt/format.h>

namespace heddle {

std::string html_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_figure(const std::string& path, double value, const std::string& shown) {
  return fmt::format("<data data-path=\"{}\" value=\"{}\">{}</data>", html_escaped(path), value,
                     html_escaped(shown));
}

std::string script_escaped(const std::string& json) {
  std::string out;
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace heddle
