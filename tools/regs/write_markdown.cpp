#include <fmt/format.h>

#include "tools/regs/escape.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/write.hpp"

namespace heddle::regs {
namespace {

std::string joined(const std::vector<yaml_node>& nodes, const char* between, const char* quote) {
  std::string text;
  for (const yaml_node& each : nodes) {
    text += (text.empty() ? "" : between) + (quote + each.text() + quote);
  }
  return text;
}

// "only while `status.state` is IDLE".
std::string rule_text(const rule& of) {
  const std::string others = joined(of.subjects, " and ", "`");
  switch (of.kind) {
    case rule_kind::only_while:
      return fmt::format("only while {} is {}", others, joined(of.given, " or ", ""));
    case rule_kind::never_while:
      return fmt::format("never while {} is {}", others, joined(of.given, " or ", ""));
    case rule_kind::after:
      return fmt::format("only after {}", others);
    case rule_kind::after_last:
      return fmt::format("only after a new {}", others);
    case rule_kind::cleared:
      if (of.subjects.size() == 1) return fmt::format("only once {} is cleared", others);
      return fmt::format("only once the bits of `{}` that `{}` enables are cleared",
                         of.subjects[0].text(), of.subjects[1].text());
    case rule_kind::ring:
      return fmt::format("up to `{}` + `{}`", of.subjects[0].text(), of.subjects[1].text());
    case rule_kind::fence:
      return "after a fence";
    case rule_kind::multiple_of:
      return fmt::format("in multiples of {}", of.values[0]);
    case rule_kind::between:
      return fmt::format("with {} to {}", of.values[0], of.values[1]);
  }
  return {};
}

std::string remarks(const reg& of) {
  std::string text = cell(of.meaning);
  for (const rule& one : of.rules) text += "; written " + rule_text(one);
  if (of.acts) text += "; a write acts";
  if (of.read_acts) text += "; a read acts";
  if (of.ignores_other_bits) text += "; ones elsewhere are ignored";
  if (of.sync != register_sync::never) text += fmt::format("; sync: {}", text_of(of.sync));
  return text;
}

std::string reset_text(const reg& of) {
  return of.has_reset || of.access == register_access::RO ? fmt::format("{:#x}", of.reset)
                                                          : "varies";
}

std::string register_table(const std::vector<reg>& registers) {
  std::string text =
      "| offset | register | width | access | reset | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const reg& one : registers) {
    text += fmt::format("| {:#x} | `{}` | {} | {} | {} | {} |\n", one.offset, one.name, one.width,
                        text_of(one.access), reset_text(one), remarks(one));
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
