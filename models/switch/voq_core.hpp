// Virtual output queues with cut-through: a packet waits only for its own output. One timed call a
// packet (its head is ready to leave), one more when an output wakes to serve a waiting input.
// What stages send shares each output round-robin with the inputs (SCIN 3.2).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/switch/emission.hpp"
#include "models/switch/switch_counters.hpp"
#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "transactors/arbitration/port_set.hpp"
#include "transactors/fabric/standstill.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_port.hpp"
#include "transactors/packet/packet_queue.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class packet_switch;
class stage_bay;
class unit_routes;
struct switch_parameters;

class voq_core final : public packet_receiver {
 public:
  voq_core(packet_switch& owner, const switch_parameters& p);

  // Every port is bound and routed; called once.
  void start();
  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  // Queues what a stage sends.
  void transmit(int port, const emission& sent);
  // Packets that wait for an output.
  std::uint64_t load_of(int port) const;
  // The packets at the heads of its queues.
  void add_waiting(std::vector<waiting_packet>& all) const;

  // For stages -----------------------------------------------------------------------------
  fs_t forwarding() const { return forwarding_; }
  // The packet came through port `from`, and its forwarding latency is over.
  void forward(packet& p, int from);
  // The packet has also passed the stages in the middle of the switch.
  void queue(packet& p, int from, int to);

  // One line for the hang report, "" when nothing waits.
  std::string waiting_for() const;

 private:
  // Packets between arrival and the instant when they may leave, in arrival order.
  struct alignas(64) input final : packet_receiver {
    input(voq_core& core, packet_port& port, bool has_middle);
    packet_granularity granularity() const override { return packet_granularity::packets; }
    void receive(packet_port& at, packet& arrived) override;
    void credits_returned(packet_port& at) override { core.credits_returned(at); }
    void forward();
    void forward_to_stages();  // of the middle
    void fetch() const { arriving.fetch_next(); }
    void fetch_whole() const { arriving.fetch_next_whole(); }

    voq_core& core;
    packet_port& port;
    const fs_t forwarding;
    timed_call ready;
    arrival_queue arriving;
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
  // What a packet that does not wait needs comes first.
  struct alignas(64) output {
    output(voq_core& core, packet_port& port, int inputs);
    void serve();
    bool serve_inputs(fs_t now);
    bool serve_stages(fs_t now);
    void take_turn(int input, int vc);
    void note_peaks() const;

    voq_core& core;
    packet_port& port;
    std::uint32_t waiting_vcs = 0;  // VCs with packets
    std::uint32_t length = 0;       // packets
    int next_vc = 0;
    bool is_turn_of_stages = false;
    const stage_bay* egress = nullptr;  // when it has stages there
    trace_signal<std::uint64_t> depth;
    transmissions<emission> emitted;  // by stages
    timed_call wake;
    int inputs;
    trace_signal<std::uint64_t> device_depth;
    std::array<waiting_vc, all_vcs> waiting;
  };

  int choose_output(packet& p);
  void pass_on(packet& ready, packet_port& from, output& out, fs_t now);
  void depart(packet& leaving, packet_port& from, output& out, fs_t now);
  void send(packet& leaving, output& out, fs_t now, fs_t tail_ready, int from);
  void enqueue(packet& waiting, int from, output& out, fs_t now);

  packet_switch& owner_;
  unit_routes* routes_ = nullptr;  // once started
  fs_t forwarding_;
  std::vector<std::unique_ptr<input>> inputs_;
  std::vector<std::unique_ptr<output>> outputs_;
};

}  // namespace heddle
