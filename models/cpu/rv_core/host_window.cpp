#include "models/cpu/rv_core/host_window.hpp"

#include "transactors/memory/access.hpp"

namespace heddle {

tlm::tlm_response_status host_window::access(tlm::tlm_generic_payload& payload) {
  sc_core::sc_time delay;
  payload.set_address(payload.get_address() - address_);
  registers_.b_transport(payload, delay);
  return payload.get_response_status();
}

bool host_window::debug_access(tlm::tlm_command command, std::uint64_t address, void* data,
                               std::uint64_t bytes_wanted) {
  tlm::tlm_generic_payload payload;
  set_access(payload, command, address - address_, data, static_cast<std::uint32_t>(bytes_wanted));
  return registers_.transport_dbg(payload) == bytes_wanted;
}

}  // namespace heddle
