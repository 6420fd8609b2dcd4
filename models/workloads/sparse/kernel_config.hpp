// What the `workload:` of a netlist says of a sparse kernel, beside the gather that brings its
// properties.
#pragma once

#include <vector>

#include "models/sparse/compute_engine.hpp"
#include "models/sparse/software_baselines.hpp"
#include "models/workloads/gather/gather_config.hpp"

namespace heddle {

struct kernel_config {
  sparse_kernel kernel = sparse_kernel::spmm;
  std::vector<compute_engine> engines;  // the first is the one of the table
  bool compares_saopt = false;          // takes a pass over the matrix
  software_machine software;            // of the baselines
};

const char* name_of(sparse_kernel kernel);

// Takes its own keys. SpMV has properties of one element. Throws user_error.
kernel_config read_kernel(sparse_kernel kernel, yaml_mapping& mapping, gather_config& gather);

}  // namespace heddle
