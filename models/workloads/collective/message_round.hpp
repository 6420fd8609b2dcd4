// What ranks send each other while software does a collective, round by round: what the choice of
// `auto` estimates times from (time_estimate.hpp).
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

struct rank_message {
  std::uint32_t from, to;  // places in the group
  double share;            // of one rank's tensor
  std::uint32_t turn = 0;  // in which a rank sends it, of a round in which it sends several
};

// Rounds that are alike. A rank waits for the messages of one before it sends those of the next.
//
// Or a pipeline: ranks pass their messages on piece by piece, `times` ranks far.
struct message_round {
  double times = 1;
  std::uint32_t of_rank = 1;  // messages that a rank sends in each, of a pipeline for each piece
  double more_ways = 0;       // that a core waits for beyond those of a message
  bool is_pipeline = false;
  bool adds = false;                // of a pipeline: ranks add what has come to what they pass on
  std::uint32_t most_channels = 0;  // of a pipeline: that the messages of a rank take; 0: all
  std::vector<rank_message> messages;
};

// From every rank to the next one in a ring.
message_round round_to_neighbor(std::uint64_t ranks, double times, double share);
// From every rank to every other; two ranks or more. So that large rounds stay small, their
// messages go over some of the distances only, and carry the shares of the others, too. All ranks
// send over a distance in the same turn.
message_round round_to_all(std::uint64_t ranks, double times, double share);

}  // namespace heddle
