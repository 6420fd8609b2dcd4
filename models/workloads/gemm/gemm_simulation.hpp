// GEMMs on a mesh, from runs of mesh_gemm.yaml.
#pragma once

#include <cstdint>

#include "models/workloads/gemm/gemm_model.hpp"

namespace heddle {

struct simulated_version {
  double cycles = 0;  // SUMMA: of a step along K, without the first
  double utilization = 0;
  double joules = 0;  // of a step, or of all
};

struct simulated_gemm {
  simulated_version software, hardware;
};

const char* name_of(gemm_kernel kernel);  // as the workload calls it

// Bytes that a job takes of the L1 of a tile, and has of it. Of the memories of the netlist the L1
// is the first to be full.
struct memory_fit {
  std::uint64_t needed = 0, available = 0;
  bool is_enough() const { return needed <= available; }
};
memory_fit fit_of_gemm(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile);

// Throws user_error when a run fails.
simulated_gemm simulate_gemm(gemm_kernel kernel, std::uint64_t side, std::uint64_t tile);

}  // namespace heddle
