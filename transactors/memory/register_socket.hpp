// A target socket in front of a register file, with its port: what every unit with registers has.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "platform/registers/register_file.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class register_socket {
 public:
  register_socket(unit& owner, const std::string& name, register_file& registers)
      : registers_(registers), socket_(name.c_str()), port_(owner, name, socket_) {
    socket_.register_b_transport(this, &register_socket::b_transport);
    socket_.register_transport_dbg(this, &register_socket::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    registers_.b_transport(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    if (auto* asked = payload.get_extension<address_name_extension>()) {
      const std::string name = registers_.register_name(payload.get_address());
      asked->name = registers_.path() + (name.empty() ? "" : " " + name);
    }
    return registers_.transport_dbg(payload);
  }

  register_file& registers_;
  tlm_utils::simple_target_socket<register_socket> socket_;
  memory_target_port port_;
};

}  // namespace heddle
