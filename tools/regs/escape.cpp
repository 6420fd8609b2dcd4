#include "tools/regs/escape.hpp"

namespace heddle::regs {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string comment(std::string_view text) {
  std::string result(text);
  replace_all(result, "*/", "* /");
  replace_all(result, "/*", "/ *");
  if (!result.empty() && result.back() == '\\') result += '.';  // would join the next line
  return result;
}

std::string cell(std::string_view text) {
  std::string result(text);
  replace_all(result, "|", "\\|");
  return result;
}

}  // namespace heddle::regs
