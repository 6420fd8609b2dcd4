#include "models/traffic/packet_generator.hpp"

#include <cmath>

namespace heddle {

packet_generator::packet_generator(traffic_pattern pattern, double packets_per_cycle,
                                   endpoint_id hot_endpoint, random_stream random)
    : pattern_(pattern),
      probability_(packets_per_cycle),
      log_miss_(std::log1p(-packets_per_cycle)),
      hot_(hot_endpoint),
      random_(random) {}

void packet_generator::start(endpoint_id self, std::size_t endpoints) {
  self_ = self;
  endpoints_ = static_cast<std::uint32_t>(endpoints);
}

// The number of cycles without a packet is geometric: one draw instead of one a cycle.
generated_packet packet_generator::next() {
  if (probability_ <= 0) return {never, 0};
  const double misses = std::floor(std::log1p(-random_.fraction()) / log_miss_);
  const std::uint64_t cycle = next_cycle_ + static_cast<std::uint64_t>(misses);
  next_cycle_ = cycle + 1;
  return {cycle, destination()};
}

endpoint_id packet_generator::destination() {
  switch (pattern_) {
    case traffic_pattern::uniform:
      return static_cast<endpoint_id>(random_.below(endpoints_));
    case traffic_pattern::all2one:
      return hot_;
    case traffic_pattern::ring:
      return static_cast<endpoint_id>((self_ + 1U) % endpoints_);
  }
  return self_;
}

}  // namespace heddle
