#include "platform/trace/vcd_name.hpp"

namespace heddle {

namespace {

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string vcd_word(std::string_view word) {
  std::string plain;
  for (char c : word) {
    if (c == ']') continue;
    plain.push_back(is_plain(c) ? c : '_');
  }
  return plain;
}

}  // namespace

std::vector<std::string> vcd_scopes(std::string_view path) {
  std::vector<std::string> scopes;
  while (true) {
    const std::size_t dot = path.find('.');
    scopes.push_back(vcd_word(path.substr(0, dot)));
    if (dot == std::string_view::npos) return scopes;
    path.remove_prefix(dot + 1);
  }
}

std::string vcd_leaf(std::string_view leaf) {
  return vcd_word(leaf);
}

std::string gtkwave_name(const trace_declaration& declaration) {
  std::string name;
  for (const std::string& scope : vcd_scopes(declaration.path)) name.append(scope).append(".");
  name.append(vcd_leaf(declaration.leaf));
  // GTKWave adds the range of a vector itself, but not that of an integer.
  if (declaration.kind == trace_kind::vector && declaration.width > 1) {
    name.append("[").append(std::to_string(declaration.width - 1)).append(":0]");
  }
  return name;
}

std::string vcd_identifier(std::uint32_t index) {
  constexpr std::uint32_t codes = '~' - '!' + 1;
  std::string identifier;
  std::uint64_t rest = std::uint64_t{index} + 1;
  while (rest > 0) {
    --rest;
    identifier.push_back(static_cast<char>('!' + rest % codes));
    rest /= codes;
  }
  return identifier;
}

std::string vcd_string(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      escaped.append("\\\\");
    } else if (byte > ' ' && byte < 0x7f) {
      escaped.push_back(c);
    } else {
      escaped.push_back('\\');
      for (int shift = 6; shift >= 0; shift -= 3) {
        escaped.push_back(static_cast<char>('0' + ((byte >> shift) & 7)));
      }
    }
  }
  return escaped;
}

}  // namespace heddle
