// What direct_target_socket and passing_target_socket have in common: a target socket whose calls
// go straight to a handler's members. The convenience sockets put two or three indirect calls
// between, which is what a register access behind a bus costs most.
//
// Handler has b_transport(payload, delay), transport_dbg(payload), get_direct_mem_ptr(payload,
// dmi), nb_transport_fw(payload, phase, delay). The derived socket answers on debug transport,
// where it says what the target knows.
#pragma once

#include <tlm>
#include <utility>

namespace heddle {

template <class Handler>
class handler_target_socket : public tlm::tlm_target_socket<32>,
                              protected tlm::tlm_fw_transport_if<> {
 protected:
  handler_target_socket(const char* name, Handler handler)
      : tlm::tlm_target_socket<32>(name), handler_(std::move(handler)) {
    this->bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

  Handler handler_;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) final {
    handler_.b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final {
    return handler_.nb_transport_fw(payload, phase, delay);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) final {
    return handler_.get_direct_mem_ptr(payload, dmi);
  }
};

}  // namespace heddle
