// A terminal of synthetic traffic: injects packets flit by flit and takes those that arrive, on the
// same port. It measures what the literature plots: latency against offered load, and accepted
// load.
//
//   latency          from the creation of a packet to the arrival of its tail flit
//   network latency  from its head leaving the source queue to the arrival of its tail flit
//
// Both count packets created in the window that starts after `warmup` and lasts `measure`. A flit
// arrives when its first byte does. Creation goes on for `cooldown` after the window, so that the
// last measured packets meet the same load. The VC of a packet is the next in turn with a credit
// when its head leaves; a VC may take the next packet as soon as the tail is out.
//
// Limitations: an arriving flit is taken at once, its credit returns without delay; rates are
// those of a Bernoulli process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/traffic/bernoulli_process.hpp"
#include "models/traffic/destination_pattern.hpp"
#include "models/traffic/traffic_data_sheet.hpp"
#include "platform/time/agenda.hpp"
#include "platform/unit/registry.hpp"

namespace heddle {

struct traffic_parameters : traffic_schedule {
  traffic_parameters() { to.itself.set(true); }

  destination_parameters to{*this};
  parameter<std::uint64_t> hot_endpoint{*this,
                                        "hot_endpoint",
                                        0,
                                        within(0, 65535),
                                        "all2one: the number of the terminal to which all goes",
                                        "the first terminal"};
  parameter<byte_size> flit{*this,     "flit", 16_B, within(1_B, 4_KiB), "bytes of one flit",
                            "SCIN 4.1"};
};

struct traffic_counters : arrival_counters {
  statistic min_latency{*this, "min_latency", quantity::time, "smallest latency"};
  statistic max_latency{*this, "max_latency", quantity::time, "largest latency"};
  statistic max_network_latency{*this, "max_network_latency", quantity::time,
                                "largest network latency"};
};

class traffic_node final : public unit, private packet_receiver {
 public:
  using parameters = traffic_parameters;
  using counters = traffic_counters;
  static std::vector<port_description> port_descriptions();

  traffic_node(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const traffic_counters& count() const { return counters_; }
  std::string waiting_for() const override;

 private:
  void on_connected() override;
  packet_granularity granularity() const override { return packet_granularity::flits; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;

  void inject();  // one clock cycle
  void plan_next_packet();
  bool choose_vc(fs_t now);
  void send_flit(fs_t now);
  void record(const packet& tail);
  bool is_in_window(fs_t t) const { return t >= window_start_ && t < window_end_; }

  traffic_counters counters_;
  destination_pattern pattern_;
  const std::size_t hot_terminal_;
  random_stream random_;
  bernoulli_process creation_;
  packet_port port_;
  endpoint_id self_;
  fs_t cycle_, window_start_, window_end_, last_creation_;
  std::uint32_t flit_bytes_;
  std::uint32_t packet_flits_;

  timed_call injection_;
  fs_t next_turn_ = 0;       // the next flit leaves no earlier
  fs_t created_ = fs_never;  // of the packet that is sent, or waits to be
  fs_t injected_ = 0;
  endpoint_id destination_ = 0;
  std::uint32_t flits_left_ = 0;
  packet probe_;  // asks for credits; its VC is the packet's
};

}  // namespace heddle
