// A stage is a device in the pipeline of a switch: it sees packets on their way through the switch,
// whether they are addressed to it or not, and may let them pass, consume them, hold them, or emit
// packets of its own. README.md shows how to write one.
//
//   ingress  at an input port, before the forwarding latency and before the route is known
//   middle   in a middle pipe, after the forwarding latency, before the queues of the output;
//            port p of a switch belongs to pipe p mod `pipes`
//   egress   at an output port, when the output has chosen the packet and the wire is free
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "platform/explain/cause.hpp"
#include "platform/time/bandwidth.hpp"
#include "platform/time/fs_time.hpp"
#include "transactors/fabric/endpoint.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

enum class stage_place : std::uint8_t { ingress, middle, egress };
inline constexpr int stage_places = 3;

// Where a packet is while a stage has it. Ports are those of the switch.
struct stage_visit {
  static constexpr std::uint16_t no_port = 0xffff;

  stage_place place = stage_place::ingress;
  std::uint8_t position = 0;       // of the stage among those at this place
  std::uint16_t input = no_port;   // through which it came; no_port: a stage of this switch sent it
  std::uint16_t output = no_port;  // through which it will leave; no_port at ingress
  fs_t first = 0;                  // instant when its first byte is here
};

// What a stage states of itself. At ingress and in the middle the stage enforces latency and rate
// for what it takes (stage_line.hpp). At egress the switch enforces them for every packet of the
// port, because the packets keep their order on the wire.
struct stage_sheet {
  stage_place place = stage_place::ingress;
  fs_t latency = 0;
  bandwidth rate;       // of each port or pipe; as it is here: any number of bytes at once
  site_id charged = 0;  // the unit whose latency it is, for the critical path
  // Ports (at the middle: pipes) at which it sits; all of them when there are none here.
  std::vector<int> at;

  bool sits_at(int port) const {
    return at.empty() || std::find(at.begin(), at.end(), port) != at.end();
  }
};

// What a stage wants to know of a copy when it leaves, in numbers of its choice.
struct copy_order {
  std::uint32_t number = 0;
  std::uint16_t part = 0;
};

class stage {
 public:
  virtual stage_sheet sheet() const = 0;
  // Endpoints that it is: packets with the in-network-computing flag for one of them come to it
  // from every port, before any other stage sees them.
  virtual std::vector<endpoint_id> endpoints() const { return {}; }
  // Whether the packet is the stage's from now on; otherwise it goes on as if there were no stage.
  //   ingress  called inside the sender's activation: the first byte arrives at visit.first >= now
  //   middle   called at visit.first
  //   egress   called at visit.first; what the stage takes has left its receive buffer
  virtual bool intercept(const stage_visit& visit, packet& p) = 0;
  // It has its place in the switch: numbers of ports and pipes are known, links are not.
  virtual void on_attached() {}
  // A copy of `original` that it has ordered starts at that port now, transmitted() follows: a
  // packet of its own, as large and of the same virtual channel.
  virtual packet& copy(const packet& /*original*/, const copy_order& /*order*/) {
    std::abort();  // it orders none
  }
  // A packet that it emitted has started on the wire: its kind, and how many packets it stands for.
  virtual void transmitted(int /*port*/, packet_kind /*kind*/, std::uint32_t /*packets*/) {}

 protected:
  ~stage() = default;
};

}  // namespace heddle
