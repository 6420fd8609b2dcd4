// How long the paths are that next hops make, found by following them.
#pragma once

#include <vector>

#include "transactors/fabric/routing_policy.hpp"

namespace heddle {

// Hops from each switch to the nearest home over the given next hops; topology::none where they
// lead nowhere. Throws user_error for hops that lead in a circle, with the circle.
std::vector<topology::index> path_lengths(const topology& net, const destination_group& to,
                                          const hops_by_switch& hops);

}  // namespace heddle
