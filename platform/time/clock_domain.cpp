#include "platform/time/clock_domain.hpp"

#include <algorithm>

namespace heddle {

clock_domain::clock_domain(fs_t period)
    : period_(period), clock_(timed_call::to<clock_domain, &clock_domain::evaluate>(*this)) {}

cycle_t clock_domain::next_cycle() const {
  return std::max(from_, (now_fs() + period_ - 1) / period_);
}

void clock_domain::evaluate() {
  cycle_t next = now_fs() / period_;
  do {
    evaluate(next);
    next = next_asked();
    if (next == never) return;
  } while (agenda::instance().pass_to(start_of(next)));
  clock_.at(start_of(next));
}

void clock_domain::evaluate(cycle_t cycle) {
  ++activations_;
  // Cycles between the last one and this were not asked for: their buckets are empty.
  from_ = cycle;
  if (!late_.empty()) take_late_wakes();
  pending_ &= ~(std::uint64_t{1} << (cycle % clocked_group::buckets));
  open_from_ = from_ = cycle + 1;
  const std::uint64_t next = std::uint64_t{1} << ((cycle + 1) % clocked_group::buckets);
  for (const auto& group : groups_)
    if (group->evaluate(cycle)) pending_ |= next;
  open_from_ = closed;
}

void clock_domain::take_late_wakes() {
  while (!late_.empty() && late_.front().cycle - from_ < clocked_group::buckets) {
    const late_wake due = late_.front();
    std::pop_heap(late_.begin(), late_.end());
    late_.pop_back();
    due.member->ask_for(due.cycle);
  }
}

void clock_domain::wake_late(const late_wake& asked) {
  late_.push_back(asked);
  std::push_heap(late_.begin(), late_.end());
  if (open_from_ == closed) clock_.at(start_of(asked.cycle));
}

// The earliest cycle that a member wants.
cycle_t clock_domain::next_asked() const {
  const cycle_t late = late_.empty() ? never : late_.front().cycle;
  if (!pending_) return late;
  const unsigned shift = from_ % clocked_group::buckets;
  const std::uint64_t ahead = shift ? pending_ >> shift | pending_ << (64 - shift) : pending_;
  return std::min(late, from_ + static_cast<cycle_t>(__builtin_ctzll(ahead)));
}

clock_domain& clock_domains::with_period(fs_t period) {
  for (const auto& each : all_)
    if (each->period() == period) return *each;
  return *all_.emplace_back(std::make_unique<clock_domain>(period));
}

}  // namespace heddle
