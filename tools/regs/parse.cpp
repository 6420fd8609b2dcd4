#include "tools/regs/parse.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/check_layout.hpp"
#include "tools/regs/check_names.hpp"
#include "tools/regs/parse_register.hpp"
#include "tools/regs/resolve_rules.hpp"

namespace heddle::regs {
namespace {

std::vector<reg> parse_registers(const yaml_node& node) {
  std::vector<reg> registers;
  for (const yaml_node& item : list_of(node, "registers")) {
    registers.push_back(parse_register(item));
  }
  return registers;
}

reg_array parse_array(const yaml_node& node) {
  yaml_mapping mapping(node, "array");
  reg_array result;
  result.place = node.place();
  result.name = snake_case_name(mapping.required("name"));
  result.offset = bounded(mapping.required("offset"), 0, block_size_limit);
  result.count = bounded(mapping.required("count"), 1, block_size_limit);
  result.stride = bounded(mapping.required("stride"), 4, block_size_limit);
  result.registers = parse_registers(mapping.required("registers"));
  mapping.finish();
  return result;
}

block parse_block(const yaml_node& node) {
  yaml_mapping mapping(node, "register block");
  block result;
  const yaml_node name = mapping.required("block");
  result.place = name.place();
  result.name = snake_case_name(name);
  result.meaning = meaning(mapping.required("meaning"));
  const yaml_node size = mapping.required("size");
  result.size = bounded(size, 4, block_size_limit);
  if (result.size % 8 != 0) throw user_error(size.place(), "size is not a multiple of 8");
  const auto registers = mapping.optional("registers");
  if (registers) result.registers = parse_registers(*registers);
  const auto arrays = mapping.optional("arrays");
  if (arrays) {
    for (const yaml_node& item : list_of(*arrays, "arrays")) {
      result.arrays.push_back(parse_array(item));
    }
  }
  mapping.finish();
  if (!registers && !arrays) throw user_error(node.place(), "the block has no registers");
  return result;
}

block checked(const yaml_node& node) {
  block result = parse_block(node);
  check_names(result);
  check_layout(result);
  resolve_rules(result);
  return result;
}

}  // namespace

block parse_text(std::string_view text, std::string name) {
  return checked(parse_yaml_text(text, std::move(name)));
}

block parse_file(const std::string& path) {
  block result = checked(parse_yaml_file(path));
  const std::string file = std::filesystem::path(path).filename().string();
  if (file != result.name + ".regs.yaml") {
    throw user_error(result.place, fmt::format("block '{}' belongs into a file '{}.regs.yaml'",
                                               result.name, result.name));
  }
  return result;
}

}  // namespace heddle::regs
