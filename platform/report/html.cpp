#include "platform/report/html.hpp"

#include <fmt/format.h>

#include "platform/text/markup.hpp"

namespace heddle {

std::string html_figure(const std::string& path, double value, const std::string& shown) {
  return fmt::format("<data data-path=\"{}\" value=\"{}\">{}</data>", markup_escaped(path), value,
                     markup_escaped(shown));
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
