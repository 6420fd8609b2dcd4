// What the devices inside switches have been told to reduce, for whoever checks results: which
// members each group has below it, in the order in which their operands are added.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"

namespace heddle {

// A group of one aggregator, as its registers describe it, or an instruction of one in-switch
// accelerator.
struct reduction_group {
  enum class input { group, member, absent };
  struct child {
    input is = input::group;
    std::uint64_t address = 0;  // of a member's memory, or the window of the group below
  };
  std::uint64_t window = 0;         // of groups below another one
  std::uint64_t parent = 0;         // window of the group above; 0: this is a root
  std::uint64_t result_offset = 0;  // of the results in each member's memory
  std::uint64_t length = 0;         // bytes
  fs_t armed_at = 0;                // or pushed
  bool keeps_order = true;          // operands are added in the order of the children
  std::vector<child> children;      // leaves of a tree accumulator (platform/tensor/accumulate.hpp)
};

class reduction_group_source {
 public:
  // The groups that have been armed, or the instructions that have been pushed, to reduce, in no
  // order.
  virtual std::vector<reduction_group> reduction_groups() const = 0;

 protected:
  ~reduction_group_source() = default;
};

// One per run: simulation::service<reduction_directory>().
struct reduction_directory {
  std::vector<const reduction_group_source*> sources;
};

}  // namespace heddle
