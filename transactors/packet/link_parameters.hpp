// A link joins two packet ports, the same in both directions. It has no process: the sender knows
// when it starts, how many bytes and which latency, and computes the arrival.
#pragma once

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"

namespace heddle {

struct link_parameters : parameter_set {
  parameter<bandwidth> rate{*this, "bandwidth", 112.5_GBps, "bytes per second in each direction",
                            "SCIN 4.1: 900 GB/s both ways over 4 planes"};
  parameter<duration> latency{*this, "latency", 250_ns,
                              "first byte out of the sender to first byte in the receiver",
                              "SCIN 4.1"};
  parameter<std::uint64_t> vcs{
      *this,
      "vcs",
      2,
      within(2, 16),
      "virtual channels: the lower half carries requests, the upper half responses",
      "two message classes keep request-response traffic free of deadlock"};
  parameter<byte_size> buffer{*this,
                              "buffer",
                              128_KiB,
                              within(16_B, 1_GiB),
                              "receive buffer of each virtual channel, advertised as credits",
                              "SCIN 4.1: sized to cover the round trip (2 x 250 ns x 112.5 GB/s = "
                              "55 KiB), with room for trains"};
  parameter<std::uint64_t> weight{
      *this,
      "weight",
      1,
      within(1, 64),
      "share of the traffic that it takes where several paths are equally long",
      "links of one kind share alike"};
};

}  // namespace heddle
