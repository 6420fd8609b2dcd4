// No layer can be faster. Each GPU has its own load and its own rates, and the layer ends when the
// last GPU does. What a schedule forbids to overlap on a GPU adds up; all else may overlap.
//
// A vector one way is a header for each of its packets the other way: the acknowledgment of a
// store, or the request to load. Lists of targets, latencies, and what switches send when their
// buffers are full are left out, so a layer takes longer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/workloads/moe/moe_laws.hpp"
#include "models/workloads/moe/moe_load.hpp"
#include "models/workloads/moe/moe_pass.hpp"

namespace heddle {

// Seconds of the whole pass. The loads are those of one part; `machines` are the GPUs in the order
// of their numbers, of which wire_rate, flops, hbm_rate and the packets count.
double moe_bound(moe_pass pass, const moe_schedule& schedule, const moe_shape& shape,
                 const moe_loads& loads, const std::vector<moe_machine>& machines,
                 std::uint32_t context);

// Why a layer cannot have taken that time; "" where it can.
std::string impossibility(double time_s, double bound_s);

}  // namespace heddle
