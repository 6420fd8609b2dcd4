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
      : socket_(name.c_str()), port_(owner, name, socket_) {
    socket_.register_b_transport(&registers, &register_file::b_transport);
    socket_.register_transport_dbg(&registers, &register_file::transport_dbg);
  }

 private:
  tlm_utils::simple_target_socket<register_file> socket_;
  memory_target_port port_;
};

}  // namespace heddle
