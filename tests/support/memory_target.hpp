// A target of the memory plane whose every answer the test decides. Unless told otherwise, accesses
// succeed after `latency`, non-blocking ones in the call.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <functional>
#include <vector>

#include "platform/unit/unit.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class memory_target final : public unit {
 public:
  struct access {
    fs_t when = 0;  // with the annotated delay
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };

  explicit memory_target(const unit_context& context)
      : unit(context), socket("in"), port_(*this, "in", socket) {
    socket.register_b_transport(this, &memory_target::b_transport);
    socket.register_nb_transport_fw(this, &memory_target::nb_transport_fw);
    socket.register_transport_dbg(this, &memory_target::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &memory_target::get_direct_mem_ptr);
  }

  tlm_utils::simple_target_socket<memory_target> socket;
  std::vector<access> accesses;
  fs_t latency = 0;
  bool answers_later = false;  // the test does what follows a non-blocking request
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> on_blocking;
  std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>
      on_forward;
  std::function<unsigned(tlm::tlm_generic_payload&)> on_debug;
  std::function<bool(tlm::tlm_generic_payload&, tlm::tlm_dmi&)> on_pointer;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    accesses.push_back({now_fs() + to_fs(delay), payload.get_command(), payload.get_address(),
                        payload.get_data_length()});
    answer(payload, delay);
  }
  void answer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    if (on_blocking) return on_blocking(payload, delay);
    delay += to_sc_time(latency);
    if (auto* atomic = payload.get_extension<atomic_extension>()) atomic->is_performed = true;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    accesses.push_back({now_fs() + to_fs(delay), payload.get_command(), payload.get_address(),
                        payload.get_data_length()});
    if (on_forward) return on_forward(payload, phase, delay);
    if (phase != tlm::BEGIN_REQ || answers_later) return tlm::TLM_ACCEPTED;
    answer(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    return on_debug ? on_debug(payload) : payload.get_data_length();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
    return on_pointer && on_pointer(payload, dmi);
  }

  memory_target_port port_;
};

}  // namespace heddle
