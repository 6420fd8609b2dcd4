// What a multicast engine remembers of a request until all members have answered.
#pragma once

#include <cstdint>

#include "transactors/aggregation/aggregation_table.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

struct multicast_side;

struct multicast_access {
  packet* request = nullptr;
  multicast_side* from = nullptr;  // of the port where it came in
  std::uint32_t unsent = 0;        // copies with data that have not left
  fs_t copies_out = 0;             // when the last byte of those that have left is out
  bool is_error = false;           // of a member
  std::uint32_t answer_bytes = 0;  // on the wire, of each answer
  // Of the answers, behind the crossbar: when the first packet of the latest train is there, and
  // when everything is.
  fs_t first_in = 0, last_in = 0;
  cause why;  // the last answer so far
};

// A group for each port of the switch: its buffer holds what requests from there reduce. The
// children are the members of the region, the operands their answers.
using multicast_accesses = aggregation_table<multicast_access>;
using multicast_entry = multicast_accesses::entry;

}  // namespace heddle
