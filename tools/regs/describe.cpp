#include "tools/regs/describe.hpp"

#include <utility>

namespace heddle::regs {
namespace {

// Keeps the items and gives a view of them.
template <class T>
constant_list<T> kept(std::deque<std::vector<T>>& in, std::vector<T> items) {
  const std::vector<T>& all = in.emplace_back(std::move(items));
  return {all.data(), all.size()};
}

}  // namespace

constant_list<value_description> described_block::describe(const std::vector<named_value>& values) {
  std::vector<value_description> made;
  for (const named_value& each : values) made.push_back({each.name, each.value});
  return kept(values_, std::move(made));
}

constant_list<field_description> described_block::describe(const std::vector<field>& fields) {
  std::vector<field_description> made;
  for (const field& each : fields)
    made.push_back(
        {each.name, each.meaning, each.low, each.width, each.access, describe(each.values)});
  return kept(fields_, std::move(made));
}

constant_list<register_rule> described_block::describe(const std::vector<rule>& rules) {
  std::vector<register_rule> made;
  for (const rule& each : rules) {
    if (each.kind != rule_kind::between) continue;
    register_rule one{each.kind};
    one.values = {each.values.data(), each.values.size()};
    made.push_back(one);
  }
  return kept(rules_, std::move(made));
}

constant_list<register_description> described_block::describe(const std::vector<reg>& registers) {
  std::vector<register_description> made;
  for (const reg& each : registers)
    made.push_back({each.name, each.meaning, static_cast<std::uint32_t>(each.offset), each.width,
                    each.access, each.sync, each.reset, describe(each.fields), describe(each.rules),
                    each.has_reset, static_cast<unsigned>(each.place.line), each.acts,
                    each.ignores_other_bits, each.read_acts});
  return kept(registers_, std::move(made));
}

described_block::described_block(const block& of)
    : description_{of.name, of.meaning, static_cast<std::uint32_t>(of.size)} {
  description_.registers = describe(of.registers);
  for (const reg_array& each : of.arrays)
    arrays_.push_back({each.name, static_cast<std::uint32_t>(each.offset),
                       static_cast<std::uint32_t>(each.count),
                       static_cast<std::uint32_t>(each.stride), describe(each.registers)});
  description_.arrays = {arrays_.data(), arrays_.size()};
}

}  // namespace heddle::regs
