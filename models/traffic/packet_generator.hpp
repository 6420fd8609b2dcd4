// Decides when a source creates packets and where they go: in every cycle a packet with a fixed
// probability (Bernoulli), to a destination that the pattern names. Packets are made up one at a
// time, when the source gets to them: the queue behind a source is unbounded and takes no memory.
#pragma once

#include <cstdint>

#include "models/traffic/random_stream.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

enum class traffic_pattern { uniform, all2one, ring };

struct generated_packet {
  std::uint64_t cycle = 0;  // when it was created
  endpoint_id destination = 0;
};

class packet_generator {
 public:
  packet_generator(traffic_pattern pattern, double packets_per_cycle, endpoint_id hot_endpoint,
                   random_stream random);

  // Endpoints are known at the end of elaboration only.
  void start(endpoint_id self, std::size_t endpoints);

  // The cycle is `never` when the probability is 0.
  static constexpr std::uint64_t never = UINT64_MAX;
  generated_packet next();

 private:
  endpoint_id destination();

  traffic_pattern pattern_;
  double probability_;
  double log_miss_;  // log of the probability that a cycle creates nothing
  endpoint_id hot_;
  endpoint_id self_ = 0;
  std::uint32_t endpoints_ = 0;
  random_stream random_;
  std::uint64_t next_cycle_ = 0;  // the first whose trial was not made yet
};

}  // namespace heddle
