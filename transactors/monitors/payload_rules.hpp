// The rules of the generic payload (IEEE 1666-2011, 14): what an initiator has to set, and what
// must be as it was when the response comes back.
#pragma once

#include <string>
#include <tlm>

namespace heddle {

// All return the broken rule, "" when all is well.
std::string broken_request_rule(const tlm::tlm_generic_payload& payload);
// For debug and direct memory requests, which have no response.
std::string broken_debug_rule(const tlm::tlm_generic_payload& payload);

// Of non-blocking transport: whoever keeps the payload must be able to hold it.
std::string broken_management_rule(const tlm::tlm_generic_payload& payload);

// The attributes that nobody but the initiator may change. Not the address: interconnects may.
class payload_snapshot {
 public:
  payload_snapshot() = default;
  explicit payload_snapshot(const tlm::tlm_generic_payload& payload);
  std::string broken_response_rule(const tlm::tlm_generic_payload& payload) const;

 private:
  tlm::tlm_command command_ = tlm::TLM_IGNORE_COMMAND;
  const unsigned char* data_ = nullptr;
  unsigned length_ = 0;
  unsigned streaming_width_ = 0;
  const unsigned char* enables_ = nullptr;
  unsigned enable_length_ = 0;
};

}  // namespace heddle
