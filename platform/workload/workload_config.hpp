// The `workload:` of a netlist: which collective, how, on what data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/tensor/dtype.hpp"
#include "platform/tensor/reduce.hpp"
#include "platform/yaml/node.hpp"
#include "sw/hal/boot.h"

namespace heddle {

struct workload_config {
  boot_collective collective = BOOT_ALLREDUCE;
  boot_algorithm algorithm = BOOT_RING;
  dtype type = dtype::fp16;
  reduce_op op = reduce_op::sum;
  std::vector<std::uint64_t> bytes;  // of one rank's tensor, one job each
  std::uint64_t repeat = 1;          // jobs of each size
  std::uint64_t iterations = 1;      // messages of a point-to-point job
  std::uint64_t root = 0;
  std::uint64_t slots = 8;
  std::uint64_t slot_bytes = 0;  // 0: chosen for each size
  std::uint64_t channels = 4;
  std::string ranks = "*";  // glob over core paths
  std::string input;        // "DIR/rank{r}.npy"; empty: random
  std::string output;       // in the run directory; empty: none
  bool is_checked = true;
  std::uint64_t timeout_ns = 0;

  // Of the whole workload where the netlist has no such key.
  source_place place, ranks_place, bytes_place, root_place, algorithm_place, input_place,
      output_place;
};

// Throws user_error.
workload_config read_workload(const yaml_node& node);

const char* name_of(boot_collective collective);
const char* name_of(boot_algorithm algorithm);

}  // namespace heddle
