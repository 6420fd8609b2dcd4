// How a receiver learns that its data are there: which ways a fabric and an algorithm allow.
#pragma once

#include <string>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Why software cannot tell in the way that `protocol` asks for; "" where it can.
std::string obstacle_to_protocol(const collective_config& config,
                                 const collective_algorithm& algorithm, const collective_case& of,
                                 const workload_cores& cores, simulation& sim);

// What `protocol` asks for, on this algorithm; for `auto` what suits the size. Hardware that
// reduces in the network has signals of its own: acknowledged. Throws user_error where the fabric
// cannot keep writes in order or a packet holds no line, and where the algorithm does not know it.
flag_protocol protocol_of(const collective_config& config, const collective_algorithm& algorithm,
                          const collective_case& of, const workload_cores& cores, simulation& sim);

// As flags of boot_job.
std::uint32_t job_flags_of(flag_protocol protocol);

}  // namespace heddle
