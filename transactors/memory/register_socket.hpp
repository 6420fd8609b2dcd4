// A target socket in front of a register file, with its port: what every unit with registers has.
#pragma once

#include <string>

#include "platform/registers/register_file.hpp"
#include "transactors/memory/direct_target_socket.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class register_socket {
 public:
  register_socket(unit& owner, const std::string& name, register_file& registers)
      : socket_(name.c_str(), access{&registers}), port_(owner, name, socket_) {}

 private:
  struct access {
    static constexpr bool completes_at_once = true;
    register_file* registers;

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return ignore(payload, delay);
      registers->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return registers->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.allow_none();
      return false;
    }
    // Registers answer at once. The annotated time is kept from them in a thread, where they might
    // wait for it.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
      if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
      if (delay == sc_core::SC_ZERO_TIME || !is_thread()) {
        b_transport(payload, delay);
        return tlm::TLM_COMPLETED;
      }
      sc_core::sc_time taken;
      b_transport(payload, taken);
      delay += taken;
      return tlm::TLM_COMPLETED;
    }
    static bool is_thread() {
      return sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_THREAD_PROC_;
    }
    // Nothing to be done, and that succeeds; an atomic is refused by the registers.
    [[gnu::noinline]] void ignore(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      if (payload.get_extension<atomic_extension>()) return registers->b_transport(payload, delay);
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  };

  direct_target_socket<access> socket_;
  memory_target_port port_;
};

}  // namespace heddle
