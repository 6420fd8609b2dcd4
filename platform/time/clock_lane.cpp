#include "platform/time/clock_lane.hpp"

#include <algorithm>

#include "platform/time/clock_domain.hpp"

namespace heddle {

void clock_lane::receive_from(clock_lane& other) {
  inbox_.push_back({&other, std::make_unique<lane_mailbox>()});
  other.outbox_.push_back(inbox_.back().mail.get());
}

lane_mailbox& clock_lane::mailbox_from(const clock_lane& other) const {
  const auto found = std::find_if(inbox_.begin(), inbox_.end(),
                                  [&](const sender& each) { return each.lane == &other; });
  assert(found != inbox_.end());
  return *found->mail;
}

clock_outlook clock_lane::evaluate_turn(cycle_t cycle) {
  from_ = cycle;
  begin_turn();
  clock_outlook outlook;
  for (const auto& group : groups_) outlook.activity += group->asking(cycle);
  evaluate(cycle);
  outlook.asked = next_asked();
  for (const lane_mailbox* each : outbox_) {
    outlook.asked = std::min(outlook.asked, each->asked());
    outlook.in_case = std::min(outlook.in_case, each->in_case());
  }
  outlook.has_put_off = has_put_off();
  return outlook;
}

void clock_lane::begin_turn() {
  if (!has_read_) read_mail();
  has_read_ = false;
  turn_ = 1 - turn_;
  for (lane_mailbox* each : outbox_) each->begin(turn_);
}

void clock_lane::read_mail() {
  open_from_ = from_;
  for (const sender& each : inbox_) each.mail->apply_all(turn_);
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
