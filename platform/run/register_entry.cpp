#include "platform/run/register_entry.hpp"

#include <algorithm>

namespace heddle {
namespace {

std::uint64_t low_bits(unsigned width) {
  return ~std::uint64_t{0} >> (64 - width);
}

bool is_about_values(const register_rule& rule) {
  return rule.kind == rule_kind::only_while || rule.kind == rule_kind::multiple_of ||
         rule.kind == rule_kind::between;
}

// Whether a test may write the register: nothing starts, and no order has to be kept.
bool may_be_written(const register_cell& cell) {
  const register_description& of = *cell.description;
  if (!cell.is_readable || of.acts || (cell.is_writable && !of.has_reset)) return false;
  return std::all_of(of.rules.begin(), of.rules.end(), is_about_values);
}

// Values that the rules and enumerations allow; `which` tells the two patterns apart.
std::uint64_t allowed(const register_description& of, std::uint64_t bits, int which) {
  constexpr std::uint64_t alternating = 0x5555'5555'5555'5555;
  std::uint64_t value = which == 0 ? alternating : ~alternating;
  for (const field_description& field : of.fields) {
    if (field.values.size() == 0) continue;
    const std::size_t named = which == 0 ? field.values.size() - 1 : 0;
    value = (value & ~field.mask()) | field.values[named].value << field.low;
  }
  for (const register_rule& rule : of.rules) {
    if (rule.kind == rule_kind::multiple_of) value -= (value & bits) % rule.values[0];
    if (rule.kind == rule_kind::between) value = rule.values[which == 0 ? 1 : 0];
  }
  return value & bits;
}

// The lowest bit of every field that only a device can set.
std::uint64_t device_bits(const register_cell& cell) {
  const std::uint64_t cleared = cell.clear_bits | cell.read_clear_bits;
  if (cell.description->fields.size() == 0) return cleared & 1;
  std::uint64_t bits = 0;
  for (const field_description& field : cell.description->fields)
    bits |= cleared & (std::uint64_t{1} << field.low);
  return bits;
}

}  // namespace

register_entry make_register_entry(const register_cell& cell, std::uint64_t address) {
  const register_description& of = *cell.description;
  register_entry made{};
  made.address = address;
  made.reset = of.reset;
  made.reset_mask = of.has_reset ? low_bits(of.width) : 0;
  made.readable = cell.read_bits;
  made.kept = cell.write_bits;
  made.clears = cell.clear_bits;
  made.sets = cell.set_bits;
  made.read_clears = cell.read_clear_bits;
  made.preset = device_bits(cell);
  made.patterns[0] = allowed(of, cell.write_bits, 0);
  made.patterns[1] = allowed(of, cell.write_bits, 1);
  made.bytes = cell.bytes;
  if (cell.is_readable) made.flags |= REGISTER_READABLE;
  if (may_be_written(cell)) made.flags |= REGISTER_WRITABLE;
  if (cell.hooks && cell.hooks->before_read) made.flags |= REGISTER_VARIES;
  return made;
}

}  // namespace heddle
