#include "platform/registers/xml_writer.hpp"

#include <fmt/format.h>

#include "platform/text/markup.hpp"

namespace heddle {
namespace {

// XML has no control characters, escaped or not.
std::string without_controls(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return out;
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
  text_ += fmt::format("{}<{}>{}</{}>\n", indent(), name,
                       content_escaped(without_controls(content)), name);
}

void xml_writer::hex(std::string_view name, std::uint64_t value) {
  element(name, fmt::format("{:#x}", value));
}

void xml_writer::number(std::string_view name, std::uint64_t value) {
  element(name, fmt::format("{}", value));
}

}  // namespace heddle
