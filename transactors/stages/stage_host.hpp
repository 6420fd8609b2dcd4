// What a switch offers its stages. A stage reaches it through its stage_port.
#pragma once

#include "transactors/fabric/unit_routes.hpp"
#include "transactors/packet/packet_port.hpp"
#include "transactors/stages/stage.hpp"

namespace heddle {

class stage_host {
 public:
  virtual const unit& stage_unit() const = 0;
  virtual int port_count() const = 0;
  virtual packet_port& port_at(int port) = 0;
  virtual int pipe_count() const = 0;
  // The port by which this switch sends such a packet on, and the virtual channel of the link
  // behind it; port -1 when there is no way.
  virtual route_hop hop_of(const packet& p) = 0;

  // Takes the stage into the pipeline, behind those that are there, and returns its number. Throws
  // user_error where the switch has no such place.
  virtual int attach(stage& added) = 0;
  // Queues the packet at the port. packet::tail is the instant when the stage has its last byte.
  virtual void emit(int stage_number, int port, packet& p) = 0;
  // Queues a copy, which the stage makes when it leaves; `original` stays as it is until then.
  virtual void emit_copy(int stage_number, int port, packet& original, const copy_order& order) = 0;
  // A packet that was intercepted, and whose receive buffer was not released, goes on from its
  // place: visit.first must be now, head and tail of the packet as if it had just come.
  virtual void resume(const stage_visit& visit, packet& p) = 0;

 protected:
  ~stage_host() = default;
};

}  // namespace heddle
