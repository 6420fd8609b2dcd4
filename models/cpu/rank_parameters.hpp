// What the netlist tells a core about the rank that it runs, natively or by instructions: its
// memory, which devices of its map are its own, and the times that do not depend on how.
#pragma once

#include "platform/firmware/rank_core.hpp"
#include "platform/unit/literals.hpp"

namespace heddle {

// What a start mark costs, and how long a poll in vain may last.
struct rank_timing {
  fs_t launch_cost = 0, poll_limit = 0;
};

struct rank_parameters : parameter_set {
  parameter<address> window{*this, "window", address{0},
                            "first address of the core's own memory, the same on the fabric",
                            "set by the netlist"};
  parameter<byte_size> window_size{*this, "window_size", 0_B, "bytes of that memory",
                                   "set by the netlist"};
  parameter<address> multicast{*this, "multicast", address{0},
                               "multicast region over the memories of all ranks; 0: there is none",
                               "set by the netlist"};
  parameter<std::uint64_t> columns{*this,
                                   "columns",
                                   1,
                                   within(1, 256),
                                   "columns of the ranks in the mesh",
                                   "set by the netlist"};
  parameter<address> memory{*this, "memory", address{0},
                            "first address of the memory tile of row 0; 0: there is none",
                            "set by the netlist"};
  parameter<byte_size> memory_size{*this, "memory_size", 0_B, "of the memory tile of each row",
                                   "set by the netlist"};
  parameter<std::string> devices{*this, "devices", "*",
                                 "globs over units, with blanks between them: those on its bus "
                                 "whose registers firmware finds",
                                 "all; cores that share a bus may have some each"};
  parameter<duration> launch_cost{
      *this, "launch_cost", 0_ns,
      "from a job's start mark to the first instruction of the firmware",
      "0: the firmware is resident; a kernel has to be launched"};
  parameter<duration> poll_limit{*this, "poll_limit", 5_ms,
                                 "a poll in vain for so long, while no wire carries anything, is "
                                 "reported as a hang; 0: never",
                                 "longer than any device works without traffic"};

  rank_timing timing() const { return {launch_cost().fs, poll_limit().fs}; }
  rank_resources resources() const {
    rank_resources own;
    own.window = window().value;
    own.window_bytes = window_size().bytes;
    own.multicast = multicast().value;
    own.columns = columns();
    own.memory = memory().value;
    own.memory_size = memory_size().bytes;
    own.devices = devices();
    return own;
  }
};

}  // namespace heddle
