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
//       # A figure of several runs. `each` has a value of every key for each of them; of the runs
//       # that `best_of` tells apart the smallest result counts; `take` makes one number of them
//       # all: slope (least squares over `at`), geomean, smallest, largest.
//       - {source: 1.3, ours: "collectives[0].time_s", scale: 1e9, netlist: mesh_tiles.yaml,
//          take: slope, at: [1, 4], each: {params.width: [1, 4]}}
//       - {source: 2.9, ours: "collectives[0].time_s", netlist: mesh_tiles.yaml, take: geomean,
//          each: {workload.bytes: [1 KiB, 2 KiB]},
//          best_of: [{workload.algorithm: mesh_tree}, {workload.algorithm: mesh_seq}],
//          over: {set: {workload.algorithm: mesh_hw}}}
//       # What needs no simulation is a command with --json; `set` are its options, and what has a
//       # name in capitals is an argument without one: {FILE: standins/uk.yaml}.
//       - {source: 1.94, ours: "rows[0].compression", study: quantize, set: {bits: 8, block: 64}}
//
// `ours`, `scale`, `netlist`, `study` and `set` may stand at the claim, too: cases say what
// differs, and add to its sets. `mechanism` says what brings the figure about. A case is
// `analytic: true` where ours is the source's own formula, and `reading: true` where it takes the
// source in another sense than the cases that count: both are shown and not counted. What nobody
// has built has `not_built: "what is missing"` in place of unit, tolerance and cases.
//
// A file may also name the parameters that its source leaves open, by netlist:
//
//   free:
//     scin_dgx8.yaml:
//       - "gpu[*].cp.access_cost"
//       - {key: params.forwarding, from: "4.1 has nothing beside the link"}
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/text/diagnostic.hpp"

namespace heddle {

using claim_sets = std::vector<std::pair<std::string, std::string>>;

struct claim_run {
  std::string netlist;  // "": a study
  std::string study;    // name of the command
  source_place study_place;
  claim_sets sets;
  // Path in stats.json, or in what the study writes: "collectives[0].algbw_Bps", or a statistic of
  // a unit as in "units.nvs[0].isa.instruction_time".
  std::string ours;
};

struct claim_case {
  std::string name;  // "" for a claim with a single case
  double source = 0;
  double scale = 1;
  std::string aside;   // "analytic", "reading": shown and not counted
  std::string reason;  // why this one is off; "": that of the claim
  claim_run run;
  std::optional<claim_run> over;
  std::string take;                 // "": there is one point
  std::vector<claim_sets> points;   // what `each` adds to both runs
  std::vector<claim_sets> best_of;  // what is added to `run`; one that is empty without best_of
  std::vector<double> at;           // of every point, for a slope
};

struct claim {
  std::string id, kind, where, unit, reason, mechanism;
  std::string not_built;  // what is missing; then there are no cases
  double tolerance = 0;   // relative
  enum class bound { none, at_least, at_most } limit = bound::none;  // what the source states
  std::vector<claim_case> cases;
};

// Makes one figure of the results of all points, as `take` says. Throws user_error where a mean
// does not exist.
double taken_of(const claim_case& one, const std::vector<double>& results);

// What a source leaves open and a netlist chooses: the value is the same for all claims.
struct free_parameter {
  std::string netlist;
  std::string key;   // as --set takes it: "gpu[*].cp.access_cost"
  std::string from;  // where the value comes from; "": as the unit's type says of its default
};

struct claim_book {
  std::vector<claim> claims;  // sorted by id
  std::vector<free_parameter> free;
};

// Of every file in the netlists' claims folder. What one file calls not built and another has cases
// for is built. Throws user_error.
claim_book read_claims();

}  // namespace heddle
