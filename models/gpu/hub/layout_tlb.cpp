#include "models/gpu/hub/layout_tlb.hpp"

#include <algorithm>

#include "platform/number/power_of_two.hpp"

namespace heddle {

layout_tlb::layout_tlb(std::uint32_t entries) : most_(entries) {
  // At most a quarter of the slots are in use, so a look-up seldom passes one that is taken.
  const std::size_t slots = std::max<std::size_t>(4, power_of_two_from(4ULL * most_));
  mask_ = slots - 1;
  slots_.resize(slots);
  entries_.reserve(most_);
  order_.clear(most_);
}

void layout_tlb::clear() {
  std::fill(slots_.begin(), slots_.end(), 0U);
  entries_.clear();
  order_.clear(most_);
}

const layout_tlb::entry* layout_tlb::find(std::uint64_t tag) {
  for (std::size_t at = home_of(tag); slots_[at] != 0; at = (at + 1) & mask_) {
    const std::uint32_t number = slots_[at] - 1;
    if (entries_[number].tag != tag) continue;
    order_.renew(number);
    return &entries_[number];
  }
  return nullptr;
}

void layout_tlb::fill(const entry& added) {
  auto number = static_cast<std::uint32_t>(entries_.size());
  if (number < most_) {
    entries_.push_back(added);
    order_.insert(number);
  } else {
    number = order_.earliest();
    erase(entries_[number].tag);
    entries_[number] = added;
    order_.renew(number);
  }
  enter(number);
}

void layout_tlb::enter(std::uint32_t number) {
  std::size_t at = home_of(entries_[number].tag);
  while (slots_[at] != 0) at = (at + 1) & mask_;
  slots_[at] = number + 1;
}

// The entries behind it move up, so that a look-up never passes an empty slot.
void layout_tlb::erase(std::uint64_t tag) {
  std::size_t hole = home_of(tag);
  while (entries_[slots_[hole] - 1].tag != tag) hole = (hole + 1) & mask_;
  for (std::size_t at = (hole + 1) & mask_; slots_[at] != 0; at = (at + 1) & mask_) {
    const std::size_t home = home_of(entries_[slots_[at] - 1].tag);
    if (((at - home) & mask_) < ((at - hole) & mask_)) continue;  // it would come before its home
    slots_[hole] = slots_[at];
    hole = at;
  }
  slots_[hole] = 0;
}

}  // namespace heddle
