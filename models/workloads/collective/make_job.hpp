// A job as firmware reads it, from what the workload asks for.
#pragma once

#include <cstdint>

#include "models/workloads/collective/collective_config.hpp"

namespace heddle {

// The algorithm is that of the job at hand. All ranks have windows of that many bytes; `bytes` are
// of one rank's tensor.
boot_job make_job(const collective_config& config, std::uint64_t ranks, std::uint64_t window_bytes,
                  std::uint32_t number, std::uint64_t bytes);

// Bytes of a rank's window that it takes.
std::uint64_t memory_of(const boot_job& job, std::uint64_t ranks);

}  // namespace heddle
