// Reads an access on the memory plane: where its flits go, which collective it is part of, or why
// it is refused. Words take part in a collective when their address has `alias` added: mask and
// operation are those of the registers. Bursts say it themselves (beat_stream.hpp). An address mask
// becomes an X and a Y mask (mesh_map.hpp).
#pragma once

#include <string>

#include "models/mesh/ni/interface_tile.hpp"
#include "models/mesh/ni/mesh_access.hpp"
#include "models/mesh/ni/network_interface_regs.hpp"

namespace heddle {

class access_intake {
 public:
  // Tile and registers must outlive it.
  access_intake(interface_tile& tile, network_interface_registers& registers, std::uint64_t alias)
      : tile_(tile), registers_(registers), alias_(alias) {}

  // Fills the access in. False: refused, the payload has an error response.
  bool read(mesh_access& access, tlm::tlm_generic_payload& payload);

 private:
  void fill(mesh_access& access, tlm::tlm_generic_payload& payload) const;
  bool is_well_formed(const mesh_access& access) const;
  bool aim(mesh_access& access);
  const char* why_nowhere(const mesh_access& access) const;
  bool refuse(const mesh_access& access, const std::string& what);  // false
  bool refuse_unstated(const mesh_access& access);  // by the alias, while there is no operation

  interface_tile& tile_;
  network_interface_registers& registers_;
  const std::uint64_t alias_;
};

}  // namespace heddle
