// Every wire of the run, one record a direction, for results: the layer that owns links adds them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "platform/time/fs_time.hpp"
#include "platform/unit/port.hpp"

namespace heddle {

class unit;

// What a wire has carried so far.
struct link_figures {
  std::uint64_t packets = 0;
  std::uint64_t bytes = 0;  // on the wire
  std::uint64_t payload = 0;
  fs_t busy = 0;  // up to now: not what is still on the wire then
  std::uint64_t credit_stalls = 0;
};

// Whoever sends on a wire tells what it has carried.
class counted_wire {
 public:
  virtual link_figures figures() const = 0;

 protected:
  ~counted_wire() = default;
};

struct link_record {
  const port *from = nullptr, *to = nullptr;
  const counted_wire* wire = nullptr;
  std::uint64_t bytes_per_second = 0;
  fs_t latency = 0;
  // When a packet started on it last. Nobody keeps that of flits: for their links it is when any
  // unit of their clock domain was evaluated last, and may have sent one.
  const fs_t* last_start = nullptr;
  std::uint64_t buffer_bytes = 0;    // at its far end, of a virtual channel
  std::uint64_t covering_bytes = 0;  // a buffer that keeps the wire busy: bandwidth x round trip

  std::string name() const { return from->path() + " -> " + to->path(); }
  link_figures figures() const { return wire->figures(); }
};

// What payload weighs on the links of an endpoint, in full packets.
struct endpoint_wires {
  double bytes_per_second = 0;  // of all its links together, each way; 0: a device in the network
  double data = 1;              // bytes on the wire for a byte of payload
  double response = 0;          // and the other way, for the response to its packet
};

struct link_directory {
  std::deque<link_record> links;  // that of a large mesh has hundreds of thousands

  // Of endpoints whose memory others reach, and of devices in the network that make packets.
  std::unordered_map<const unit*, endpoint_wires> endpoints;

  // Bytes per second of the widest and of the narrowest link; 0 without links.
  double widest() const {
    std::uint64_t most = 0;
    for (const link_record& each : links) most = std::max(most, each.bytes_per_second);
    return static_cast<double>(most);
  }

  double narrowest() const {
    std::uint64_t least = links.empty() ? 0 : UINT64_MAX;
    for (const link_record& each : links) least = std::min(least, each.bytes_per_second);
    return static_cast<double>(least);
  }

  std::uint64_t wire_bytes() const {
    std::uint64_t sum = 0;
    for (const link_record& each : links) sum += each.figures().bytes;
    return sum;
  }
};

// Whether any wire carries something. A watch starts at every poll, and costs nothing then.
class wire_watch {
 public:
  explicit wire_watch(const link_directory& directory) : directory_(directory) {}

  void start(fs_t now) { since_ = now; }
  fs_t since() const { return since_; }
  // Something has started since.
  bool has_seen_traffic() const {
    return std::any_of(directory_.links.begin(), directory_.links.end(),
                       [this](const link_record& each) { return *each.last_start > since_; });
  }

 private:
  const link_directory& directory_;
  fs_t since_ = 0;
};

}  // namespace heddle
