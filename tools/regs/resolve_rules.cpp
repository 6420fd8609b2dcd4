#include "tools/regs/resolve_rules.hpp"

#include <fmt/format.h>

#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/naming.hpp"
#include "tools/regs/parse_rule.hpp"

namespace heddle::regs {
namespace {

// Where a rule of one register finds the others: in its own element first, then outside arrays.
struct surroundings {
  const std::vector<reg>* element;  // nullptr for a register outside arrays
  const std::vector<reg>& outside;
  const reg& owner;

  const reg& at(const register_reference& of) const {
    return (of.in_same_element ? *element : outside)[of.register_index];
  }
};

bool find_field(const std::vector<reg>& among, const std::string& name, register_reference& result,
                std::size_t& field_index) {
  for (std::size_t r = 0; r < among.size(); ++r) {
    for (std::size_t f = 0; f < among[r].fields.size(); ++f) {
      if (among[r].name + "." + among[r].fields[f].name != name) continue;
      result.register_index = static_cast<std::uint32_t>(r);
      field_index = f;
      return true;
    }
  }
  return false;
}

bool find_register(const std::vector<reg>& among, const std::string& name,
                   register_reference& result) {
  for (std::size_t r = 0; r < among.size(); ++r) {
    if (among[r].name != name) continue;
    result.register_index = static_cast<std::uint32_t>(r);
    return true;
  }
  return false;
}

void add_field_names(const std::vector<reg>& of, std::vector<std::string>& names) {
  for (const reg& one : of) {
    for (const field& part : one.fields) names.push_back(one.name + "." + part.name);
  }
}

std::uint64_t value_of(const yaml_node& node, const field& subject, const std::string& name) {
  const std::string text = as_text(node);
  std::vector<std::string> names;
  for (const named_value& one : subject.values) {
    if (one.name == text) return one.value;
    names.push_back(one.name);
  }
  const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (!is_number) {
    throw user_error(node.place(), fmt::format("unknown value {} of field '{}'{}", quoted(text),
                                               name, did_you_mean(text, names)));
  }
  const std::uint64_t value = as_unsigned(node);
  if (subject.width == 64 || value >> subject.width == 0) return value;
  throw user_error(node.place(), fmt::format("value {} does not fit field '{}', bits {}", value,
                                             name, bits_text(subject)));
}

void resolve_condition(rule& one, const surroundings& around) {
  const yaml_node& subject = one.subjects.front();
  const std::string name = as_text(subject);
  register_reference found;
  found.in_same_element =
      around.element != nullptr && find_field(*around.element, name, found, one.field_index);
  if (!found.in_same_element && !find_field(around.outside, name, found, one.field_index)) {
    std::vector<std::string> names;
    if (around.element != nullptr) add_field_names(*around.element, names);
    add_field_names(around.outside, names);
    throw user_error(subject.place(), fmt::format("unknown field {} in a rule{}", quoted(name),
                                                  did_you_mean(name, names)));
  }
  one.registers = {found};
  const field& about = around.at(found).fields[one.field_index];
  for (const yaml_node& node : one.given) one.values.push_back(value_of(node, about, name));
}

register_reference resolve_register(const yaml_node& node, const surroundings& around) {
  const std::string name = as_text(node);
  register_reference found;
  found.in_same_element = around.element != nullptr && find_register(*around.element, name, found);
  if (found.in_same_element || find_register(around.outside, name, found)) return found;
  std::vector<std::string> names;
  if (around.element != nullptr)
    for (const reg& each : *around.element) names.push_back(each.name);
  for (const reg& each : around.outside) names.push_back(each.name);
  throw user_error(node.place(), fmt::format("unknown register {} in a rule{}", quoted(name),
                                             did_you_mean(name, names)));
}

bool has_access(const reg& of, register_access access) {
  bool result = of.fields.empty() && of.access == access;
  for (const field& one : of.fields) result = result || one.access == access;
  return result;
}

// A rule that no firmware could break or keep is a mistake of whoever wrote it.
void check_sense(const rule& one, const yaml_node& node, const reg& other, std::size_t which,
                 const reg& owner) {
  const auto refuse = [&](const std::string& why) { throw user_error(node.place(), why); };
  const bool is_after = one.kind == rule_kind::after || one.kind == rule_kind::after_last;
  if (is_after && &other == &owner)
    refuse(fmt::format("register '{}' cannot come after itself", owner.name));
  if (is_after && !can_be_written(other))
    refuse(fmt::format("nobody writes register '{}', it is {}", other.name, text_of(other.access)));
  if (one.kind == rule_kind::cleared && which == 0 && !has_access(other, register_access::W1C))
    refuse(fmt::format("nobody clears register '{}', it is {} and not W1C", other.name,
                       text_of(other.access)));
  if (one.kind == rule_kind::ring && (other.width != 32 || !other.fields.empty()))
    refuse(fmt::format("a ring counts in whole registers of 32 bits, '{}' is none", other.name));
}

void resolve(rule& one, const surroundings& around) {
  if (one.kind == rule_kind::only_while || one.kind == rule_kind::never_while)
    return resolve_condition(one, around);
  for (const yaml_node& node : one.subjects) {
    const register_reference found = resolve_register(node, around);
    check_sense(one, node, around.at(found), one.registers.size(), around.owner);
    one.registers.push_back(found);
  }
}

}  // namespace

void resolve_rules(block& of) {
  for (reg& one : of.registers) {
    for (rule& r : one.rules) resolve(r, {nullptr, of.registers, one});
  }
  for (reg_array& array : of.arrays) {
    for (reg& one : array.registers) {
      for (rule& r : one.rules) resolve(r, {&array.registers, of.registers, one});
    }
  }
}

}  // namespace heddle::regs
