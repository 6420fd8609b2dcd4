#include "platform/yaml/parse.hpp"

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <sstream>
#include <system_error>

#include "platform/text/near_file.hpp"
#include "platform/yaml/limits.hpp"
#include "platform/yaml/screen.hpp"
#include "platform/yaml/tree_builder.hpp"
#include "platform/yaml/unreadable_file.hpp"

namespace heddle {
namespace {

yaml_node parse(std::string_view text, const std::string& name, const yaml_style& style) {
  screen_yaml(text, name);
  yaml_tree_builder builder(text, name, style);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const YAML::Exception& error) {
    // Anchors are refused, so the library knows none that an alias could refer to.
    if (builder.source_has(error.mark, "*")) builder.OnAlias(error.mark, 0);
    throw user_error(builder.place_of(error.mark), "malformed YAML: " + error.msg);
  }
  return builder.root();
}

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw unreadable_file(path, error, error == ENOENT ? near_file(path) : "");
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) cannot_read(path, errno);
  std::string text;
  std::array<char, 64 * 1024> part;
  // More than the limit is enough for the screen to refuse; /dev/zero has no end.
  while (text.size() <= yaml_size_limit) {
    const std::size_t bytes = std::fread(part.data(), 1, part.size(), file.get());
    if (bytes == 0) break;
    text.append(part.data(), bytes);
  }
  if (std::ferror(file.get()) != 0) cannot_read(path, errno);
  return text;
}

}  // namespace

yaml_node parse_yaml_file(const std::string& path) {
  return parse(read_file(path), path, {});
}

yaml_node parse_yaml_text(std::string_view text, const std::string& name) {
  return parse(text, name, {});
}

yaml_node parse_yaml_value(std::string_view text, const source_place& place) {
  yaml_style style;
  style.fixed_place = place;
  style.flow_only = true;
  return parse(text, place.file, style);
}

}  // namespace heddle
