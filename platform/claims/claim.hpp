// Claims of the literature and how to reproduce them, read from yaml/claims/*.yaml:
//
//   - id: scin.law.ring-ceiling
//     kind: law
//     where: "2.1(3), 3.5"
//     unit: GB/s
//     tolerance: 2%
//     reason: ""                       # printed when a row is off
//     cases:
//       - {name: "N=8", source: 205.7, ours: "collectives[0].algbw_Bps", scale: 1e-9,
//          netlist: ring_allreduce.yaml, set: {params.gpus: 8}}
//       # A ratio of two runs: ours of this one, over ours of another. Keys that `over` does not
//       # have are those of the case, except `set`.
//       - {name: "1 KiB", source: 4, ours: "collectives[0].time_s", netlist: ring_allreduce.yaml,
//          over: {netlist: nvls_dgx8.yaml}}
//       # What needs no simulation is a command with --json; `set` are its options.
//       - {source: 1.94, ours: "rows[0].compression", study: quantize, set: {bits: 8, block: 64}}
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct claim_run {
  std::string netlist;  // "": a study
  std::string study;
  std::vector<std::pair<std::string, std::string>> sets;
  // Path in stats.json, or in what the study writes: "collectives[0].algbw_Bps", or a statistic of
  // a unit as in "units.nvs[0].isa.instruction_time".
  std::string ours;
};

struct claim_case {
  std::string name;  // "" for a claim with a single case
  double source = 0;
  double scale = 1;
  std::string reason;  // why this one is off; "": that of the claim
  claim_run run;
  std::optional<claim_run> over;
};

struct claim {
  std::string id, kind, where, unit, reason;
  double tolerance = 0;                                              // relative
  enum class bound { none, at_least, at_most } limit = bound::none;  // what the source states
  std::vector<claim_case> cases;
};

// Of every file in the netlists' claims folder, sorted by id. Throws user_error.
std::vector<claim> read_claims();

}  // namespace heddle
