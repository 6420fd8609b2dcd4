#include "platform/time/clock_group.hpp"

#include "platform/time/clock_lane.hpp"

namespace heddle {

std::size_t clocked_group::asking(cycle_t cycle) const {
  std::size_t sum = 0;
  for (const auto& each : wheels_)
    sum += static_cast<std::size_t>(__builtin_popcountll(each->asked[cycle % buckets]));
  return sum;
}

void clocked_group::seat(clock_member& added, clock_lane& lane) {
  const std::size_t place = members_.size() % 64;
  if (place == 0) wheels_.push_back(std::make_unique<wheel>(wheel{&lane, {}}));
  members_.push_back(&added);
  added.wheel_ = wheels_.back().get();
  added.bit_ = std::uint64_t{1} << place;
}

void clocked_group::unseat_from(std::size_t first) {
  members_.resize(first);
  wheels_.resize((first + 63) / 64);
}

}  // namespace heddle
