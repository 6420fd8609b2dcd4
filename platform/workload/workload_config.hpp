// The `workload:` of a netlist: which collective, how, on what data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/tensor/quantize.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/yaml/node.hpp"
#include "sw/hal/boot.h"

namespace heddle {

struct workload_config {
  boot_collective collective = BOOT_ALLREDUCE;
  std::vector<boot_algorithm> algorithms = {BOOT_RING};  // a job each
  boot_algorithm algorithm = BOOT_RING;                  // of the job at hand
  quantization quant;                                    // of scin_inq
  bool may_quantize = false;                             // where the firmware chooses
  bool is_on_demand = false;  // instructions of in-network hardware are pushed by rank 0
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  std::vector<std::uint64_t> bytes;  // of one rank's tensor, or its tile of C, one job each
  std::uint64_t repeat = 1;          // jobs of each size
  std::uint64_t iterations = 1;      // messages of a point-to-point job, steps along K of a GEMM
  std::uint64_t root = 0;
  std::uint64_t columns = 1;  // of the ranks on a mesh; the cores say it
  std::uint64_t slots = 8;
  std::uint64_t slot_bytes = 0;  // 0: chosen for each size
  std::uint64_t channels = 4;
  std::string ranks = "*";  // glob over core paths
  std::string setup;        // glob over the paths of cores that set jobs up; empty: none
  std::string input;        // "DIR/rank{r}.npy"; empty: random
  std::string output;       // in the run directory; empty: none
  bool is_checked = true;
  std::optional<bool> is_explained;  // none: where it costs little
  std::uint64_t timeout_ns = 0;

  // Of the whole workload where the netlist has no such key.
  source_place place, ranks_place, setup_place, bytes_place, root_place, algorithm_place,
      input_place, output_place;
};

// Throws user_error.
workload_config read_workload(const yaml_node& node);

const char* name_of(boot_collective collective);
const char* name_of(boot_algorithm algorithm);

}  // namespace heddle
