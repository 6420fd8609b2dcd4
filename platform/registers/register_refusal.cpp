// What register_file says about an access that it refuses.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "platform/registers/field_text.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/services/run_control.hpp"
#include "platform/time/agenda.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// The first bytes of what was to be written.
std::uint64_t written_value(const tlm::tlm_generic_payload& payload) {
  std::uint64_t value = 0;
  if (!payload.is_write() || payload.get_data_ptr() == nullptr) return value;
  const std::size_t length = std::min<std::size_t>(payload.get_data_length(), sizeof value);
  std::memcpy(&value, payload.get_data_ptr(), length);
  return value;
}

// A breach of contract whose first consequence this is.
bool is_same_write(const register_audit& told, const register_audit& now) {
  return told.outcome == audit_outcome::performed && told.time == now.time &&
         told.path == now.path && told.register_name == now.register_name;
}

// Devices share the process of the agenda, which does not say whose turn it is.
std::string current_process_name() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  if (!process.valid()) return "";
  const bool is_agenda = dynamic_cast<const agenda*>(process.get_parent_object()) != nullptr;
  return is_agenda ? "a device" : process.name();
}

}  // namespace

std::string register_file::name_of(const register_cell& cell) {
  std::string name(cell.description->name);
  if (cell.array == nullptr) return name;
  return fmt::format("{}[{}].{}", cell.array->name, cell.element, name);
}

void register_file::add_record(register_audit record) {
  record.severity = severity_;
  record.history = history_text();
  audit_.add(std::move(record));
  if (severity_ == contract_severity::fatal && sim_ != nullptr) sim_->service<run_control>().stop();
}

void register_file::report(const register_cell& about, const std::string& reason) {
  register_audit record;
  record.time = now_fs() + (write_delay_ ? to_fs(*write_delay_) : 0);
  record.path = path_;
  record.register_name = name_of(about);
  if (audit_.count() > 0 && is_same_write(audit_.last(), record)) return;
  record.offset = about.offset;
  record.command = tlm::TLM_WRITE_COMMAND;
  record.value = about.value;
  record.reason = reason;  // by nobody: the write may be long past
  if (about.writer != nullptr) record.place = about.writer->line_at(about.written_at).text();
  add_record(std::move(record));
}

const register_cell* register_file::find(std::uint64_t offset) const {
  const std::uint64_t word = offset / 4;
  const bool is_known = word < cell_of_word_.size() && cell_of_word_[word] < cells_.size();
  return is_known ? &cells_[cell_of_word_[word]] : nullptr;
}

std::string register_file::register_name(std::uint64_t offset) const {
  const register_cell* const cell = find(offset);
  return cell == nullptr ? std::string() : name_of(*cell);
}

std::string register_file::rule_reason(const register_cell& ruled) const {
  for (const register_rule& rule : ruled.description->rules) {
    if (rule.kind != rule_kind::only_while || holds(ruled, rule)) continue;
    const register_cell& about = other(ruled, rule);
    const field_description& field = about.description->fields[rule.field_index];
    const std::uint64_t value = (about.peek() & field.mask()) >> field.low;
    std::string allowed;
    for (const std::uint64_t one : rule.values) {
      allowed += (allowed.empty() ? "" : " or ") + value_text(field, one);
    }
    const std::string hint = rule.hint.empty() ? "" : ": " + std::string(rule.hint);
    return fmt::format("may be written only while {}.{} is {}, which is {}{}", name_of(about),
                       field.name, allowed, value_text(field, value), hint);
  }
  return {};
}

std::string register_file::reason(const tlm::tlm_generic_payload& payload, refusal why,
                                  const register_cell* cell) const {
  const unsigned length = payload.get_data_length();
  switch (why) {
    case refusal::command:
      return "registers take loads and stores only";
    case refusal::length:
      return fmt::format("registers are accessed in 4 or 8 bytes, not in {}", length);
    case refusal::streaming:
      return fmt::format("the streaming width, {}, is less than the length, {}",
                         payload.get_streaming_width(), length);
    case refusal::data_pointer:
      return "no data pointer";
    case refusal::alignment:
      return fmt::format("not aligned to the {} bytes of the access", length);
    case refusal::no_register:
      return "there is no register";
    case refusal::several_registers:
      return fmt::format("an access of {} bytes to a register of {}", length, cell->bytes);
    case refusal::byte_enable:
      return "byte enables are 0x00 or 0xff, one or more";
    case refusal::read_only:
      return "the register is read-only";
    case refusal::write_only:
      return "the register is write-only";
    case refusal::rule:
      return rule_reason(*cell);
    case refusal::contract:
      return broken_;
  }
  return {};
}

void register_file::set_response(tlm::tlm_generic_payload& payload, refusal why) const {
  switch (why) {
    case refusal::length:
    case refusal::streaming:
    case refusal::several_registers:
      return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    case refusal::alignment:
    case refusal::no_register:
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    case refusal::byte_enable:
      return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    case refusal::command:
    case refusal::read_only:
    case refusal::write_only:
      return payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    case refusal::data_pointer:
    case refusal::rule:
    case refusal::contract:
      return payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
}

audit_outcome register_file::outcome_of(refusal why, bool is_firmware) const {
  if (why == refusal::contract && severity_ != contract_severity::fatal)
    return audit_outcome::performed;
  const bool is_access = why != refusal::command && why != refusal::data_pointer;
  const bool is_logged = is_firmware && severity_ == contract_severity::log;
  return is_logged && is_access ? audit_outcome::ignored : audit_outcome::refused;
}

// Hardware performs what only breaks a contract. What it cannot perform is a bus error, or ignored
// where firmware's mistakes are only logged: the write is lost, the read gives 0.
void register_file::refuse(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                           refusal why, const register_cell* cell) {
  const access_origin* const origin = payload.get_extension<access_origin>();
  set_response(payload, why);

  register_audit record;
  record.outcome = outcome_of(why, origin != nullptr);
  record.time = now_fs() + to_fs(delay);
  record.path = path_;
  record.offset = payload.get_address();
  record.register_name = register_name(record.offset);
  record.command = payload.get_command();
  record.value = written_value(payload);
  record.reason = reason(payload, why, cell);
  if (payload.is_write() && cell != nullptr) {
    const auto first = static_cast<unsigned>(record.offset - cell->offset);
    const std::string fields =
        fields_text(*cell->description, record.value << (8 * first),
                    accessed_bits(first, std::min(payload.get_data_length(), 8U)));
    if (!fields.empty()) record.reason += "; written: " + fields;
  }
  const access_initiator* firmware = origin != nullptr ? origin->initiator : nullptr;
  record.initiator = firmware != nullptr ? firmware->initiator_path() : current_process_name();
  if (firmware != nullptr) record.place = firmware->line_at(origin->at).text();
  if (const register_cell* const half = std::exchange(blamed_, nullptr))
    if (half->writer) record.place = half->writer->line_at(half->written_at).text();
  const audit_outcome outcome = record.outcome;
  add_record(std::move(record));
  if (outcome == audit_outcome::refused) return;
  if (payload.is_read()) std::memset(payload.get_data_ptr(), 0, payload.get_data_length());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace heddle
