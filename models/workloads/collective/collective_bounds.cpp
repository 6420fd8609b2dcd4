#include "models/workloads/collective/collective_bounds.hpp"

#include <fmt/format.h>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

// Payload rates count whole packets; the last one of a message may be shorter.
constexpr double rounding = 1.002;

}  // namespace

std::string impossibility(std::uint64_t work, fs_t time, const collective_bounds& bounds) {
  if (time < bounds.shortest_way)
    return fmt::format("it took {}, and a signal between its ranks takes no less than {}",
                       format_duration(time), format_duration(bounds.shortest_way));
  const double least = bounds.ceiling_Bps > 0 ? static_cast<double>(work) / bounds.ceiling_Bps : 0;
  if (seconds(time) * rounding >= least) return {};
  return fmt::format("it took {}, and its wires, which carry {} at most, take {}",
                     format_duration(time), format_bandwidth(bounds.ceiling_Bps),
                     format_duration(static_cast<fs_t>(least * 1e15)));
}

}  // namespace heddle
