// What the `workload:` of a netlist says of a GEMM.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/workload/workload_settings.hpp"
#include "sw/collectives/algorithms.h"
#include "sw/hal/boot.h"

namespace heddle {

struct gemm_config {
  boot_collective kernel = BOOT_SUMMA;
  std::vector<boot_algorithm> algorithms = {BOOT_MESH_HW};  // a job each
  boot_algorithm algorithm = BOOT_MESH_HW;                  // of the job at hand
  std::vector<std::uint32_t> tiles;                         // edges, a job each
  std::uint64_t repeat = 1;                                 // jobs of each tile
  std::uint64_t iterations = 1;                             // steps along K
  std::uint64_t columns = 1;                                // of the ranks; the cores say it

  // Of the whole workload where the netlist has no such key.
  source_place place, ranks_place, algorithm_place, tile_place;

  bool is_summa() const { return kernel == BOOT_SUMMA; }
};

const std::vector<std::string>& gemm_kernel_names();
const char* name_of_kernel(boot_collective kernel);
const char* name_of_version(boot_algorithm algorithm);

// Throws user_error.
gemm_config read_gemm(yaml_mapping& mapping, const workload_settings& settings);

}  // namespace heddle
