#include "platform/time/clock_lane.hpp"

#include <algorithm>

#include "platform/time/clock_domain.hpp"

namespace heddle {

std::size_t clocked_group::asking(cycle_t cycle) const {
  std::size_t sum = 0;
  for (const auto& each : wheels_)
    sum += static_cast<std::size_t>(__builtin_popcountll((*each)[cycle % buckets]));
  return sum;
}

void clocked_group::seat(clock_member& added, clock_lane& lane) {
  const std::size_t place = members_.size() % 64;
  if (place == 0) wheels_.push_back(std::make_unique<wheel>());
  members_.push_back(&added);
  added.lane_ = &lane;
  added.wheel_ = wheels_.back().get();
  added.bit_ = std::uint64_t{1} << place;
}

void clocked_group::unseat_from(std::size_t first) {
  members_.resize(first);
  wheels_.resize((first + 63) / 64);
}

void lane_mailbox::post(const letter& posted, cycle_t asks_for) {
  from_.posted_ = std::min(from_.posted_, asks_for);
  add(posted);
}

void lane_mailbox::post_in_case(const letter& posted, cycle_t earliest) {
  from_.in_case_ = std::min(from_.in_case_, earliest);
  add(posted);
}

lane_mailbox& clock_lane::mailbox_from(const clock_lane& other) const {
  const auto found = std::find_if(inbox_.begin(), inbox_.end(),
                                  [&](const auto& each) { return &each->from_ == &other; });
  assert(found != inbox_.end());
  return **found;
}

void clock_lane::receive_from(clock_lane& other) {
  inbox_.push_back(std::make_unique<lane_mailbox>(other));
  other.outbox_.push_back(inbox_.back().get());
}

clock_outlook clock_lane::evaluate_turn(cycle_t cycle) {
  from_ = cycle;
  begin_turn();
  clock_outlook outlook;
  for (const auto& group : groups_) outlook.activity += group->asking(cycle);
  evaluate(cycle);
  outlook.asked = next_asked();
  outlook.in_case = in_case_;
  outlook.has_put_off = has_put_off();
  return outlook;
}

void clock_lane::begin_turn() {
  if (!has_read_) read_mail();
  has_read_ = false;
  turn_ = 1 - turn_;
  posted_ = in_case_ = never;
  for (lane_mailbox* each : outbox_) each->lists_[turn_].letters.clear();
}

void clock_lane::read_mail() {
  open_from_ = from_;
  for (const auto& each : inbox_)
    for (const lane_mailbox::letter& letter : each->lists_[turn_].letters) letter.apply(letter);
  open_from_ = closed;
  has_read_ = true;
}

void clock_lane::do_what_was_put_off() {
  std::vector<std::function<void()>> actions;
  actions.swap(put_off_);
  for (const auto& act : actions) act();
}

void clock_lane::take_late_wakes() {
  while (!late_.empty() && late_.front().cycle - from_ < clocked_group::buckets) {
    const late_wake due = late_.front();
    std::pop_heap(late_.begin(), late_.end());
    late_.pop_back();
    due.member->ask_for(due.cycle);
  }
}

void clock_lane::wake_late(const late_wake& asked) {
  late_.push_back(asked);
  std::push_heap(late_.begin(), late_.end());
  if (open_from_ == closed) domain_.continue_by(asked.cycle);
}

}  // namespace heddle
