// What the literature's formulas (mesh_laws.hpp) say of a collective on a mesh, where they apply.
#pragma once

#include <cstdint>

#include "models/workloads/collective/collective_config.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {

// Seconds of the job at hand with so many bytes; 0 where the mesh has another shape than the
// source's (lines of a power of two, from two columns on; wide links of 64 B a cycle at 1 GHz; a
// memory tile to broadcast from), or nobody gives a formula for the algorithm.
double law_of_mesh(const collective_config& config, const link_directory& net, std::uint64_t ranks,
                   bool has_memory_tile, std::uint64_t bytes);

}  // namespace heddle
