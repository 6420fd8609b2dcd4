// What network interfaces share to explain their accesses (platform/explain/cause.hpp): which
// member of a reduction was the last, because all others waited for that one, and how long a hop
// and a sum of the routers take.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "platform/explain/cause.hpp"
#include "platform/time/clock_domain.hpp"

namespace heddle {

// One per run: simulation::service<mesh_causes>().
struct mesh_causes {
  bool is_explained = false;  // some access was
  cycle_t hop = 2;            // from the head of a router's input to that of the next one's
  cycle_t sum = 0;            // stages of a functional unit

  // A member's part of that reduction has left it.
  void gather(std::uint32_t transaction, const cause& why) { all_[transaction].gathered.join(why); }
  // All parts have come to the destination.
  void meet(std::uint32_t transaction) {
    meeting& each = all_[transaction];
    each.met = std::move(each.gathered);
    each.gathered = {};
  }
  const cause& gathered(std::uint32_t transaction) { return all_[transaction].gathered; }
  const cause& met(std::uint32_t transaction) { return all_[transaction].met; }

 private:
  struct meeting {
    cause gathered, met;
  };
  std::unordered_map<std::uint32_t, meeting> all_;  // by transaction, as members agree on it
};

}  // namespace heddle
