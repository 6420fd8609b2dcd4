// What all terminals of synthetic traffic have in common: when they create packets, and what they
// count of those that arrive.
#pragma once

#include <cstdint>

#include "platform/services/traffic_directory.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

struct window_parameters : parameter_set {
  parameter<duration> warmup{*this, "warmup", 5_us, "before the measurement",
                             "queues settle within 5000 cycles"};
  parameter<duration> measure{*this,
                              "measure",
                              20_us,
                              within(1_fs, 100000_ms),
                              "window in which created packets and arriving ones are measured",
                              "a few per cent of noise at moderate load"};
  parameter<duration> cooldown{*this, "cooldown", 2_us, "creation of packets behind the window",
                               "longer than the latency of the last measured packets"};
};

struct traffic_schedule : window_parameters {
  parameter<double> rate{
      *this, "rate", 0.1, within(0.0, 1.0), "offered load in flits a cycle", "a light load"};
  parameter<double> burst{*this,
                          "burst",
                          1,
                          within(1.0, 1e6),
                          "mean packets of a burst, which are created cycle by cycle; `rate` stays",
                          "1: a Bernoulli process"};
  parameter<std::uint64_t> packet_flits{*this,
                                        "packet_flits",
                                        1,
                                        within(1, 4096),
                                        "flits of a packet, head and tail included",
                                        "shortest packet"};
  parameter<duration> cycle{
      *this, "cycle", 1_ns, within(1_fs, 1_ms), "clock period; a flit takes one cycle", "1 GHz"};
  parameter<bool> drain{
      *this, "drain", true,
      "whether the run lasts until every packet has arrived; off: it ends with "
      "the cooldown, and latencies are those of packets that have arrived by then",
      "mean latencies need all packets"};
};

struct arrival_counters : statistic_set {
  statistic packets_sent{*this, "packets_sent", quantity::count, "packets injected"};
  statistic flits_sent{*this, "flits_sent", quantity::count, "flits injected"};
  statistic packets_received{*this, "packets_received", quantity::count,
                             "packets that arrived here"};
  statistic flits_received{*this, "flits_received", quantity::count, "flits that arrived here"};
  statistic window_flits{*this, "window_flits", quantity::count,
                         "flits that arrived within the window: the accepted load"};
  statistic measured{*this, "measured", quantity::count,
                     "packets that were created in the window and arrived here"};
  summed_time latency{*this, "latency", "summed latency of the measured packets"};
  summed_time network_latency{*this, "network_latency",
                              "summed network latency of the measured packets"};
  statistic min_network_latency{*this, "min_network_latency", quantity::time,
                                "smallest network latency of them"};

  // Of the measured packets, by the half of the window in which they were created.
  window_halves halves;
};

// A statistic starts at 0, which is no minimum of anything.
inline void lower_to(statistic& smallest, fs_t value, bool is_first) {
  if (is_first || value < smallest.raw()) smallest += value - smallest.raw();
}

// The terminal's figures become part of the results. `hops`: of the measured packets, if counted.
inline void enter_traffic(const unit& terminal, const traffic_source& source,
                          const traffic_schedule& schedule, const arrival_counters& counters,
                          const statistic* hops = nullptr) {
  terminal.sim().service<traffic_directory>().terminals.push_back(
      {terminal.path(), &source, schedule.rate(), schedule.packet_flits(), schedule.cycle().fs,
       schedule.warmup().fs, schedule.measure().fs, &counters.window_flits, &counters.measured,
       &counters.latency, &counters.network_latency, &counters.min_network_latency, hops,
       &counters.halves});
}

}  // namespace heddle
