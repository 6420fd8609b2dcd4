// Claims of the literature and how to simulate them, read from yaml/claims/*.yaml:
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
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace heddle {

struct claim_case {
  std::string name;  // "" for a claim with a single case
  double source = 0;
  std::string ours;  // path in stats.json
  double scale = 1;
  std::string netlist;
  std::vector<std::pair<std::string, std::string>> sets;
};

struct claim {
  std::string id, kind, where, unit, reason;
  double tolerance = 0;  // relative
  std::vector<claim_case> cases;
};

// Of every file in the netlists' claims folder, sorted by id. Throws user_error.
std::vector<claim> read_claims();

}  // namespace heddle
