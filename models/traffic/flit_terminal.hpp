// A terminal of synthetic traffic on the flit plane: injects packets flit by flit and takes those
// that arrive, on the same port. It measures what the literature plots: latency against offered
// load, and accepted load.
//
//   latency          from the creation of a packet to the arrival of its tail flit
//   network latency  from its head leaving the source queue to the arrival of its tail flit
//
// Both count packets created in the window that starts after `warmup` and lasts `measure`. Creation
// goes on for `cooldown` after the window, so that the last measured packets meet the same load.
// The VC of a packet is the next in turn with a credit when its head leaves; a VC may take the next
// packet as soon as the tail is out. Whoever derives from this says where packets go.
//
// Limitations: an arriving flit is taken at once; latencies above 2^31 cycles are not measured.
#pragma once

#include <string>

#include "models/traffic/creation_process.hpp"
#include "models/traffic/packet_destinations.hpp"
#include "models/traffic/traffic_data_sheet.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/flit/flit_port.hpp"

namespace heddle {

class flit_terminal : public unit {
 public:
  using concurrent = void;     // members may be evaluated at the same time
  bool evaluate(cycle_t now);  // sends in one clock cycle; whether it may send in the next one
  std::string waiting_for() const override;

 protected:
  flit_terminal(const unit_context& context, const traffic_schedule& p, arrival_counters& counters);

  creation_limit limit() const {
    return {clock_.domain().start_of(last_creation_), clock_.domain().period()};
  }
  // For destinations that have been started. If they follow a trace, the load that it offers in the
  // window replaces the one in that entry of the traffic directory. Returns whether any packet is
  // created.
  bool start_creation(const packet_destinations& to, std::size_t entry);
  // The cycle in which the next packet is created, by their trace if there is one.
  cycle_t creation_of(const packet_destinations& to, random_stream& random);
  // Packets for `address` are this terminal's; they come in by `sink` if there is one. Every port
  // of the netlist is joined.
  void start(mesh_position address, bool sends = true, flit_port* sink = nullptr);

  // The cycle in which the next packet is created; `never` when there will be none.
  virtual cycle_t next_creation(random_stream& random) { return creation_.next(random); }
  virtual mesh_position next_destination(random_stream& random) = 0;
  // A packet of the window has arrived, after that latency.
  virtual void measured(const flit& tail, fs_t latency) = 0;
  virtual std::string name_of(mesh_position address) const = 0;  // for reports

  static constexpr cycle_t never = creation_process::never;
  // What arrives at a port of its own comes in behind the channels of `port`.
  static constexpr int sink_channel = flit_port::most_vcs;

  // Takes what arrives, and keeps what it needs for that. It is a member of the clock domain beside
  // the one that sends: nobody could predict which of the two a terminal has to do in a cycle.
  struct receiver {
    using concurrent = void;
    explicit receiver(flit_terminal& owner) : terminal(owner) {}
    void evaluate(cycle_t now);

    flit_terminal& terminal;
    flit_channel* channels = nullptr;  // of the port by which packets come in
    flit_receiver end;                 // the same
  };

  clock_member clock_, receiver_clock_;

 private:
  void plan_next_packet();
  void send(cycle_t now);
  bool send_head(cycle_t now);
  bool send_tail(cycle_t now);
  bool end_packet(cycle_t now);
  bool choose_vc(cycle_t now);
  void receive_last(const flit& arrived, cycle_t now);
  void record(const flit& tail, cycle_t created, cycle_t now);
  void refuse(const flit& arrived);
  bool is_in_window(cycle_t cycle) const { return cycle >= window_start_ && cycle < window_end_; }

  arrival_counters& counters_;
  mesh_position address_;
  std::uint32_t packet_flits_;
  random_stream random_;
  creation_process creation_;
  cycle_t window_start_, window_middle_, window_end_, last_creation_;
  bool drains_;

  cycle_t created_ = never;  // of the packet in turn
  flit next_;
  int vc_ = 0;  // of that packet
  std::uint32_t flits_left_ = 0;

 protected:
  arrival_wheel arrivals_;  // behind the others: it begins a line of the cache
  receiver receiver_{*this};
  flit_port port_;
};

}  // namespace heddle
