// What register_file says of a write that breaks a rule: what is wrong, and what to do instead.
#include <fmt/format.h>

#include "platform/registers/field_text.hpp"
#include "platform/registers/register_file.hpp"

namespace heddle {
namespace {

struct rule_mistake {
  std::string what;
  std::string usual_hint;  // unless the rule has its own

  std::string text(const register_rule& rule) const {
    return what + ": " + (rule.hint.empty() ? usual_hint : std::string(rule.hint));
  }
};

// A register that a rule is about, as messages call it.
struct named_register {
  const register_cell& cell;
  std::string name;
};

rule_mistake written_meanwhile(const named_register& about, const register_rule& rule) {
  const field_description& field = about.cell.description->fields[rule.field_index];
  const std::uint64_t bits = (about.cell.peek() & field.mask()) >> field.low;
  return {fmt::format("must not be written while {}.{} is {}", about.name, field.name,
                      value_text(field, bits)),
          "wait until it is over"};
}

// ", at sw/drivers/dma.c:57 in dma_open,"
std::string line_of_write(const register_cell& written) {
  const std::string line = written.writer ? written.writer->line_at(written.written_at).text() : "";
  return line.empty() ? "" : ", at " + line + ",";
}

std::string half_text(const named_register& first, const std::string& own) {
  return fmt::format("only the {} half of {} has been written{} when {} is: write both",
                     first.cell.halves_written == register_cell::lower_half ? "lower" : "upper",
                     first.name, line_of_write(first.cell), own);
}

bool is_written_since(const register_cell& first, const register_cell& ruled,
                      const register_rule& rule) {
  return first.last_write > (rule.kind == rule_kind::after ? 0 : ruled.last_write);
}

rule_mistake written_too_early(const named_register& first, const register_rule& rule,
                               const std::string& own) {
  return {fmt::format("{} has not been written since {}", first.name,
                      rule.kind == rule_kind::after ? "reset" : "the last write of " + own),
          fmt::format("write {} first", first.name)};
}

rule_mistake not_cleared(const named_register& flags, const std::string& own) {
  return {fmt::format("{} is still {:#x}", flags.name, flags.cell.peek()),
          fmt::format("write its ones back to clear it before the next {}", own)};
}

rule_mistake outside_ring(const named_register& announced, const named_register& completed,
                          std::uint64_t entries, std::uint64_t data) {
  return {fmt::format("{} is not within {} announced, {} completed and a ring of {}", data,
                      announced.cell.value, completed.cell.peek(), entries),
          fmt::format("count up from the last {}, and wait for {} before the ring is full",
                      announced.name, completed.name)};
}

rule_mistake not_fenced(const access_origin& origin, const std::string& own) {
  const code_line first =
      origin.initiator ? origin.initiator->line_at(origin.first_unfenced) : code_line();
  const std::string since = first.text().empty() ? "" : ", the first at " + first.text();
  const std::uint64_t stores = origin.unfenced_stores;
  return {fmt::format("{} store{} to memory {} not fenced yet{}", stores, stores == 1 ? "" : "s",
                      stores == 1 ? "is" : "are", since),
          fmt::format("call hal_fence() before the write of {}", own)};
}

rule_mistake not_a_multiple(std::uint64_t data, const register_rule& rule) {
  return {fmt::format("{:#x} is not a multiple of {}", data, rule.values[0]),
          "align what it is about"};
}

rule_mistake not_between(std::uint64_t data, const register_rule& rule) {
  return {fmt::format("{} is not within {} to {}", data, rule.values[0], rule.values[1]),
          "check the value before the write"};
}

}  // namespace

std::string register_file::rule_text(const register_cell& ruled, const register_rule& rule,
                                     std::uint64_t data, const access_origin& origin) const {
  const named_register own{ruled, name_of(ruled)};
  const auto first = [&] {
    const register_cell& cell = other(ruled, rule);
    return named_register{cell, name_of(cell)};
  };
  switch (rule.kind) {
    case rule_kind::only_while:
      return {};
    case rule_kind::never_while:
      return written_meanwhile(first(), rule).text(rule);
    case rule_kind::after:
    case rule_kind::after_last:
      if (const register_cell* half = half_written(ruled, rule))
        return half_text({*half, name_of(*half)}, own.name);
      for (std::size_t i = 0; i < rule.registers.size(); ++i) {
        const register_cell& before = other(ruled, rule, i);
        if (!is_written_since(before, ruled, rule))
          return written_too_early({before, name_of(before)}, rule, own.name).text(rule);
      }
      return {};
    case rule_kind::cleared:
      return not_cleared(first(), own.name).text(rule);
    case rule_kind::ring:
      return outside_ring(own, first(), other(ruled, rule, 1).peek(), data).text(rule);
    case rule_kind::fence:
      return not_fenced(origin, own.name).text(rule);
    case rule_kind::multiple_of:
      return not_a_multiple(data, rule).text(rule);
    case rule_kind::between:
      return not_between(data, rule).text(rule);
  }
  return {};
}

std::string register_file::breach_text(const register_cell& ruled, const breach& broken,
                                       std::uint64_t data, std::uint64_t enabled,
                                       const access_origin& origin) const {
  if (!broken.rule) return wrong_bits(ruled, data, enabled);
  return rule_text(ruled, *broken.rule, (ruled.value & ~enabled) | (data & enabled), origin);
}

}  // namespace heddle
