// Virtual output queues with cut-through: a packet waits only for its own output. One timed call a
// packet (its head is ready to leave), one more when an output wakes to serve a waiting input.
// In-network devices share each output round-robin with the inputs (SCIN 3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/switch/switching_core.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "transactors/arbitration/port_set.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class packet_switch;
struct switch_parameters;

class voq_core final : public switching_core {
 public:
  voq_core(packet_switch& owner, const switch_parameters& p);

  void start() override;
  bool takes_devices() const override { return true; }
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  void inc_transmit(int port, packet& p) override;
  std::uint64_t load_of(int port) const override;
  void add_waiting(std::vector<waiting_packet>& all) const override;
  std::string waiting_for() const override;

 private:
  // Packets between arrival and the instant when they may leave, in arrival order.
  struct input {
    input(voq_core& core, packet_port& port);
    void forward();

    voq_core& core;
    packet_port& port;
    arrival_queue arriving;
    timed_call ready;
  };
  // The packets of one VC that wait for one output: a queue for each input. The queues come into
  // being with the first packet, because most pairs of VC and output of a large switch have none.
  struct waiting_vc {
    void open(int ports) {
      queues.resize(static_cast<std::size_t>(ports));
      inputs = port_set(ports);
    }
    std::vector<packet_queue> queues;  // by input
    port_set inputs;                   // with packets
    int next_input = 0;
  };
  struct output {
    output(voq_core& core, packet_port& port, int inputs);
    void serve();
    bool serve_inputs(fs_t now);
    bool serve_devices(fs_t now);
    void take_turn(int input, int vc);

    voq_core& core;
    packet_port& port;
    int inputs;
    std::array<waiting_vc, all_vcs> waiting;
    std::uint32_t waiting_vcs = 0;  // VCs with packets
    std::uint32_t length = 0;
    int next_vc = 0;
    transmit_queue devices;  // packets of in-network devices
    bool is_turn_of_devices = false;
    timed_call wake;
    trace_signal<std::uint64_t> depth, device_depth;
  };

  void depart(packet& leaving, packet_port& from, output& out, fs_t now);
  void enqueue(packet& waiting, int from, output& out, fs_t now);

  packet_switch& owner_;
  fs_t forwarding_;
  std::vector<std::unique_ptr<input>> inputs_;
  std::vector<std::unique_ptr<output>> outputs_;
};

}  // namespace heddle
