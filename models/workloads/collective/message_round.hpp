// What ranks send each other while software does a collective, round by round: what the choice of
// `auto` estimates times from (time_estimate.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

struct rank_message {
  std::uint32_t from, to;  // places in the group
  double share;            // of one rank's tensor
};

// Rounds that are alike. A rank waits for the messages of one before it sends those of the next.
struct message_round {
  double times = 1;
  std::uint32_t of_rank = 1;  // messages that a rank sends in each
  double more_ways = 0;       // that a core waits for beyond those of a message
  std::vector<rank_message> messages;
};

// From every rank to the next one in a ring.
message_round round_to_neighbor(std::uint64_t ranks, double times, double share);
// From every rank to every other; two ranks or more. So that large rounds stay small, their
// messages go over some of the distances only, and carry the shares of the others, too.
message_round round_to_all(std::uint64_t ranks, double times, double share);

}  // namespace heddle
