#include "models/workloads/gather/cache_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/gather/gather_job.hpp"

namespace heddle {

std::vector<std::string> cache_warnings(const gather_system& system, std::uint32_t elements) {
  constexpr std::uint32_t longest = property_cache::longest_line;
  const std::uint32_t length = property_bytes(elements);
  const bool has_cache = std::any_of(system.racks.begin(), system.racks.end(), [](const tor* each) {
    return each->hosts() > 0 && each->cache_bytes() > 0;
  });
  if (!has_cache || length <= longest) return {};
  return {
      fmt::format("no property cache is used with K = {}: a property takes {} B, a line of the "
                  "caches has {} B, which are {} elements",
                  elements, length, longest, longest / 4)};
}

}  // namespace heddle
