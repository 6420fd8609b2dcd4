#include "platform/time/clock_group.hpp"

#include <algorithm>

#include "platform/random/split_mix.hpp"
#include "platform/time/clock_lane.hpp"

namespace heddle {

std::size_t clocked_group::asking(cycle_t cycle) const {
  std::size_t sum = 0;
  for (const auto& each : wheels_)
    sum += static_cast<std::size_t>(__builtin_popcountll(each->asked[cycle % buckets]));
  return sum;
}

std::optional<std::size_t> clocked_group::number_of(const clock_member& member) const {
  const auto its = std::find_if(wheels_.begin(), wheels_.end(),
                                [&](const auto& each) { return each.get() == member.wheel_; });
  if (its == wheels_.end()) return std::nullopt;
  const auto first = static_cast<std::size_t>(its - wheels_.begin()) * wheel_members;
  return numbers_[first + static_cast<std::size_t>(__builtin_ctzll(member.bit_))];
}

void clocked_group::seat(clock_member& added, std::size_t number, clock_lane& lane) {
  const std::size_t place = members_.size() % wheel_members;
  if (place == 0) wheels_.push_back(std::make_unique<wheel>(wheel{&lane}));
  members_.push_back(&added);
  numbers_.push_back(number);
  added.wheel_ = wheels_.back().get();
  added.bit_ = std::uint64_t{1} << place;
}

void clocked_group::unseat_from(std::size_t first) {
  members_.resize(first);
  numbers_.resize(first);
  wheels_.resize((first + wheel_members - 1) / wheel_members);
}

// Members of one wheel change places: neighbors in the network, which hand over to each other, are
// still evaluated soon after each other.
void clocked_group::scatter() {
  split_mix::sequence random(split_mix::start_of_stream(0, 0));
  for (std::size_t first = 0; first < size(); first += wheel_members)
    for (std::size_t left = std::min(size() - first, wheel_members); left > 1; --left)
      swap(first + left - 1, first + random.next() % left);
}

// Both are of one wheel.
void clocked_group::swap(std::size_t a, std::size_t b) {
  std::swap(members_[a], members_[b]);
  std::swap(numbers_[a], numbers_[b]);
  std::swap(members_[a]->bit_, members_[b]->bit_);
  swap_units(a, b);
}

}  // namespace heddle
