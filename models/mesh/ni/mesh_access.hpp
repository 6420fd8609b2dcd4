// An access that a network interface has taken and not answered yet.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "models/mesh/dma/beat_stream.hpp"
#include "platform/explain/running_cause.hpp"
#include "transactors/memory/extensions.hpp"
#include "transactors/packetizer/posted_access.hpp"

namespace heddle {

struct mesh_access {
  tlm::tlm_generic_payload* payload = nullptr;
  beat_stream* stream = nullptr;
  posted_access* posted = nullptr;  // nobody waits for it
  int initiator = -1;               // that gets BEGIN_RESP; -1: a thread waits
  sc_core::sc_event done;

  std::uint64_t address = 0, mask = 0;
  std::uint32_t bytes = 0;
  flit_op op = flit_op::unicast;
  bool is_read = false, is_atomic = false, is_word = false;
  mesh_position destination, position_mask;

  cycle_t not_before = 0;
  std::uint32_t transaction = 0;
  std::uint32_t number = 0;           // in the pool
  std::uint32_t beats = 0, sent = 0;  // `sent` counts the AW of a burst too
  std::uint32_t received = 0;
  cause why;
  std::uint64_t flits_before = 0;  // that the interface had sent, or got back
  bool is_error = false, is_finished = false;
};

class mesh_access_pool {
 public:
  mesh_access& take() {
    if (free_.empty()) {
      all_.push_back(std::make_unique<mesh_access>());
      all_.back()->number = static_cast<std::uint32_t>(all_.size() - 1);
      return *all_.back();
    }
    mesh_access& taken = *free_.back();
    free_.pop_back();
    return taken;
  }
  void give_back(mesh_access& used) {
    used.why = {};
    free_.push_back(&used);
  }

 private:
  std::vector<std::unique_ptr<mesh_access>> all_;
  std::vector<mesh_access*> free_;
};

}  // namespace heddle
