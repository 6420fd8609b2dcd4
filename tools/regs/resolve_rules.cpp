#include "tools/regs/resolve_rules.hpp"

#include <fmt/format.h>

#include "platform/text/quote.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/naming.hpp"

namespace heddle::regs {
namespace {

bool find_field(const std::vector<reg>& among, const std::string& name, rule& result) {
  for (std::size_t r = 0; r < among.size(); ++r) {
    for (std::size_t f = 0; f < among[r].fields.size(); ++f) {
      if (among[r].name + "." + among[r].fields[f].name != name) continue;
      result.register_index = r;
      result.field_index = f;
      return true;
    }
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

// element is nullptr for a register outside arrays.
void resolve(rule& one, const std::vector<reg>* element, const std::vector<reg>& outside) {
  const std::string name = as_text(one.subject);
  one.in_same_element = element != nullptr && find_field(*element, name, one);
  if (!one.in_same_element && !find_field(outside, name, one)) {
    std::vector<std::string> names;
    if (element != nullptr) add_field_names(*element, names);
    add_field_names(outside, names);
    throw user_error(one.subject.place(), fmt::format("unknown field {} in a rule{}", quoted(name),
                                                      did_you_mean(name, names)));
  }
  const std::vector<reg>& among = one.in_same_element ? *element : outside;
  const field& subject = among[one.register_index].fields[one.field_index];
  for (const yaml_node& node : one.values) one.allowed.push_back(value_of(node, subject, name));
}

}  // namespace

void resolve_rules(block& of) {
  for (reg& one : of.registers) {
    for (rule& r : one.rules) resolve(r, nullptr, of.registers);
  }
  for (reg_array& array : of.arrays) {
    for (reg& one : array.registers) {
      for (rule& r : one.rules) resolve(r, &array.registers, of.registers);
    }
  }
}

}  // namespace heddle::regs
