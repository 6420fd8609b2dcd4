#include "models/workloads/gather/cache_warnings.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "models/workloads/gather/gather_job.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Racks that have the same cache.
struct cache_size {
  std::uint64_t asked = 0, used = 0, pipes = 0;
  bool operator<(const cache_size& other) const {
    return std::tie(asked, used, pipes) < std::tie(other.asked, other.used, other.pipes);
  }
};
using racks_by_size = std::map<cache_size, std::vector<std::string>>;

racks_by_size sizes_of(const gather_system& system, std::uint32_t length) {
  racks_by_size sizes;
  for (const tor* each : system.racks)
    if (each->hosts() > 0 && each->cache_bytes() > 0)
      sizes[{each->cache_bytes(), each->used_cache_bytes(length), each->pipe_count()}].push_back(
          each->path());
  return sizes;
}

std::string name_of(const std::vector<std::string>& racks) {
  if (racks.size() == 1) return racks.front();
  return fmt::format("{} and {} other{}", racks.front(), racks.size() - 1,
                     racks.size() == 2 ? "" : "s");
}

std::string warning_of(const cache_size& size, std::uint32_t elements) {
  const std::uint64_t each = property_cache::least_bytes(property_bytes(elements));
  const std::string whole = fmt::format("lines of {} B take multiples of {} in each of {} pipes",
                                        property_cache::line_for(property_bytes(elements)),
                                        format_bytes(each), size.pipes);
  if (size.used == 0)
    return fmt::format("a property cache of {} holds nothing with K = {}: {}, so {} are the least",
                       format_bytes(size.asked), elements, whole, format_bytes(each * size.pipes));
  return fmt::format("of a property cache of {}, {} are used with K = {}: {}",
                     format_bytes(size.asked), format_bytes(size.used), elements, whole);
}

}  // namespace

std::vector<std::string> cache_warnings(const gather_system& system, std::uint32_t elements) {
  constexpr std::uint32_t longest = property_cache::longest_line;
  const std::uint32_t length = property_bytes(elements);
  const racks_by_size sizes = sizes_of(system, length);
  if (length > longest && !sizes.empty())
    return {
        fmt::format("no property cache is used with K = {}: a property takes {} B, a line of "
                    "the caches has {} B: slices of {} elements, a gather each, would use them",
                    elements, length, longest, longest / property_bytes(1))};
  std::vector<std::string> warnings;
  for (const auto& [size, racks] : sizes)
    if (size.used < size.asked)
      warnings.push_back(fmt::format("{}: {}", name_of(racks), warning_of(size, elements)));
  return warnings;
}

}  // namespace heddle
