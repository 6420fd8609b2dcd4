// The paths of a fabric between the ranks of a job: how long the first byte takes, and which links
// carry how much of what one sends to another. Found when they are asked for; a service of the
// simulation, of a closed fabric.
//
// Limitations: where the fabric spreads packets over equal paths, each has its share, whatever
// spreads them; what switches do with a packet beyond its forwarding latency is not counted.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "transactors/fabric/fabric.hpp"

namespace heddle {

struct shared_link {
  std::uint32_t number;  // of rank_paths::seconds_of()
  double share;          // of the bytes from end to end
};

struct rank_path {
  double latency = 0;  // s, of the longest of equal paths, the work of endpoints included
  std::vector<shared_link> links;
};

class rank_paths {
 public:
  const rank_path& between(fabric& net, endpoint_id from, endpoint_id to);
  // For so many bytes, one after the other. What the buffer at the far end does not hold waits for
  // credits, where those take longer to come back than the buffer takes to fill.
  double seconds_of(std::uint32_t link, double bytes) const;
  std::size_t links() const { return links_.size(); }

 private:
  // What has reached a unit by paths of as many hops.
  struct front {
    const unit* at;
    std::uint8_t vc;
    double share;
    fs_t latency;
  };
  rank_path find(fabric& net, endpoint_id from, endpoint_id to);
  static void join(std::vector<front>& fronts, const front& added);
  struct used_link {
    double bytes_per_second;
    double buffer;            // bytes at its far end
    double waiting_per_byte;  // s, beyond those
  };
  std::uint32_t number_of(const fabric& net, const packet_port& port);
  const packet_port* port_of(const unit& owner, int index);

  std::unordered_map<std::uint64_t, rank_path> known_;  // by both ends
  std::unordered_map<const packet_port*, std::uint32_t> numbers_;
  std::vector<used_link> links_;
  std::unordered_map<const unit*, std::vector<const packet_port*>> ports_;  // by index
};

}  // namespace heddle
