// The switches with aggregators around the ranks of a job: whether trees of them can join the ranks
// is known before their manager looks.
//
// Limitations: what aggregators have left, of groups and of buffers, only the manager finds out.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "platform/unit/unit.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class aggregator_network {
 public:
  aggregator_network(const workload_cores& cores, simulation& sim);

  // Ranks first, first + stride, ... are behind switches that such switches alone join.
  bool joins(std::size_t first, std::size_t stride) const;
  bool has_one_for_all() const;
  // Of each child, the smallest among those that a tree over all ranks may use.
  std::uint64_t smallest_buffer() const;
  std::size_t links_of(std::size_t rank) const { return ranks_[rank].switches.size(); }
  // Bytes per second of a rank's links to such switches.
  double rate_of(std::size_t rank) const { return ranks_[rank].rate; }

 private:
  struct attached {
    std::vector<const unit*> switches;
    double rate = 0;
  };
  std::unordered_set<const unit*> joined_to(const unit& start) const;
  bool is_common(const unit& wanted) const;  // all ranks are at that switch

  std::vector<attached> ranks_;
  std::unordered_map<const unit*, std::vector<const unit*>> neighbors_;  // of those switches
  std::unordered_map<const unit*, std::uint64_t> buffers_;
};

}  // namespace heddle
