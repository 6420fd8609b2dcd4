// One loosely timed access in a line: for models that read and write words and blocks.
#pragma once

#include <cstdint>
#include <tlm>

namespace heddle {

// A generic payload set up for one access; reusable, so that hot paths build none.
inline void set_access(tlm::tlm_generic_payload& payload, tlm::tlm_command command,
                       std::uint64_t address, void* data, std::uint32_t bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<unsigned char*>(data));
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace heddle
