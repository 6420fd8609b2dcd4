// What the aggregators of a run have been told to reduce, for whoever checks results: which members
// each group has below it, in the order in which their operands are added.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// A group of one aggregator, as its registers describe it.
struct reduction_group {
  struct child {
    bool is_member = false;
    std::uint64_t address = 0;  // of a member's memory, or the window of the group below
  };
  std::uint64_t window = 0;
  std::uint64_t parent = 0;         // window of the group above; 0: this is a root
  std::uint64_t result_offset = 0;  // of the results in each member's memory
  std::uint64_t length = 0;         // bytes
  fs_t armed_at = 0;
  bool keeps_order = true;  // operands are added in the order of the children
  std::vector<child> children;
};

class reduction_group_source {
 public:
  // The groups that have been armed to reduce, in no order.
  virtual std::vector<reduction_group> reduction_groups() const = 0;

 protected:
  ~reduction_group_source() = default;
};

// One per run: simulation::service<reduction_directory>().
struct reduction_directory {
  std::vector<const reduction_group_source*> sources;
};

}  // namespace heddle
