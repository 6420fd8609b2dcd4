// Clock cycles of a domain, counted from the start of simulated time.
#pragma once

#include <cstdint>

namespace heddle {

using cycle_t = std::uint64_t;

}  // namespace heddle
