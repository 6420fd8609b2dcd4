// Whether the memories of ranks have room for a job, before anything is simulated.
#pragma once

#include <cstdint>
#include <string>

#include "platform/workload/workload_kind.hpp"

namespace heddle {

// A job needs the first `needed` bytes of the window of each rank. Throws user_error where the
// memory behind a window has less: at the size of the memory. what: "a job of 16 MiB by scin".
void check_room(const workload_context& context, std::uint64_t needed, const std::string& what);

}  // namespace heddle
