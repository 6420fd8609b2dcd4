#include "tools/regs/parse_register.hpp"

#include <fmt/format.h>

#include <optional>

#include "platform/yaml/mapping.hpp"
#include "platform/yaml/value.hpp"
#include "tools/regs/parse_field.hpp"
#include "tools/regs/parse_rule.hpp"

namespace heddle::regs {
namespace {

register_sync sync(const yaml_node& node) {
  static const std::vector<std::string> names = {"never", "read", "write", "always"};
  const std::string name = as_choice(node, "sync", names);
  std::size_t index = 0;
  while (names[index] != name) ++index;
  return static_cast<register_sync>(index);
}

// Nobody should rely on a policy that never applies.
void check_sync(const reg& of, const source_place& place) {
  const bool waits_for_read = of.sync == register_sync::read && !is_readable(of.access);
  const bool waits_for_write = of.sync == register_sync::write && !is_writable(of.access);
  if (!waits_for_read && !waits_for_write) return;
  throw user_error(place, fmt::format("sync: {} has no effect, because register '{}' is {}",
                                      text_of(of.sync), of.name, text_of(of.access)));
}

void check_reset(const reg& of, const source_place& place) {
  if (of.width < 64 && of.reset >> of.width != 0) {
    throw user_error(place, fmt::format("reset {:#x} does not fit the {} bits of register '{}'",
                                        of.reset, of.width, of.name));
  }
  std::uint64_t known = 0;
  for (const field& one : of.fields) known |= one.mask();
  if (!of.fields.empty() && (of.reset & ~known) != 0) {
    throw user_error(place, fmt::format("reset {:#x} sets bits outside the fields of register '{}'",
                                        of.reset, of.name));
  }
}

void check_other_bits(const reg& of, const source_place& place) {
  if (!of.fields.empty() && can_be_written(of)) return;
  throw user_error(
      place,
      fmt::format("other_bits has no effect, because register '{}' {}", of.name,
                  of.fields.empty() ? "has no fields" : fmt::format("is {}", text_of(of.access))));
}

void read_acts(const yaml_node& node, reg& of) {
  of.acts = as_bool(node);
  if (of.acts && !is_writable(of.access))
    throw user_error(node.place(),
                     fmt::format("acts: true has no effect, because register '{}' is {}", of.name,
                                 text_of(of.access)));
}

// Of a register that a read clears, `access: RC` says so.
void read_read_acts(const yaml_node& node, reg& of) {
  of.read_acts = as_bool(node);
  const bool is_cleared = of.access == register_access::RC;
  if (of.read_acts && (is_cleared || !is_readable(of.access)))
    throw user_error(node.place(),
                     fmt::format("read_acts: true has no effect, because register '{}' is {}",
                                 of.name, text_of(of.access)));
}

// Where the key is left out, a register starts at 0, but of one that is read-only nothing is said,
// as with `varies`.
void read_reset(const std::optional<yaml_node>& node, reg& of) {
  if (!node) {
    of.has_reset = of.access != register_access::RO;
  } else if (node->text() == "varies") {
    of.has_reset = false;
  } else {
    of.reset = as_unsigned(*node);
    check_reset(of, node->place());
  }
}

void read_rules(const yaml_node& node, reg& of) {
  for (const yaml_node& item : list_of(node, "rules")) of.rules.push_back(parse_rule(item, of));
  if (!can_be_written(of))
    throw user_error(node.place(), fmt::format("a rule guards writes, but register '{}' is {}",
                                               of.name, text_of(of.access)));
}

}  // namespace

reg parse_register(const yaml_node& node) {
  yaml_mapping mapping(node, "register");
  reg result;
  const yaml_node name = mapping.required("name");
  result.place = name.place();
  result.name = snake_case_name(name);
  const yaml_node offset = mapping.required("offset");
  result.offset = bounded(offset, 0, block_size_limit);
  const std::string width = as_choice(mapping.required("width"), "width", {"32", "64"});
  result.width = width == "32" ? 32 : 64;
  if (result.offset % result.bytes() != 0) {
    throw user_error(offset.place(),
                     fmt::format("offset {:#x} of register '{}' is not a multiple of its {} bytes",
                                 result.offset, result.name, result.bytes()));
  }
  result.access = access(mapping.required("access"));
  if (const auto when = mapping.optional("sync")) {
    result.sync = sync(*when);
    check_sync(result, when->place());
  }
  if (const auto acts = mapping.optional("acts")) read_acts(*acts, result);
  if (const auto acts = mapping.optional("read_acts")) read_read_acts(*acts, result);
  result.meaning = meaning(mapping.required("meaning"));
  if (const auto fields = mapping.optional("fields")) result.fields = parse_fields(*fields, result);
  if (const auto others = mapping.optional("other_bits")) {
    result.ignores_other_bits =
        as_choice(*others, "other_bits", {"reserved", "ignored"}) == "ignored";
    check_other_bits(result, others->place());
  }
  read_reset(mapping.optional("reset"), result);
  if (const auto rules = mapping.optional("rules")) read_rules(*rules, result);
  if (const auto fence = mapping.optional("needs_fence"); fence && as_bool(*fence)) {
    result.rules.push_back(fence_rule(*fence, result));
  }
  mapping.finish();
  return result;
}

}  // namespace heddle::regs
