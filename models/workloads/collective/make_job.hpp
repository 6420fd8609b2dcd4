// A job as firmware reads it, from what the workload asks for.
#pragma once

#include <cstdint>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"

namespace heddle {

// Bytes of the messages of a job, as the netlist says, or what suits the algorithm.
std::uint64_t slot_bytes(const collective_config& config, const collective_algorithm& algorithm,
                         const collective_case& of, const link_directory& net);

// All ranks have windows of that many bytes.
boot_job make_job(const collective_config& config, const collective_algorithm& algorithm,
                  const collective_case& of, const link_directory& net, std::uint64_t window_bytes,
                  std::uint32_t number);

// Bytes of a rank's window that it takes.
std::uint64_t memory_of(const boot_job& job, std::uint64_t ranks);

}  // namespace heddle
