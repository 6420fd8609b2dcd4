// Writes registers as firmware does: contracts bind it, and engines own buffers for what it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/buffers/buffer_watch.hpp"
#include "platform/contracts/access_origin.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/support/memory_initiator.hpp"

namespace heddle {

class played_firmware final : public access_initiator {
 public:
  explicit played_firmware(memory_initiator& core) : core_(core) { origin_.initiator = this; }

  void write(std::uint64_t address, std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
    payload.set_extension(&origin_);
    core_.transport(payload, 0);
    payload.clear_extension(&origin_);
  }

 private:
  const std::string& initiator_path() const override { return core_.path(); }
  code_line line_at(const code_point&) const override { return {}; }

  memory_initiator& core_;
  access_origin origin_;
};

struct owned_buffer {
  buffer_use use;
  std::uint64_t first, bytes;
  bool operator==(const owned_buffer& other) const {
    return use == other.use && first == other.first && bytes == other.bytes;
  }
};

// What engines own in the only memory of the simulation, in the order in which they took it.
inline std::vector<owned_buffer> owned_buffers(simulation& sim) {
  std::vector<owned_buffer> all;
  for (const buffer_claim& each : sim.service<buffer_directory>().shadows.at(0)->claims())
    all.push_back({each.use, each.first, each.last - each.first + 1});
  return all;
}

}  // namespace heddle
