// What a collective could reach on given wires, and the usual conventions of collective benchmarks.
#pragma once

#include "models/workloads/collective/collective_config.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {

bool is_point_to_point(boot_collective collective);

// Bus bandwidth over algorithm bandwidth: what each wire of an ideal network would carry for a byte
// of the tensor.
double bus_factor(boot_collective collective, double ranks);

// Bytes of one rank's tensor per second that the wires allow; 0 where nobody has counted.
double algbw_ceiling(const collective_config& config, const link_directory& net, double ranks);

}  // namespace heddle
