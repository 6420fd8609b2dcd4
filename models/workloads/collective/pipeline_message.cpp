#include "models/workloads/collective/pipeline_message.hpp"

#include <algorithm>
#include <cmath>

namespace heddle {
namespace {

// There and back, to a rank behind one switch. Where wires are short, the switch, twice, and the
// memory behind it take the time: 100 ns each.
double round_trip_s(const link_directory& net) {
  constexpr double at_least = 300e-9;
  fs_t longest = 0;
  for (const link_record& each : net.links) longest = std::max(longest, each.latency);
  return std::max(at_least, 4 * static_cast<double>(longest) / fs_per_s);
}

}  // namespace

std::uint64_t message_of_pipeline(std::uint64_t bytes, double bytes_per_second,
                                  const link_directory& net, double weight) {
  constexpr std::uint64_t line_bytes = 64;
  constexpr double longest = 1 << 30;
  const double under_way = bytes_per_second * round_trip_s(net);
  const double length = std::sqrt(static_cast<double>(bytes) * under_way * weight);
  const auto lines = std::ceil(std::clamp(length, 1.0, longest) / line_bytes);
  return static_cast<std::uint64_t>(lines) * line_bytes;
}

}  // namespace heddle
