// Why packets start on a wire when they do. A packet that was ready before the one in front of it,
// of its own flow, was through, and the wire has not rested since: it starts because of that one.
// What its source has sent in between is serialization, what others have is queueing. Any other
// wait is queueing of its own, and waiting for credits from the moment on since which every packet
// of its virtual channel had to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/explain/cause.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

struct packet_start {
  fs_t now;
  fs_t end;            // its last byte is on the wire
  fs_t free_at;        // the wire was free
  fs_t starved_since;  // all packets of its virtual channel wait for credits; fs_never: they do not
  fs_t on_wire;        // its first byte has left what is in front of the wire
  fs_t arrival;        // and is at the far end
};

// Most packets touch the first line of the cache and that of their flow.
class alignas(64) start_causes {
 public:
  void set_wire(site_id wire) { wire_ = wire; }
  site_id wire() const { return wire_; }
  void set_front(site_id front) { front_ = front; }  // what is between the transmitter and the wire

  // Adds to the packet's cause. `after_others`: packets that leave no cause have started since the
  // last one that did.
  void explain(packet& sent, const packet_start& start, bool after_others);
  // Why the last packet of that source started when it did.
  const cause& latest(std::uint16_t source) const;

 private:
  using flow = std::uint32_t;  // source and kind
  static constexpr flow no_flow = UINT32_MAX;
  static flow flow_of(const packet& p) {
    return flow{p.source} << 8 | static_cast<std::uint8_t>(p.kind);
  }
  static bool has_source(flow any, std::uint16_t source) { return any >> 8 == source; }
  // The last packet of a flow.
  struct alignas(32) last_packet {
    cause why;  // it could start
    fs_t end = 0;
    std::uint64_t number = 0;  // among those that were explained; 0: there was none
  };
  static constexpr std::size_t known_flows = 8;  // as many share a wire at a time, or more

  std::size_t index_of(flow wanted) const;  // or of the flow that gives way to it
  std::size_t oldest() const;

  std::array<flow, known_flows> flows_ = no_flows();  // in no order
  fs_t busy_since_ = 0;                               // without a rest
  fs_t alone_since_ = 0;                              // only one source has sent
  site_id wire_ = 0;
  site_id front_ = 0;
  std::size_t latest_ = 0;  // flow that has sent

  std::array<last_packet, known_flows> last_{};  // by flow

  static std::array<flow, known_flows> no_flows() {
    std::array<flow, known_flows> none{};
    none.fill(no_flow);
    return none;
  }
};

}  // namespace heddle
