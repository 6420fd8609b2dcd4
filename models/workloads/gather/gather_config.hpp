// What the `workload:` of a netlist says of a gather.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/workload/workload_settings.hpp"
#include "sw/kernels/gather_job.h"

namespace heddle {

inline constexpr std::uint32_t most_property_elements = 1 << 14;  // K
// Elements of 4 bytes.
constexpr std::uint32_t property_bytes(std::uint32_t elements) {
  return 4 * elements;
}

enum class gather_storage { automatic, real, described };

struct gather_config {
  std::string matrix;  // file
  double scale = 1;    // of a stand-in
  std::string scale_text = "1";
  std::vector<std::uint32_t> elements = {16};  // of a property (K), a job each
  std::vector<std::uint32_t> features;         // gather_features, a job each
  std::uint32_t batch = 0;                     // nonzeros; 0: as the matrix says
  std::uint32_t delay = 500;                   // cycles, NIC
  std::uint32_t switch_delay = 125;            // cycles, ToR
  std::uint32_t clients = 0;                   // 0: half of the units
  std::uint32_t watchdog_ns = 0;
  std::uint32_t repeat = 1;
  bool clears_inside = false, caches_all = false;
  gather_storage storage = gather_storage::automatic;
  std::vector<std::string> warnings;  // of keys that have no effect

  // Where each key stands in the netlist; the place of the whole workload for a key that is not
  // there.
  source_place place, ranks_place, matrix_place, elements_place, features_place, clients_place;
};

// "RIG", "+filter", "+coalesce" ... of the ablation (NetSparse Table 8), or a list of the features.
std::string name_of_features(std::uint32_t features);
inline constexpr std::uint32_t all_gather_features =
    GATHER_FILTER | GATHER_COALESCE | GATHER_NIC_CONCAT | GATHER_SWITCH;

// Throws user_error.
gather_config read_gather(yaml_mapping& mapping, const workload_settings& settings);

}  // namespace heddle
