// An access that a network interface has taken and not answered yet.
#pragma once

#include <systemc>

#include "models/mesh/beat_stream.hpp"
#include "platform/explain/running_cause.hpp"
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
  std::uint32_t pool_index = 0;       // by which the pool finds it
  std::uint32_t beats = 0, sent = 0;  // `sent` counts the AW of a burst too
  std::uint32_t received = 0;
  cause why;
  std::uint64_t flits_before = 0;  // that the interface had sent, or got back
  bool is_error = false, is_finished = false;

  void clear() { why = {}; }  // the rest is set anew by who takes it
};

}  // namespace heddle
