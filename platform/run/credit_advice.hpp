// What to do about a critical path that waits for buffers at the far end of a wire.
#pragma once

#include <string>

#include "platform/explain/breakdown.hpp"
#include "platform/services/link_directory.hpp"

namespace heddle {

// Names the wire on which the path waited longest for credits, its buffer, bandwidth x round trip,
// and what would help; "" unless credits are a tenth of the path or more.
std::string credit_advice(const breakdown& path, const link_directory& links);

}  // namespace heddle
