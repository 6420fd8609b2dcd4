// Every wire of the run, one record a direction, for results: the layer that owns links adds them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

struct link_record {
  std::string from, to;  // port paths
  std::uint64_t bytes_per_second = 0;
  fs_t latency = 0;
  const statistic* packets = nullptr;
  const statistic* bytes = nullptr;  // on the wire
  const statistic* payload = nullptr;
  const statistic* busy = nullptr;
  const statistic* credit_stalls = nullptr;
  std::uint64_t buffer_bytes = 0;  // at its far end, of a virtual channel
};

struct link_directory {
  std::vector<link_record> links;

  // Payload bytes per second that an endpoint can send: while it receives as much (every packet
  // then also costs a response on the way out), and while it only sends. 0 when unknown.
  double duplex_payload_rate = 0;
  double simplex_payload_rate = 0;

  // Bytes per second of the widest link; 0 without links.
  double widest() const {
    std::uint64_t most = 0;
    for (const link_record& each : links) most = std::max(most, each.bytes_per_second);
    return static_cast<double>(most);
  }

  std::uint64_t wire_bytes() const {
    std::uint64_t sum = 0;
    for (const link_record& each : links) sum += each.bytes->raw();
    return sum;
  }
};

}  // namespace heddle
