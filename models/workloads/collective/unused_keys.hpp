// Keys of a collective that the netlist gives and that none of its algorithms heeds.
#pragma once

#include "models/workloads/collective/collective_config.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// Warns of each of them, with its place. A key that has the value that is assumed without it asks
// for nothing.
void warn_of_unused_keys(const collective_config& config, const workload_context& context);

}  // namespace heddle
