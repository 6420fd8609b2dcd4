// Who sends on the wide link in a cycle: the writes that begin at this tile take turns with the
// answers to the reads of others.
#pragma once

#include "models/mesh/ni/interface_links.hpp"
#include "models/mesh/ni/interface_tile.hpp"
#include "models/mesh/ni/request_side.hpp"
#include "models/mesh/ni/target_side.hpp"

namespace heddle {

class wide_turns {
 public:
  // All must outlive it.
  wide_turns(interface_tile& tile, interface_links& links, request_side& requests,
             target_side& target)
      : tile_(tile), links_(links), requests_(requests), target_(target) {}

  void transmit(cycle_t now);

 private:
  static constexpr cycle_t never = request_side::never;

  void count_late_beats(cycle_t came);

  interface_tile& tile_;
  interface_links& links_;
  request_side& requests_;
  target_side& target_;
  bool is_write_next_ = true;   // if the link has both
  cycle_t late_since_ = never;  // the next beat of the oldest write
};

}  // namespace heddle
