#include "platform/time/clock_lane.hpp"

#include <algorithm>
#include <exception>

#include "platform/time/clock_domain.hpp"
#include "platform/time/wait_by_looking.hpp"

namespace heddle {

void clock_lane::receive_from(clock_lane& other) {
  inbox_.push_back({&other, std::make_unique<lane_mailbox>()});
  other.outbox_.push_back(inbox_.back().mail.get());
}

lane_mailbox& clock_lane::mailbox_from(const clock_lane& other, cycle_t least_cycles) const {
  domain_.limit_turns(least_cycles);
  const auto found = std::find_if(inbox_.begin(), inbox_.end(),
                                  [&](const sender& each) { return each.lane == &other; });
  assert(found != inbox_.end());
  return *found->mail;
}

// The first cycle counts even if no member of this lane has asked for it: one of another lane has.
clock_outlook clock_lane::take_turn(cycle_t first, cycle_t end) {
  clock_outlook outlook;
  cycle_t cycle = first;
  begin_turn(first);
  try {
    do {
      outlook.cycles = static_cast<std::uint8_t>(outlook.cycles | 1U << (cycle - first));
      for (const auto& group : groups_)
        outlook.members += static_cast<std::uint32_t>(group->asking(cycle));
      evaluate(cycle);
    } while ((cycle = next_asked()) < end);
  } catch (...) {
    put_off_.push_back({cycle, false, 0, 0,
                        [error = std::current_exception()] { std::rethrow_exception(error); }});
  }
  for (const put_off& each : put_off_)
    outlook.put_off_in = std::min(outlook.put_off_in, each.cycle);
  end_turn(outlook);
  return outlook;
}

void clock_lane::begin_turn(cycle_t first) {
  from_ = first;
  if (!has_read_) read_mail();
  has_read_ = false;
  ++turn_;
  for (lane_mailbox* each : outbox_) each->begin(turn_, first);
}

void clock_lane::end_turn(clock_outlook& outlook) {
  outlook.asked = next_asked();
  for (const lane_mailbox* each : outbox_) {
    outlook.asked = std::min(outlook.asked, each->asked());
    outlook.in_case = std::min(outlook.in_case, each->in_case());
  }
  for (lane_mailbox* each : outbox_) each->send(outlook);
}

// All lanes come to the same result, so either all of them go on or none does.
clock_stretch_result clock_lane::take_turns(const clock_stretch& stretch) {
  clock_stretch_result result;
  cycle_t first = stretch.first;
  do {
    clock_outlook outlook = take_turn(first, stretch.end_of_turn(first));
    join_others(outlook);
    result.add(first, outlook);
    first = outlook.asked;
  } while (!result.is_over(stretch));
  return result;
}

// Waits until the other lanes are through with this turn, too. Their letters are prefetched.
void clock_lane::join_others(clock_outlook& outlook) const {
  for (const sender& each : inbox_) {
    wait_until([&] { return each.mail->is_sent(turn_); });
    each.mail->prefetch(turn_);
    outlook.join(each.mail->outlook(turn_));
  }
}

void clock_lane::read_mail() {
  open_from_ = from_;
  for (const sender& each : inbox_) each.mail->deliver(turn_);
  open_from_ = closed;
  has_read_ = true;
}

void clock_lane::put_off_for(const clock_member& member, std::function<void()> action) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const auto number = groups_[i]->number_of(member);
    if (!number) continue;
    put_off_.push_back({from_ - 1, true, i, *number, std::move(action)});
    return;
  }
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
