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
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  void inc_transmit(int port, packet& p) override;
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
  // Packets that wait for one output: a queue for each input and VC, found by bit mask.
  struct output {
    output(voq_core& core, packet_port& port, int inputs);
    packet_queue& queue(int input, int vc) { return queues[vc * inputs + input]; }
    void serve();
    bool serve_inputs(fs_t now);
    bool serve_devices(fs_t now);
    void take_turn(int input, int vc);

    voq_core& core;
    packet_port& port;
    int inputs;
    std::vector<packet_queue> queues;              // [vc][input]
    std::array<std::uint64_t, all_vcs> waiting{};  // inputs with packets, by vc
    std::uint32_t waiting_vcs = 0;                 // VCs with packets
    std::uint32_t length = 0;
    int next_vc = 0;
    std::array<std::uint8_t, all_vcs> next_input{};
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
