#include "transactors/monitors/payload_rules.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace heddle {
namespace {

std::string broken_enable_rule(const tlm::tlm_generic_payload& payload) {
  const unsigned char* enables = payload.get_byte_enable_ptr();
  if (!enables) return {};
  const unsigned length = payload.get_byte_enable_length();
  if (length == 0) return "byte enables of length 0";
  for (unsigned i = 0; i < length; ++i)
    if (enables[i] != TLM_BYTE_DISABLED && enables[i] != TLM_BYTE_ENABLED)
      return fmt::format("byte enable {} is {:#x}, neither 0x0 nor 0xff", i, enables[i]);
  return {};
}

}  // namespace

std::string broken_debug_rule(const tlm::tlm_generic_payload& payload) {
  const tlm::tlm_command command = payload.get_command();
  if (command != tlm::TLM_READ_COMMAND && command != tlm::TLM_WRITE_COMMAND &&
      command != tlm::TLM_IGNORE_COMMAND)
    return fmt::format("no such command: {}", static_cast<int>(command));
  if (payload.get_data_length() > 0 && !payload.get_data_ptr()) return "no data pointer";
  return {};
}

std::string broken_request_rule(const tlm::tlm_generic_payload& payload) {
  std::string rule = broken_debug_rule(payload);
  if (!rule.empty()) return rule;
  if (payload.get_data_length() == 0) return "a data length of 0";
  if (payload.get_data_length() - 1 > UINT64_MAX - payload.get_address())
    return "the data end beyond the last address";
  if (payload.get_streaming_width() == 0) return "a streaming width of 0";
  rule = broken_enable_rule(payload);
  if (!rule.empty()) return rule;
  if (payload.is_dmi_allowed()) return "the initiator allows direct access itself";
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    return "the response status is " + payload.get_response_string() + " before the access";
  return {};
}

std::string broken_management_rule(const tlm::tlm_generic_payload& payload) {
  if (!payload.has_mm()) return "a payload without memory manager";
  if (payload.get_ref_count() == 0) return "a payload that nobody holds";
  return {};
}

payload_snapshot::payload_snapshot(const tlm::tlm_generic_payload& payload)
    : command_(payload.get_command()),
      data_(payload.get_data_ptr()),
      length_(payload.get_data_length()),
      streaming_width_(payload.get_streaming_width()),
      enables_(payload.get_byte_enable_ptr()),
      enable_length_(payload.get_byte_enable_length()) {}

std::string payload_snapshot::broken_response_rule(const tlm::tlm_generic_payload& payload) const {
  if (payload.get_command() != command_) return "the target changed the command";
  if (payload.get_data_ptr() != data_) return "the target changed the data pointer";
  if (payload.get_data_length() != length_) return "the target changed the data length";
  if (payload.get_streaming_width() != streaming_width_)
    return "the target changed the streaming width";
  if (payload.get_byte_enable_ptr() != enables_ ||
      payload.get_byte_enable_length() != enable_length_)
    return "the target changed the byte enables";
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    return "the response status is still " + payload.get_response_string();
  return {};
}

}  // namespace heddle
