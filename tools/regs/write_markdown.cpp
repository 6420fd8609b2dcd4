#include <fmt/format.h>

#include "tools/regs/escape.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/write.hpp"

namespace heddle::regs {
namespace {

// "only while `status.state` is IDLE".
std::string rule_text(const rule& of) {
  std::string values;
  for (const yaml_node& value : of.values) {
    values += (values.empty() ? "" : " or ") + value.text();
  }
  return fmt::format("only while `{}` is {}", of.subject.text(), values);
}

std::string remarks(const reg& of) {
  std::string text = cell(of.meaning);
  for (const rule& one : of.rules) text += "; written " + rule_text(one);
  if (of.sync != register_sync::never) text += fmt::format("; sync: {}", text_of(of.sync));
  return text;
}

std::string register_table(const std::vector<reg>& registers) {
  std::string text =
      "| offset | register | width | access | reset | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const reg& one : registers) {
    text += fmt::format("| {:#x} | `{}` | {} | {} | {:#x} | {} |\n", one.offset, one.name,
                        one.width, text_of(one.access), one.reset, remarks(one));
  }
  return text + "\n";
}

std::string field_table(const std::vector<reg>& registers) {
  std::string text;
  for (const reg& one : registers) {
    for (const field& part : one.fields) {
      std::string values;
      for (const named_value& value : part.values) {
        values += fmt::format("{}{} {}", values.empty() ? "" : ", ", value.value, value.name);
      }
      text += fmt::format("| `{}.{}` | {} | {} | {} | {} |\n", one.name, part.name, bits_text(part),
                          text_of(part.access), values, cell(part.meaning));
    }
  }
  if (text.empty()) return text;
  return "| field | bits | access | values | meaning |\n| --- | --- | --- | --- | --- |\n" + text +
         "\n";
}

}  // namespace

std::string markdown(const block& of) {
  std::string text =
      fmt::format("# Registers of {}\n\n{}. {:#x} bytes.\n\n", of.name, of.meaning, of.size);
  if (!of.registers.empty()) text += register_table(of.registers) + field_table(of.registers);
  for (const reg_array& array : of.arrays) {
    text += fmt::format("## {}[i], i = 0..{}, at {:#x} + i * {:#x}\n\n", array.name,
                        array.count - 1, array.offset, array.stride);
    text += register_table(array.registers) + field_table(array.registers);
  }
  text.pop_back();  // the blank line after the last table
  return text;
}

}  // namespace heddle::regs
