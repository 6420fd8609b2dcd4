// A target socket in front of a register file, with its port: what every unit with registers has.
#pragma once

#include <string>

#include "platform/registers/register_file.hpp"
#include "transactors/memory/direct_target_socket.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class register_socket {
 public:
  register_socket(unit& owner, const std::string& name, register_file& registers)
      : socket_(name.c_str(), access{&registers}), port_(owner, name, socket_) {}

 private:
  struct access {
    register_file* registers;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
      registers->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
      return registers->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.allow_none();
      return false;
    }
    // Registers answer at once. The annotated time is kept from them: they might wait for it.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
      if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
      sc_core::sc_time taken;
      registers->b_transport(payload, taken);
      delay += taken;
      return tlm::TLM_COMPLETED;
    }
  };

  direct_target_socket<access> socket_;
  memory_target_port port_;
};

}  // namespace heddle
