#include "tools/regs/describe_cpp.hpp"

#include <fmt/format.h>

#include "tools/regs/escape.hpp"
#include "tools/regs/naming.hpp"

namespace heddle::regs {
namespace {

std::string array_constant(const std::string& type, const std::string& name,
                           const std::string& items) {
  return fmt::format("inline constexpr {} {}[] = {{\n{}}};\n", type, name, items);
}

// The name of a constant where there is one, else an empty list.
std::string list(bool is_there, const std::string& name) {
  return is_there ? name : "{}";
}

std::string fields(const reg& of, const std::string& front) {
  std::string text;
  std::string items;
  for (const field& one : of.fields) {
    const std::string values = fmt::format("{}_{}_values", front, one.name);
    std::string names;
    for (const named_value& value : one.values) {
      names += fmt::format("    {{{}, {:#x}}},\n", literal(value.name), value.value);
    }
    if (!names.empty()) text += array_constant("value_description", values, names);
    items += fmt::format("    {{{}, {}, {}, {}, register_access::{}, {}}},\n", literal(one.name),
                         literal(one.meaning), one.low, one.width, text_of(one.access),
                         list(!names.empty(), values));
  }
  if (items.empty()) return text;
  return text + array_constant("field_description", front + "_fields", items);
}

std::string rules(const reg& of, const std::string& front) {
  std::string text;
  std::string items;
  for (std::size_t i = 0; i < of.rules.size(); ++i) {
    const rule& one = of.rules[i];
    const std::string name = fmt::format("{}_rule_{}", front, i);
    std::string values;
    for (const std::uint64_t value : one.values) values += fmt::format("    {:#x},\n", value);
    if (!values.empty()) text += array_constant("std::uint64_t", name, values);
    std::string others;
    for (const register_reference& each : one.registers)
      others += fmt::format("    {{{}, {}}},\n", each.in_same_element, each.register_index);
    if (!others.empty()) text += array_constant("register_reference", name + "_registers", others);
    items += fmt::format("    {{rule_kind::{}, {}, {}, {}, {}}},\n", text_of(one.kind),
                         list(!others.empty(), name + "_registers"), one.field_index,
                         list(!values.empty(), name), literal(one.hint));
  }
  if (items.empty()) return text;
  return text + array_constant("register_rule", front + "_rules", items);
}

// name: of the constant that lists them.
std::string registers(const std::vector<reg>& all, const reg_array* array,
                      const std::string& name) {
  std::string text;
  std::string items;
  for (const reg& one : all) {
    const std::string front = stem(one, array);
    text += fields(one, front) + rules(one, front);
    items += fmt::format(
        "    {{{}, {}, {:#x}, {}, register_access::{}, register_sync::{}, {:#x},\n"
        "     {}, {}, {}, {}, {}, {}, {}}},\n",
        literal(one.name), literal(one.meaning), one.offset, one.width, text_of(one.access),
        text_of(one.sync), one.reset, list(!one.fields.empty(), front + "_fields"),
        list(!one.rules.empty(), front + "_rules"), one.has_reset, one.place.line, one.acts,
        one.ignores_other_bits, one.read_acts);
  }
  return text + array_constant("register_description", name, items);
}

}  // namespace

std::string describe_cpp(const block& of, const std::string& source) {
  // Names of the user do not end in "_", so the lists collide with none of them.
  std::string text = "\nnamespace tables {\n\n";
  if (!of.registers.empty()) text += registers(of.registers, nullptr, "all_registers_");
  std::string arrays;
  for (const reg_array& array : of.arrays) {
    const std::string name = array.name + "_registers_";
    text += registers(array.registers, &array, name);
    arrays += fmt::format("    {{{}, {:#x}, {}, {:#x}, {}}},\n", literal(array.name), array.offset,
                          array.count, array.stride, name);
  }
  if (!arrays.empty()) text += array_constant("register_array_description", "all_arrays_", arrays);
  text += "\n}  // namespace tables\n\n";
  return text + fmt::format(
                    "inline constexpr register_file_description description = {{\n"
                    "    {}, {}, {:#x}, {}, {}, {}, {:#x}}};\n",
                    literal(of.name), literal(of.meaning), of.size,
                    list(!of.registers.empty(), "tables::all_registers_"),
                    list(!of.arrays.empty(), "tables::all_arrays_"), literal(source), id_of(of));
}

}  // namespace heddle::regs
