#include "models/workloads/collective/message_round.hpp"

#include <algorithm>

namespace heddle {

message_round round_to_neighbor(std::uint64_t ranks, double times, double share) {
  message_round round;
  round.times = times;
  for (std::uint32_t from = 0; from < ranks; ++from)
    round.messages.push_back({from, static_cast<std::uint32_t>((from + 1) % ranks), share});
  return round;
}

message_round round_to_all(std::uint64_t ranks, double times, double share) {
  constexpr std::uint64_t most_messages = 4096;
  const std::uint64_t distances = ranks - 1;
  const std::uint64_t taken =
      std::min(distances, std::max<std::uint64_t>(most_messages / ranks, 1));
  message_round round;
  round.times = times;
  round.of_rank = static_cast<std::uint32_t>(distances);
  const double of_each = share * static_cast<double>(distances) / static_cast<double>(taken);
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t distance = 1 + i * distances / taken;
    for (std::uint32_t from = 0; from < ranks; ++from)
      round.messages.push_back({from, static_cast<std::uint32_t>((from + distance) % ranks),
                                of_each, static_cast<std::uint32_t>(i)});
  }
  return round;
}

}  // namespace heddle
