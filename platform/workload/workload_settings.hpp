// What every workload of a netlist says, whatever its kind: who takes part, when, and how much is
// told about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/yaml/mapping.hpp"

namespace heddle {

struct workload_settings {
  std::string name;                            // tells several workloads apart; may be ""
  std::vector<std::string> ranks = {"*"};      // globs over the paths of cores: ranks in that order
  std::string setup;                           // glob over cores that set jobs up; "": none
  fs_t start = 0;                              // simulated time before which no job begins
  std::string after;                           // name of the workload that ends first; "": none
  std::uint64_t channels = 4;                  // DMA channels that firmware uses at most
  std::optional<source_place> channels_place;  // where a netlist asks for exactly so many
  std::uint64_t ring_entries = 0;              // descriptors in the ring of each; 0: rank_memory's
  std::uint64_t timeout_ns = 0;                // of every poll of firmware; 0: none
  bool is_checked = true;
  std::optional<bool> is_explained;  // none: where it costs little

  // Of the whole workload where the netlist has no such key.
  source_place place, name_place, ranks_place, setup_place, after_place;
};

// Throws user_error.
workload_settings read_workload_settings(yaml_mapping& mapping);

}  // namespace heddle
