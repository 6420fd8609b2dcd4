// register_file holds firmware to the contracts of its registers.
#include <fmt/format.h>

#include "platform/registers/byte_mask.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Ones that belong to no field, where that is a mistake.
std::uint64_t reserved_ones(const register_description& of, std::uint64_t written) {
  if (of.fields.size() == 0 || of.ignores_other_bits) return 0;
  for (const field_description& field : of.fields) written &= ~field.mask();
  return written;
}

bool has_name(const field_description& field, std::uint64_t bits) {
  for (const value_description& named : field.values)
    if (named.value == bits) return true;
  return field.values.size() == 0;
}

// Written as a whole, with a value that its enumeration does not have.
bool is_nameless(const field_description& field, std::uint64_t data, std::uint64_t enabled) {
  const bool is_concerned = is_writable(field.access) && (field.mask() & ~enabled) == 0;
  return is_concerned && !has_name(field, (data & field.mask()) >> field.low);
}

// Firmware writes all ones to flags that are cleared by ones, though only some of them are up.
bool clears_blindly(const register_cell& written, std::uint64_t data, std::uint64_t enabled) {
  const std::uint64_t all = written.bytes == 8 ? ~std::uint64_t{0} : UINT32_MAX;
  const std::uint64_t up = written.value & written.clear_bits;
  return up != 0 && up != written.clear_bits && (data & enabled) == all;
}

}  // namespace

bool register_file::keeps(const register_cell& ruled, const register_rule& rule, std::uint64_t data,
                          const access_origin& origin) const {
  switch (rule.kind) {
    case rule_kind::only_while:
      return true;  // binds everybody: allows_write
    case rule_kind::never_while:
      return !holds(ruled, rule);
    case rule_kind::after:
    case rule_kind::after_last:
      for (std::size_t i = 0; i < rule.registers.size(); ++i) {
        const std::uint64_t since = rule.kind == rule_kind::after ? 0 : ruled.last_write;
        const register_cell& first = other(ruled, rule, i);
        if (first.last_write <= since || first.is_half_written()) return false;
      }
      return true;
    case rule_kind::cleared: {
      const bool is_limited = rule.registers.size() > 1;
      const std::uint64_t enabled = is_limited ? other(ruled, rule, 1).peek() : ~std::uint64_t{0};
      return (other(ruled, rule).peek() & enabled) == 0;
    }
    case rule_kind::ring: {
      const auto completed = static_cast<std::uint32_t>(other(ruled, rule).peek());
      const auto announced = static_cast<std::uint32_t>(ruled.value) - completed;
      const std::uint32_t ahead = static_cast<std::uint32_t>(data) - completed;
      return ahead >= announced && ahead <= other(ruled, rule, 1).peek();
    }
    case rule_kind::fence:
      return origin.unfenced_stores == 0;
    case rule_kind::multiple_of:
      return data % rule.values[0] == 0;
    case rule_kind::between:
      return rule.values[0] <= data && data <= rule.values[1];
  }
  return true;
}

// The register that a broken rule wants to be written first, if that was done by half.
const register_cell* register_file::half_written(const register_cell& ruled,
                                                 const register_rule& rule) const {
  if (rule.kind != rule_kind::after && rule.kind != rule_kind::after_last) return nullptr;
  const std::uint64_t since = rule.kind == rule_kind::after ? 0 : ruled.last_write;
  for (std::size_t i = 0; i < rule.registers.size(); ++i) {
    const register_cell& first = other(ruled, rule, i);
    if (first.is_half_written()) return &first;
    if (first.last_write <= since) return nullptr;  // not at all
  }
  return nullptr;
}

register_file::breach register_file::find_breach(const register_cell& ruled, std::uint64_t data,
                                                 std::uint64_t enabled,
                                                 const access_origin& origin) const {
  const register_description& of = *ruled.description;
  // Half a register says nothing about its value yet.
  const std::uint64_t value = (ruled.value & ~enabled) | (data & enabled);
  for (const register_rule& rule : of.rules)
    if (!keeps(ruled, rule, value, origin)) return {true, &rule, half_written(ruled, rule)};
  if (clears_blindly(ruled, data, enabled)) return {true, nullptr};
  if (reserved_ones(of, data & enabled) != 0) return {true, nullptr};
  for (const field_description& field : of.fields)
    if (is_nameless(field, data, enabled)) return {true, nullptr};
  return {};
}

std::string register_file::wrong_bits(const register_cell& written, std::uint64_t data,
                                      std::uint64_t enabled) const {
  const register_description& of = *written.description;
  if (clears_blindly(written, data, enabled))
    return fmt::format(
        "clears every flag, but only {:#x} is set: what comes up meanwhile is lost; "
        "write back what was read",
        written.value);
  if (const std::uint64_t reserved = reserved_ones(of, data & enabled); reserved != 0)
    return fmt::format("sets the reserved bits {:#x}: use the masks of the register header",
                       reserved);
  for (const field_description& field : of.fields) {
    if (!is_nameless(field, data, enabled)) continue;
    std::string names;
    for (const value_description& each : field.values)
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", each.name, each.value);
    return fmt::format("field {} has no value {}: one of {}", field.name,
                       (data & field.mask()) >> field.low, names);
  }
  return {};
}

void register_file::meet(access_origin& origin, const tlm::tlm_generic_payload& payload,
                         const sc_core::sc_time& delay) const {
  origin.device = this;
  origin.offset = payload.get_address();
  origin.time = now_fs() + to_fs(delay);
}

void register_file::remember(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                             const access_origin& origin) {
  if (polls_) polls_->ledger().catch_up();
  history_.add({now_fs() + to_fs(delay), payload.get_address(), load_word(payload),
                origin.initiator, origin.at, static_cast<std::uint8_t>(payload.get_data_length()),
                payload.is_write()});
}

// False: the run is over.
bool register_file::admit(register_cell& to, unsigned shift, std::uint64_t enabled,
                          tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                          const access_origin& origin) {
  if (to.has_contract) {
    const std::uint64_t data = load_word(payload) << shift;
    const breach broken = find_breach(to, data, enabled << shift, origin);
    if (broken.is_broken) {
      broken_ = breach_text(to, broken, data, enabled << shift, origin);
      blamed_ = broken.half_written;
      refuse(payload, delay, refusal::contract, &to);
      if (severity_ == contract_severity::fatal) return false;
    }
  }
  to.note_halves(enabled << shift);
  to.writer = origin.initiator;
  to.written_at = origin.at;
  remember(payload, delay, origin);
  return true;
}

std::vector<std::string> register_file::history_text() {
  if (polls_) polls_->ledger().catch_up();
  std::vector<std::string> lines;
  history_.for_each([&](const past_access& each) {
    const std::string name = register_name(each.offset);
    const std::string where = each.initiator->line_at(each.at).text();
    lines.push_back(
        fmt::format("{} {} {} {} {:#x}{}", format_duration(each.time),
                    each.initiator->initiator_path(), each.is_write ? "write" : "read",
                    name.empty() ? fmt::format("offset {:#x}", each.offset) : name, each.value,
                    (each.repeats > 0 ? fmt::format(" ({} times)", each.repeats + 1) : "") +
                        (where.empty() ? "" : ", " + where)));
  });
  return lines;
}

}  // namespace heddle
