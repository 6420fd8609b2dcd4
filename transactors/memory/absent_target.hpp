// What an initiator socket that may stay open is bound to when it does, because the kernel wants
// every socket bound: answers every access with an address error.
#pragma once

#include <tlm>

namespace heddle {

class absent_target final : private tlm::tlm_fw_transport_if<> {
 public:
  absent_target() { socket_.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this)); }
  tlm::tlm_target_socket<32>& socket() { return socket_; }

 private:
  using payload = tlm::tlm_generic_payload;

  void b_transport(payload& access, sc_core::sc_time&) override {
    access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(payload& access, tlm::tlm_phase&, sc_core::sc_time&) override {
    access.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  unsigned transport_dbg(payload&) override { return 0; }
  bool get_direct_mem_ptr(payload&, tlm::tlm_dmi&) override { return false; }

  tlm::tlm_target_socket<32> socket_{"absent_target"};
};

}  // namespace heddle
