// Every terminal of synthetic traffic, for results: models that have some enter themselves.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/services/latency_histogram.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

// Who a terminal is among those of its fabric, and to whom it may send. Asked after the run, where
// terminals differ by more than their indices.
class traffic_source {
 public:
  struct place {
    const void* fabric;
    std::uint16_t number;
  };
  virtual place exchange_place() const = 0;
  virtual std::vector<std::uint16_t> addressed() const = 0;  // numbers

 protected:
  ~traffic_source() = default;
};

struct window_halves {
  std::array<std::uint64_t, 2> packets{};
  std::array<double, 2> latency{};  // summed, fs
};

struct traffic_terminal {
  std::string unit;  // path
  const traffic_source* source = nullptr;
  double offered = 0;  // flits a cycle
  std::uint64_t packet_flits = 1;
  fs_t cycle = 0;
  fs_t from = 0, window = 0;                     // the measurement begins then, and lasts that long
  const statistic* accepted = nullptr;           // flits that arrived within the window
  const statistic* packets = nullptr;            // measured ones; of these are ...
  const summed_time* latency = nullptr;          // ... the sum, creation to last flit
  const summed_time* network_latency = nullptr;  // ... the sum, from leaving the source's queue
  const statistic* min_network_latency = nullptr;
  const statistic* hops = nullptr;  // ... the sum; null where nobody counts them
  const window_halves* halves = nullptr;
};

// A terminal whose traffic is in packets.
struct packet_terminal {
  std::string unit;  // path
  const traffic_source* source = nullptr;
  double offered = 0, link = 0;             // bytes a second
  std::uint32_t wire_bytes = 0;             // of a packet, or of a train
  fs_t from = 0, to = fs_never;             // the window; fs_never: until the run ends
  bool is_closed_loop = false;              // waits for responses: offers less than it might
  const statistic* window_bytes = nullptr;  // that arrived within the window
  const statistic* measured = nullptr;      // packets created within it; of these are ...
  const summed_time* latency = nullptr;     // ... the sum, creation to last byte
  const statistic* min_latency = nullptr;   // ... the extremes of the same
  const statistic* max_latency = nullptr;
  const summed_time* network_latency = nullptr;  // ... the sum, from leaving the source's queue
  const statistic* min_network_latency = nullptr;
  const statistic* reordered = nullptr;
  const latency_histogram* latencies = nullptr;
};

// One per run: simulation::service<traffic_directory>().
struct traffic_directory {
  std::vector<traffic_terminal> terminals;  // whose traffic is in flits
  std::vector<packet_terminal> packet_terminals;
};

}  // namespace heddle
