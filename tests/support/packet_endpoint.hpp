// A stimulus of the packet plane: sends packets as soon as wire and credits allow, records when
// they leave and what arrives, and frees the receive buffer when the test wants it.
#pragma once

#include <functional>
#include <vector>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class packet_endpoint final : public unit, private packet_receiver {
 public:
  struct arrival {
    fs_t called = 0;  // when receive() was called
    fs_t head = 0, tail = 0;
    packet_kind kind = packet_kind::none;
    std::uint32_t wire_bytes = 0, tag = 0;
    int vc = 0;
    endpoint_id source = 0;
  };
  struct departure {
    fs_t start = 0, end = 0;  // first and last byte on the wire
    std::uint32_t tag = 0;
  };

  explicit packet_endpoint(const unit_context& context,
                           packet_order relied_on = packet_order::by_flow)
      : unit(context),
        id(sim().service<fabric>().add_endpoint(*this, 0, 0, relied_on)),
        port(*this, *this, "port", 0),
        wake_(timed_call::to<packet_endpoint, &packet_endpoint::transmit>(*this)) {}

  void send(endpoint_id to, std::uint32_t wire_bytes, int vc, std::uint32_t tag) {
    packet& p = *take_packet();
    p.kind = vc * 2 < port.vcs() ? packet_kind::read_request : packet_kind::write_response;
    p.source = id;
    p.destination = to;
    p.wire_bytes = wire_bytes;
    p.vc = static_cast<std::uint8_t>(vc);
    p.tag = tag;
    send(p);
  }
  void send(packet& p) {
    waiting_.push(p);
    transmit();
  }

  // Frees the buffers of what has arrived and is kept, in order of arrival, from now on.
  void release_all() {
    while (!kept_.empty()) free_buffer(kept_.pop(), now_fs());
  }

  const endpoint_id id;
  packet_port port;
  std::vector<arrival> arrivals;
  std::vector<departure> departures;
  std::function<void(packet&)> on_arrival;
  bool keeps_buffers = false;  // false: a buffer is free when the packet's tail is there

 private:
  void receive(packet_port&, packet& p) override {
    arrivals.push_back({now_fs(), p.head, p.tail, p.kind, p.wire_bytes, p.tag, p.vc, p.source});
    if (on_arrival) on_arrival(p);
    if (keeps_buffers)
      kept_.push(p);
    else
      free_buffer(p, p.tail);
  }
  void free_buffer(packet& p, fs_t when) {
    port.release(p, when);
    give_back(&p);
  }
  void credits_returned(packet_port&) override { transmit(); }
  void transmit() {
    const fs_t now = now_fs();
    if (waiting_.empty()) return;
    if (port.free_at() > now) return wake_.at(port.free_at());
    packet* next = waiting_.pop_sendable(port, now);
    if (!next) return;
    const std::uint32_t tag = next->tag;
    const fs_t end = port.send(*next, now, now);
    departures.push_back({now, end, tag});
    if (!waiting_.empty()) wake_.at(port.free_at());
  }

  transmit_queue waiting_;
  packet_queue kept_;
  timed_call wake_;
};

}  // namespace heddle
