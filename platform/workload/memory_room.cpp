#include "platform/workload/memory_room.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/firmware/window_memory.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Whether an address of the window is needed and leads to the memory, but none is there.
bool is_too_small(const window_memory& memory, std::uint64_t needed) {
  return std::min(needed, memory.first + memory.mapped) > memory.first + memory.there;
}

}  // namespace

void check_room(const workload_context& context, std::uint64_t needed, const std::string& what) {
  const window_memories& memories = context.sim.service<window_memories>();
  for (const rank_core* each : context.cores.ranks) {
    const auto found = memories.of.find(each);
    if (found == memories.of.end()) continue;
    for (const window_memory& memory : found->second)
      if (is_too_small(memory, needed))
        throw user_error(memory.place,
                         fmt::format("{} has {}, {} needs {}", memory.path,
                                     format_bytes(memory.size), what, format_bytes(needed)));
  }
}

}  // namespace heddle
