// Which algorithm does a collective: the one that the netlist names, or with `auto` the fastest of
// those that can, by estimates (time_estimate.hpp) where there are some.
#pragma once

#include <string>

#include "models/workloads/collective/algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

inline constexpr const char* auto_algorithm = "auto";

// What the ranks lack for the job by this algorithm, "" where they lack nothing.
std::string obstacle_to(const collective_algorithm& algorithm, const collective_case& job,
                        const workload_cores& cores);

struct chosen_algorithm {
  const collective_algorithm* by = nullptr;
  std::string fallback;  // why it is not the one that was asked for; "" where it is
};

// Throws user_error where the job cannot be done.
chosen_algorithm choose_algorithm(const std::string& name, const collective_case& job,
                                  const collective_config& config, const workload_cores& cores,
                                  simulation& sim);

// What does a job that hardware leaves to software: the fastest algorithm that needs none. Throws
// user_error where there is none.
const collective_algorithm& software_for(const collective_case& job,
                                         const collective_config& config,
                                         const workload_cores& cores, simulation& sim);

// The algorithm behind a name: barriers and point-to-point tests are done alike by all that have
// none of their own. nullptr where there is no such collective by it.
const collective_algorithm* algorithm_behind(const std::string& name, boot_collective collective);

// "mesh_hw does not know sum of fp16: ..."; "" where it knows type and operator.
std::string obstacle_of_type(const collective_algorithm& algorithm, const collective_case& job);

}  // namespace heddle
