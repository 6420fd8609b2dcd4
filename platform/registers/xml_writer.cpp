#include "platform/registers/xml_writer.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // not allowed, escaped or not
  }
  return result;
}

}  // namespace

void xml_writer::open(std::string_view name, std::string_view attributes) {
  text_ += fmt::format("{}<{}{}{}>\n", indent(), name, attributes.empty() ? "" : " ", attributes);
  open_.emplace_back(name);
}

void xml_writer::close() {
  const std::string name = open_.back();
  open_.pop_back();
  text_ += fmt::format("{}</{}>\n", indent(), name);
}

void xml_writer::element(std::string_view name, std::string_view content) {
  text_ += fmt::format("{}<{}>{}</{}>\n", indent(), name, escaped(content), name);
}

void xml_writer::hex(std::string_view name, std::uint64_t value) {
  element(name, fmt::format("{:#x}", value));
}

void xml_writer::number(std::string_view name, std::uint64_t value) {
  element(name, fmt::format("{}", value));
}

}  // namespace heddle
