// The hub's way to the memory of its GPU. Where memory refuses an access the layer has failed with
// BUS, and the caller stops: access() returns fs_never then, debug() false.
#pragma once

#include <cstdint>

#include "models/gpu/hub/layer_status.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/no_data.hpp"
#include "transactors/memory/prompt_requester.hpp"
#include "transactors/packet/payload.hpp"

namespace heddle {

class hub_memory {
 public:
  // `longest`: bytes of the longest access.
  hub_memory(unit& owner, layer_status& status, std::size_t longest)
      : status_(status),
        requester_("memory", owner),
        port_(owner, "memory", requester_.socket()),
        no_data_(owner.sim().service<no_data>().room_for(longest)) {}

  // Starts at `start`, and returns when it is done. An empty slice: the bytes are not carried.
  fs_t access(tlm::tlm_command command, std::uint64_t address, const payload_slice& data,
              std::uint32_t bytes, fs_t start);
  // Takes no simulated time.
  bool debug(tlm::tlm_command command, std::uint64_t address, void* data, std::uint64_t bytes);

 private:
  void fail(tlm::tlm_command command, std::uint64_t address, std::uint64_t bytes);

  layer_status& status_;
  prompt_requester requester_;
  memory_initiator_port port_;
  void* const no_data_;  // what payloads point to when data is off
};

}  // namespace heddle
