// Indented XML, element by element.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class xml_writer {
 public:
  xml_writer() : text_("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n") {}

  // attributes: as written behind the name, with values escaped by the caller.
  void open(std::string_view name, std::string_view attributes = {});
  void close();
  void element(std::string_view name, std::string_view content);
  void hex(std::string_view name, std::uint64_t value);
  void number(std::string_view name, std::uint64_t value);

  // The document, once all is closed.
  const std::string& text() const { return text_; }

 private:
  std::string indent() const { return std::string(2 * open_.size(), ' '); }

  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace heddle
