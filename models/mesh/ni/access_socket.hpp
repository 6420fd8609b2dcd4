// The socket `in` of a network interface: accesses of the tile's initiators to other tiles. A
// thread waits for the response, unless it posts a word; non-blocking initiators get BEGIN_RESP.
// Debug accesses reach the interface of the tile that holds the address without links and time.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>

#include "models/mesh/ni/access_intake.hpp"
#include "models/mesh/ni/request_side.hpp"
#include "platform/pool/object_pool.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/response_gates.hpp"

namespace heddle {

class access_socket final : private request_side::client {
 public:
  // Makes the port `in`. All must outlive it.
  access_socket(interface_tile& tile, access_intake& intake, request_side& requests);

 private:
  void b_transport(int from, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(int from, tlm::tlm_generic_payload& payload,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned transport_dbg(int from, tlm::tlm_generic_payload& payload);
  void post(tlm::tlm_generic_payload& payload, posted_issuer& issuer, fs_t when);
  void access_ends(mesh_access& done) override;

  interface_tile& tile_;
  access_intake& intake_;
  request_side& requests_;
  tlm_utils::multi_passthrough_target_socket<access_socket> socket_;
  memory_target_port port_;
  object_pool<mesh_access, 4> accesses_;
  object_pool<posted_access, 4> posted_;
  response_gates<tlm_utils::multi_passthrough_target_socket<access_socket>> responses_{socket_};
};

}  // namespace heddle
