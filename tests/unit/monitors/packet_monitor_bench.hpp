// A monitor between two raw packet sockets, so that a test can send what no port ever would.
#pragma once

#include "tests/support/test_bench.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/monitors/packet_monitor.hpp"

namespace heddle {

// Both ends of the wire; the packets belong to the test.
class raw_wire final : public unit,
                       public packet_forward_interface,
                       public packet_backward_interface {
 public:
  explicit raw_wire(const unit_context& context) : unit(context) {
    transmit.bind(static_cast<packet_backward_interface&>(*this));
    receive.bind(static_cast<packet_forward_interface&>(*this));
  }

  tlm::tlm_sync_enum nb_transport_fw(packet&, packet_phase&, sc_core::sc_time&) override {
    ++heads;
    return answer;
  }
  tlm::tlm_sync_enum nb_transport_bw(packet&, packet_phase&, sc_core::sc_time&) override {
    ++credits;
    return answer;
  }
  void b_transport(packet&, sc_core::sc_time&) override {}
  unsigned transport_dbg(packet&) override { return 0; }
  bool get_direct_mem_ptr(packet&, tlm::tlm_dmi&) override { return false; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  packet_initiator_socket transmit{"transmit"};
  packet_target_socket receive{"receive"};
  tlm::tlm_sync_enum answer = tlm::TLM_ACCEPTED;
  int heads = 0, credits = 0;
};

// 1 B/ps, 10 ns long, two virtual channels with 256 B each. Endpoint 0 sends, 1 receives.
class packet_monitor_bench : public test_bench {
 public:
  packet_monitor_bench()
      : wire(add_stimulus<raw_wire>("wire")),
        other(add_stimulus<raw_wire>("other")),
        monitor_("monitor", "a -> b", {bandwidth(1'000'000'000'000), 10 * fs_per_ns, 2, 256}, wire,
                 other) {
    sim.service<fabric>().add_endpoint(wire, 0, 0);
    sim.service<fabric>().add_endpoint(other, 0, 0);
    wire.transmit.bind(monitor_.from_sender);
    monitor_.to_receiver.bind(wire.receive);
    other.transmit.bind(other.receive);
  }

  // A write request of 80 B that breaks no rule when it starts at `start`.
  packet request(fs_t start, std::uint32_t tag = 0) const {
    packet p;
    p.kind = packet_kind::write_request;
    p.source = 0;
    p.destination = 1;
    p.tag = tag;
    p.payload_bytes = 64;
    p.wire_bytes = 80;
    p.carries_data = false;
    p.head = start + 10 * fs_per_ns;
    p.tail = p.head + 80 * fs_per_ps;
    return p;
  }
  void send(packet& p, fs_t delay = 10 * fs_per_ns) {
    packet_phase phase = packet_phase::head;
    sc_core::sc_time annotated = to_sc_time(delay);
    wire.transmit->nb_transport_fw(p, phase, annotated);
  }
  void give_credit(packet& p, fs_t delay = 0) {
    packet_phase phase = packet_phase::credit;
    sc_core::sc_time annotated = to_sc_time(delay);
    wire.receive->nb_transport_bw(p, phase, annotated);
  }

  raw_wire& wire;
  raw_wire& other;

 private:
  packet_monitor monitor_;
};

}  // namespace heddle
