// Up to which sizes `auto` prefers exchanges with ever closer partners to a ring, where a
// collective scatters or gathers chunks: log2(N) steps against N - 1, but over longer ways.
#pragma once

#include <algorithm>

#include "models/workloads/collective/algorithm.hpp"
#include "platform/number/power_of_two.hpp"

namespace heddle {

// Measured with yaml/ring_allreduce.yaml, yaml/leaf_spine.yaml and yaml/tree_allreduce.yaml, steps
// by cores and in chains. At 64 KiB 4, 8 and 16 ranks take 0.72, 0.46 and 0.28 of the time of a
// ring; they are ahead up to 2, 4 and 8 MiB at one switch, up to 2 MiB over a leaf and a spine, and
// up to 1 MiB where uplinks are shared. Beyond a power of two the folding of ranks costs bandwidth:
// 5, 6, 10 and 12 ranks that send 360 GB/s are ahead up to 0.6, 0.7, 2 and 2.5 MiB, slower ones up
// to the same time on the wires. Up to three ranks a ring is ahead. A ring takes a step a rank, so
// beyond 32 of them the limit grows with their number.
inline bool halving_beats_ring(const collective_case& of) {
  constexpr std::uint64_t least_ranks = 4, longest_of_32_ranks = std::uint64_t{2} << 20,
                          folded_bytes_per_rank = std::uint64_t{128} << 10;
  constexpr double measured_rate = 360e9;  // bytes per second
  const std::uint64_t longest = longest_of_32_ranks * std::max<std::uint64_t>(of.ranks, 32) / 32;
  if (of.ranks < least_ranks || of.bytes > longest) return false;
  if (is_power_of_two(of.ranks)) return true;
  const double wire_share =
      of.payload_rate > 0 ? std::min(1.0, of.payload_rate / measured_rate) : 1;
  const auto folded_limit = static_cast<double>(of.ranks * folded_bytes_per_rank);
  return static_cast<double>(of.bytes) <= folded_limit * wire_share;
}

}  // namespace heddle
