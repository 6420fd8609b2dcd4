// A part of a clock domain that one thread evaluates, cycle by cycle: all of its members, unless a
// domain of many members that may run at the same time was spread over several lanes.
//
// Several lanes go turn by turn. A turn has as many cycles as mail from one lane to another takes
// at least, so that a lane needs the mail of earlier turns alone. At its end lanes tell each other
// which cycles they have asked for, and so each of them knows with which one the next turn begins.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "platform/time/clock_group.hpp"
#include "platform/time/clock_outlook.hpp"
#include "platform/time/clock_stretch.hpp"
#include "platform/time/lane_mailbox.hpp"

namespace heddle {

class clock_domain;

// A unit's place in its clock domain.
class clock_member {
 public:
  clock_domain& domain() const;
  clock_lane& lane() const { return *wheel_->lane; }
  bool is_clocked() const { return wheel_ != nullptr; }
  // Asks to be evaluated in that cycle, which was not evaluated yet.
  void wake(cycle_t cycle) const;
  // For what touches more than the member and its links, such as the end of the run: an action that
  // is done when all members have been evaluated in this cycle. Where there are several lanes, all
  // of them finish the turn before; simulated time is then that of the first cycle of the turn for
  // which there are actions. They may wake members for clock_domain::next_cycle() and later.
  void after_cycle(std::function<void()> action) const;

 private:
  friend class clocked_group;
  friend class clock_lane;
  void ask_for(cycle_t cycle) const;  // which the wheel holds

  clocked_group::wheel* wheel_ = nullptr;  // of the 64 members to which this one belongs
  std::uint64_t bit_ = 0;                  // of a bucket
};

class alignas(64) clock_lane {
 public:
  static constexpr cycle_t never = clock_outlook::never;

  explicit clock_lane(clock_domain& domain) : domain_(domain) {}
  clock_lane(const clock_lane&) = delete;
  clock_lane& operator=(const clock_lane&) = delete;

  clock_domain& domain() const { return domain_; }
  cycle_t first_open() const { return from_; }  // was not evaluated yet

  void add_group(std::unique_ptr<clocked_group> added) { groups_.push_back(std::move(added)); }
  clocked_group& group(std::size_t number) const { return *groups_[number]; }

  // Before the first cycle, for every other lane of the domain.
  void receive_from(clock_lane& other);
  // For letters to a cycle that lies `least_cycles` or more, 1 at least, behind the one in which
  // they are posted. No turn of the domain has more cycles than that.
  lane_mailbox& mailbox_from(const clock_lane& other, cycle_t least_cycles) const;

  // For a domain with one lane. Returns whether a member goes on in the next cycle.
  bool evaluate(cycle_t cycle);
  // For a domain with several lanes, which all take this turn before the next. It begins with the
  // mail of the turn before and ends with mail to others. An error ends it early and is put off.
  clock_outlook take_turn(cycle_t first, cycle_t end);
  // Takes turn after turn, while a thread for each of the other lanes does the same.
  clock_stretch_result take_turns(const clock_stretch& stretch);
  // Between turns: delivers the mail of the latest one, which the next turn then leaves out.
  void read_mail();

  // An action of after_cycle(), or an error that goes on when it is acted on. An error comes first
  // of its cycle, actions in the order in which one lane would evaluate their members.
  struct put_off {
    cycle_t cycle;
    bool is_action;
    std::size_t group, number;  // of the member: its type's in the domain, its own in the type
    std::function<void()> act;
    bool operator<(const put_off& other) const {
      return std::tie(cycle, is_action, group, number) <
             std::tie(other.cycle, other.is_action, other.group, other.number);
    }
  };
  bool has_put_off() const { return !put_off_.empty(); }
  std::vector<put_off> take_put_off() { return std::exchange(put_off_, {}); }

  cycle_t next_asked() const;  // the earliest cycle that a member wants, without unread mail

 private:
  friend class clock_member;
  struct late_wake {  // beyond the wheel
    cycle_t cycle;
    const clock_member* member;
    bool operator<(const late_wake& other) const { return cycle > other.cycle; }  // for a heap
  };

  void begin_turn(cycle_t first);
  void end_turn(clock_outlook& outlook);
  void join_others(clock_outlook& outlook) const;
  void put_off_for(const clock_member& member, std::function<void()> action);
  void wake_late(const late_wake& asked);
  void take_late_wakes();

  static constexpr cycle_t closed = UINT64_MAX / 2;

  std::uint64_t pending_ = 0;   // buckets of the wheel that somebody asked for
  cycle_t from_ = 0;            // the wheel holds from_ .. from_ + buckets - 1
  cycle_t open_from_ = closed;  // from_ while members may be woken by way of the wheel
  std::uint64_t turn_ = 0;
  bool has_read_ = false;  // the mail of the latest turn
  std::vector<late_wake> late_;
  std::vector<std::unique_ptr<clocked_group>> groups_;
  std::vector<put_off> put_off_;
  struct sender {
    const clock_lane* lane;
    std::unique_ptr<lane_mailbox> mail;
  };
  std::vector<sender> inbox_;
  std::vector<lane_mailbox*> outbox_;
  clock_domain& domain_;
};

inline clock_domain& clock_member::domain() const {
  return lane().domain();
}

inline void clock_member::ask_for(cycle_t cycle) const {
  const std::size_t bucket = cycle % clocked_group::buckets;
  wheel_->asked[bucket] |= bit_;
  wheel_->lane->pending_ |= std::uint64_t{1} << bucket;
}

inline void clock_member::wake(cycle_t cycle) const {
  clock_lane& here = lane();
  assert(cycle >= here.from_);
  if (__builtin_expect(cycle - here.open_from_ >= clocked_group::buckets - 1, 0))
    return here.wake_late({cycle, this});
  ask_for(cycle);
}

inline void clock_member::after_cycle(std::function<void()> action) const {
  lane().put_off_for(*this, std::move(action));
}

inline bool clock_lane::evaluate(cycle_t cycle) {
  // Cycles between the last one and this were not asked for: their buckets are empty.
  from_ = cycle;
  if (!late_.empty()) take_late_wakes();
  pending_ &= ~(std::uint64_t{1} << (cycle % clocked_group::buckets));
  open_from_ = from_ = cycle + 1;
  bool goes_on = false;
  for (const auto& group : groups_) goes_on |= group->evaluate(cycle);
  if (goes_on) pending_ |= std::uint64_t{1} << ((cycle + 1) % clocked_group::buckets);
  open_from_ = closed;
  return goes_on;
}

inline cycle_t clock_lane::next_asked() const {
  const cycle_t late = late_.empty() ? never : late_.front().cycle;
  if (!pending_) return late;
  const unsigned shift = from_ % clocked_group::buckets;
  const std::uint64_t ahead = shift ? pending_ >> shift | pending_ << (64 - shift) : pending_;
  return std::min(late, from_ + static_cast<cycle_t>(__builtin_ctzll(ahead)));
}

}  // namespace heddle
