// A flit link joins two flit ports, the same in both directions: one flit a cycle each way.
#pragma once

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"

namespace heddle {

struct flit_link_parameters : parameter_set {
  parameter<std::uint64_t> latency{*this,
                                   "latency",
                                   1,
                                   within(1, 255),
                                   "cycles from the sender to the far buffer; credits take as long",
                                   "one register between neighbors"};
  parameter<std::uint64_t> vcs{*this,
                               "vcs",
                               1,
                               within(1, 16),
                               "virtual channels; 12 at most at a `mesh_router`",
                               "FlooNoC: physical links instead of virtual channels"};
  parameter<std::uint64_t> buffer{*this,
                                  "buffer",
                                  4,
                                  within(1, 4096),
                                  "flits that the far end holds for each virtual channel",
                                  "FlooNoC: input and output FIFOs of 2 flits each"};
  parameter<byte_size> flit{*this,
                            "flit",
                            64_B,
                            within(1_B, 4_KiB),
                            "payload bytes that the link moves in a cycle: of a flit of its ends",
                            "collective NoC 2.1: a wide link has 512 bits"};
};

}  // namespace heddle
