#include "tools/regs/parse_register.hpp"

#include <fmt/format.h>

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
  if (const auto acts = mapping.optional("acts")) {
    result.acts = as_bool(*acts);
    if (result.acts && !is_writable(result.access))
      throw user_error(acts->place(),
                       fmt::format("acts: true has no effect, because register '{}' is {}",
                                   result.name, text_of(result.access)));
  }
  result.meaning = meaning(mapping.required("meaning"));
  if (const auto fields = mapping.optional("fields")) result.fields = parse_fields(*fields, result);
  if (const auto others = mapping.optional("other_bits")) {
    result.ignores_other_bits =
        as_choice(*others, "other_bits", {"reserved", "ignored"}) == "ignored";
    check_other_bits(result, others->place());
  }
  if (const auto reset = mapping.optional("reset"); reset && reset->text() == "varies") {
    result.has_reset = false;
  } else if (reset) {
    result.reset = as_unsigned(*reset);
    check_reset(result, reset->place());
  } else {
    result.has_reset = result.access != register_access::RO;
  }
  if (const auto rules = mapping.optional("rules")) {
    for (const yaml_node& item : list_of(*rules, "rules")) {
      result.rules.push_back(parse_rule(item, result));
    }
    if (!can_be_written(result)) {
      throw user_error(rules->place(), fmt::format("a rule guards writes, but register '{}' is {}",
                                                   result.name, text_of(result.access)));
    }
  }
  if (const auto fence = mapping.optional("needs_fence"); fence && as_bool(*fence)) {
    result.rules.push_back(fence_rule(*fence, result));
  }
  mapping.finish();
  return result;
}

}  // namespace heddle::regs
