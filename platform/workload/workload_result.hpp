// What one collective did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/explain/breakdown.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/energy_book.hpp"

namespace heddle {

struct workload_result {
  std::string name;        // "allreduce"
  std::string algorithm;   // "ring"
  bool is_chosen = false;  // firmware chose it, as `algorithm: auto` asks
  std::string type, op;
  std::uint32_t ranks = 0;
  std::uint64_t bytes = 0;        // of one rank's tensor
  std::uint64_t moved_bytes = 0;  // what algbw counts: bytes, times iterations
  fs_t start = 0;                 // first rank's start mark
  fs_t end = 0;                   // last rank's end mark
  std::vector<fs_t> rank_times;   // from a rank's own start mark to its end mark
  fs_t hardware_time = 0;         // of it, in-network hardware worked; 0 where there is none
  double algbw = 0, busbw = 0;    // B/s
  double ceiling = 0;             // algbw that the wires allow, B/s; 0 when unknown
  double law = 0;                 // s, by the literature's formula; 0 where there is none
  std::uint64_t wire_bytes = 0;   // on all wires, headers included
  bool is_checked = false;
  bool is_verified = false;
  std::uint64_t max_ulp = 0;
  double relative_error = 0;      // against a float64 reduction
  std::uint32_t tile = 0;         // edge of the tiles of a GEMM; 0: not a GEMM
  std::uint64_t steps = 0;        // of it, along K
  double flops = 0;               // floating-point operations of all ranks
  double utilization = 0;         // share of what the engines could do in that time
  energy_shares energy;           // where units say what their operations cost
  std::optional<breakdown> path;  // where the time went, if the workload is explained

  bool has_size() const { return name != "barrier"; }
  bool is_sum() const { return name.rfind("allreduce", 0) == 0 || name.rfind("reduce", 0) == 0; }
  // For people: tells the same algorithm apart, asked for and chosen.
  std::string label() const { return is_chosen ? algorithm + " (auto)" : algorithm; }
};

}  // namespace heddle
