#include "tools/regs/parse_rule.hpp"

#include <fmt/format.h>

#include "platform/text/suggest.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/parse_register.hpp"

namespace heddle::regs {
namespace {

// {field: status.state, is: IDLE}
void parse_condition(const yaml_node& node, rule& made) {
  yaml_mapping condition(node, text_of(made.kind));
  made.subjects = {condition.required("field")};
  const yaml_node values = condition.required("is");
  made.given = values.is_sequence() ? list_of(values, "is") : as_list(values);
  condition.finish();
}

// [ring_base, ring_entries], since: last_write
void parse_after(const yaml_node& node, yaml_mapping& mapping, rule& made) {
  made.subjects = node.is_sequence() ? list_of(node, "after") : as_list(node);
  if (const auto since = mapping.optional("since"))
    if (as_choice(*since, "since", {"reset", "last_write"}) == "last_write")
      made.kind = rule_kind::after_last;
}

// irq_status, enabled_by: irq_enable
void parse_cleared(const yaml_node& node, yaml_mapping& mapping, rule& made) {
  made.subjects = {node};
  if (const auto enables = mapping.optional("enabled_by")) made.subjects.push_back(*enables);
}

// {completed: completed, entries: ring_entries}
void parse_ring(const yaml_node& node, rule& made) {
  yaml_mapping ring(node, "ring");
  made.subjects = {ring.required("completed"), ring.required("entries")};
  ring.finish();
}

void parse_bounds(const yaml_node& node, rule& made) {
  const std::vector<yaml_node>& bounds = list_of(node, "between");
  if (bounds.size() != 2)
    throw user_error(node.place(), "between names the lowest and the highest value");
  made.values = {as_unsigned(bounds[0]), as_unsigned(bounds[1])};
  if (made.values[0] > made.values[1])
    throw user_error(node.place(), fmt::format("between allows nothing: {} is more than {}",
                                               made.values[0], made.values[1]));
}

void parse_divisor(const yaml_node& node, rule& made) {
  made.values = {as_unsigned(node)};
  if (made.values[0] < 2)
    throw user_error(node.place(), fmt::format("multiple_of {} means nothing", made.values[0]));
}

// What speaks of the value that is written.
bool is_about_value(rule_kind kind) {
  return kind == rule_kind::ring || kind == rule_kind::multiple_of || kind == rule_kind::between;
}

void check_value_rule(const rule& made, const reg& owner) {
  if (!is_about_value(made.kind)) return;
  if (!owner.fields.empty())
    throw user_error(made.place, fmt::format("{} is about a whole register, but '{}' has fields",
                                             text_of(made.kind), owner.name));
  if (made.kind == rule_kind::ring && owner.width != 32)
    throw user_error(made.place, fmt::format("a ring counts in 32 bits, register '{}' has {}",
                                             owner.name, owner.width));
  for (const std::uint64_t value : made.values)
    if (owner.width < 64 && value >> owner.width != 0)
      throw user_error(made.place, fmt::format("value {} does not fit the {} bits of register '{}'",
                                               value, owner.width, owner.name));
}

struct known_rule {
  rule_kind kind;
  void (*parse)(const yaml_node& node, yaml_mapping& mapping, rule& made);
};

constexpr known_rule known_rules[] = {
    {rule_kind::only_while, [](const auto& n, auto&, rule& r) { parse_condition(n, r); }},
    {rule_kind::never_while, [](const auto& n, auto&, rule& r) { parse_condition(n, r); }},
    {rule_kind::after, parse_after},
    {rule_kind::cleared, parse_cleared},
    {rule_kind::ring, [](const auto& n, auto&, rule& r) { parse_ring(n, r); }},
    {rule_kind::multiple_of, [](const auto& n, auto&, rule& r) { parse_divisor(n, r); }},
    {rule_kind::between, [](const auto& n, auto&, rule& r) { parse_bounds(n, r); }},
};

[[noreturn]] void refuse_unknown(const yaml_node& node) {
  std::vector<std::string> names;
  for (const known_rule& each : known_rules) names.emplace_back(text_of(each.kind));
  const std::vector<std::string> keys = node.keys();
  const std::string key = keys.empty() ? std::string() : keys.front();
  throw user_error(node.place(), fmt::format("no rule in '{}'{}", key, did_you_mean(key, names)));
}

}  // namespace

bool can_be_written(const reg& of) {
  bool result = of.fields.empty() && is_writable(of.access);
  for (const field& one : of.fields) result = result || is_writable(one.access);
  return result;
}

rule parse_rule(const yaml_node& node, const reg& owner) {
  yaml_mapping mapping(node, "rule");
  rule made;
  made.place = node.place();
  bool is_known = false;
  for (const known_rule& each : known_rules) {
    if (is_known) break;  // a second one in the same mapping is an unknown key
    const auto given = mapping.optional(text_of(each.kind));
    if (!given) continue;
    made.kind = each.kind;
    each.parse(*given, mapping, made);
    is_known = true;
  }
  if (!is_known) refuse_unknown(node);
  if (const auto hint = mapping.optional("hint")) made.hint = meaning(*hint);
  mapping.finish();
  check_value_rule(made, owner);
  return made;
}

rule fence_rule(const yaml_node& node, const reg& owner) {
  rule made;
  made.kind = rule_kind::fence;
  made.place = node.place();
  if (!can_be_written(owner))
    throw user_error(node.place(), fmt::format("needs_fence guards writes, but register '{}' is {}",
                                               owner.name, text_of(owner.access)));
  return made;
}

}  // namespace heddle::regs
