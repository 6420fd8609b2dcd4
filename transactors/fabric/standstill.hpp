// Packets that wait for each other in a circle, found in a run that has come to a standstill: the
// deadlock that the check of routes was told not to look for, or cannot see.
#pragma once

#include <string>
#include <vector>

#include "transactors/packet/packet_port.hpp"

namespace heddle {

// The packet at the head of a queue in a switch. It lies in the buffer behind the link that comes
// in at `held`, and wants to leave by `wanted`. A packet that a stage keeps in the buffer wants
// nothing.
struct waiting_packet {
  const packet_port* held;
  int held_vc;
  const packet_port* wanted = nullptr;
  int wanted_vc = 0;
  bool has_credits = false;
};

// A unit that forwards packets.
class packet_forwarder {
 public:
  virtual void add_waiting(std::vector<waiting_packet>& all) const = 0;

 protected:
  ~packet_forwarder() = default;
};

// A line for people: a circle, or else the buffers that stages keep full and the links that wait
// for them. "" where every packet may move sooner or later. Links are named by the ports that send
// over them.
std::string describe_deadlock(const std::vector<const packet_forwarder*>& forwarders);

}  // namespace heddle
