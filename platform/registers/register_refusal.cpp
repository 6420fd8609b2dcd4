// What register_file says about an access that it refuses.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "platform/registers/field_text.hpp"
#include "platform/registers/register_file.hpp"

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

std::string current_process_name() {
  const sc_core::sc_process_handle process = sc_core::sc_get_current_process_handle();
  return process.valid() ? process.name() : "";
}

std::string name_of(const register_slot& slot) {
  std::string name(slot.description->name);
  if (slot.array == nullptr) return name;
  return fmt::format("{}[{}].{}", slot.array->name, slot.element, name);
}

}  // namespace

void register_file::report(const register_slot& about, const std::string& reason) {
  register_audit record;
  record.time = now_fs();
  record.path = path_;
  record.register_name = name_of(about);
  record.offset = about.offset;
  record.command = tlm::TLM_WRITE_COMMAND;
  record.value = about.value;
  record.reason = reason;  // by nobody: the write may be long past
  audit_.add(std::move(record));
}

const register_slot* register_file::find(std::uint64_t offset) const {
  const std::uint64_t word = offset / 4;
  const bool is_known = word < slot_of_word_.size() && slot_of_word_[word] < slots_.size();
  return is_known ? &slots_[slot_of_word_[word]] : nullptr;
}

std::string register_file::register_name(std::uint64_t offset) const {
  const register_slot* const slot = find(offset);
  return slot == nullptr ? std::string() : name_of(*slot);
}

std::string register_file::rule_reason(const register_slot& ruled) const {
  for (const register_rule& rule : ruled.description->rules) {
    if (holds(ruled, rule)) continue;
    const register_slot& other = subject(ruled, rule);
    const field_description& field = other.description->fields[rule.field_index];
    const std::uint64_t value = (other.value & field.mask()) >> field.low;
    std::string allowed;
    for (const std::uint64_t one : rule.allowed) {
      allowed += (allowed.empty() ? "" : " or ") + value_text(field, one);
    }
    return fmt::format("may be written only while {}.{} is {}, which is {}", name_of(other),
                       field.name, allowed, value_text(field, value));
  }
  return {};
}

std::string register_file::reason(const tlm::tlm_generic_payload& payload, refusal why,
                                  const register_slot* slot) const {
  const unsigned length = payload.get_data_length();
  switch (why) {
    case refusal::command:
      return "neither a read nor a write";
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
      return fmt::format("an access of {} bytes to a register of {}", length, slot->bytes);
    case refusal::byte_enable:
      return "byte enables are 0x00 or 0xff, one or more";
    case refusal::read_only:
      return "the register is read-only";
    case refusal::write_only:
      return "the register is write-only";
    case refusal::rule:
      return rule_reason(*slot);
  }
  return {};
}

void register_file::refuse(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay,
                           refusal why, const register_slot* slot) {
  switch (why) {
    case refusal::length:
    case refusal::streaming:
    case refusal::several_registers:
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      break;
    case refusal::alignment:
    case refusal::no_register:
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      break;
    case refusal::byte_enable:
      payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
      break;
    case refusal::command:
    case refusal::read_only:
    case refusal::write_only:
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      break;
    case refusal::data_pointer:
    case refusal::rule:
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      break;
  }
  ++refused_accesses_;

  register_audit record;
  record.time = now_fs() + to_fs(delay);
  record.path = path_;
  record.offset = payload.get_address();
  record.register_name = register_name(record.offset);
  record.command = payload.get_command();
  record.value = written_value(payload);
  record.reason = reason(payload, why, slot);
  if (payload.is_write() && slot != nullptr) {
    const unsigned shift = 8 * static_cast<unsigned>(record.offset - slot->offset);
    const std::string fields = fields_text(*slot->description, record.value << shift);
    if (!fields.empty()) record.reason += "; written: " + fields;
  }
  record.initiator = current_process_name();
  audit_.add(std::move(record));
}

}  // namespace heddle
