#include "platform/time/clock_domain.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <system_error>

#include "platform/time/clock_team.hpp"
#include "platform/time/kernel_run.hpp"

namespace heddle {
namespace {

// A turn costs a thread 0.2 to 0.7 us, as much as the evaluation of some members.
constexpr std::size_t fewest_of_lane = 16, fewest_of_turn = 16;

}  // namespace

clock_domain::clock_domain(fs_t period)
    : period_(period), clock_(timed_call::to<clock_domain, &clock_domain::evaluate>(*this)) {
  lanes_.push_back(std::make_unique<clock_lane>(*this));
}

clock_domain::~clock_domain() = default;

cycle_t clock_domain::next_cycle() const {
  cycle_t next = (now_fs() + period_ - 1) / period_;
  for (const auto& each : lanes_) next = std::max(next, each->first_open());
  return next;
}

void clock_domain::spread(int lanes) {
  if (!is_concurrent_) return;
  std::size_t largest = 0;
  for (std::size_t i = 0; i < types_.size(); ++i)
    largest = std::max(largest, first_lane().group(i).size());
  const std::size_t wanted = std::min(static_cast<std::size_t>(lanes), largest / fewest_of_lane);
  for (std::size_t left = wanted; left > 1; --left) add_lane(left);
  if (lanes_.size() == 1) return;
  for (const auto& each : lanes_)
    for (std::size_t i = 0; i < types_.size(); ++i) each->group(i).scatter();
  for (const auto& to : lanes_)
    for (const auto& from : lanes_)
      if (to != from) to->receive_from(*from);
}

// Adds one of `of` lanes among which the members of the first lane are divided: 1/of of them move.
void clock_domain::add_lane(std::size_t of) {
  auto added = std::make_unique<clock_lane>(*this);
  for (std::size_t i = 0; i < types_.size(); ++i) {
    clocked_group& shared = first_lane().group(i);
    added->add_group(shared.split(shared.size() * (of - 1) / of, *added));
  }
  lanes_.insert(lanes_.begin() + 1, std::move(added));
}

void clock_domain::evaluate() {
  cycle_t next = now_fs() / period_;
  quiet_until_ = 0;
  const bool is_spread = lanes_.size() > 1;
  if (is_spread) choice_.begin();
  do {
    next = is_spread ? evaluate_lanes(next) : evaluate_one_lane(next);
  } while (next != never && go_to(next));
  if (is_spread) choice_.end();
  if (next != never) continue_by(next);
}

cycle_t clock_domain::evaluate_one_lane(cycle_t first) {
  clock_lane& lane = first_lane();
  const cycle_t end = end_of_quiet();
  cycle_t last = first, next = first;
  std::uint64_t cycles = 0;
  try {
    do {
      last = next;
      ++cycles;
      next = lane.evaluate(last) ? last + 1 : lane.next_asked();
    } while (next < end && !lane.has_put_off());
  } catch (...) {
    pass_cycles(cycles, last);
    throw;
  }
  pass_cycles(cycles, last);
  if (!lane.has_put_off()) return next;
  do_what_was_put_off();
  return lane.next_asked();
}

// States that `cycles` cycles have been evaluated, from the present one to `last`.
void clock_domain::pass_cycles(std::uint64_t cycles, cycle_t last) {
  activations_ += cycles;
  latest_start_ = start_of(last);
  if (cycles > 1) jump_to(start_of(last), cycles - 1);
}

// The first cycle that may not be evaluated before others have been asked.
cycle_t clock_domain::end_of_quiet() const {
  return quiet_until_ / period_ + (quiet_until_ % period_ != 0);
}

// In the order in which one lane would have done it. That lane would have evaluated nothing behind
// a cycle in which the run was stopped, so actions of later cycles are dropped then.
void clock_domain::do_what_was_put_off() {
  quiet_until_ = 0;
  std::vector<clock_lane::put_off> actions;
  for (const auto& each : lanes_)
    for (clock_lane::put_off& taken : each->take_put_off()) actions.push_back(std::move(taken));
  std::stable_sort(actions.begin(), actions.end());
  for (const clock_lane::put_off& each : actions) {
    if (each.cycle > actions.front().cycle && is_stopped()) return;
    each.act();
  }
}

// Concurrent members touch neither the agenda nor the kernel, nor do they ask for the time, so what
// these have said before holds, and the kernel's time may follow behind a stretch of cycles.
bool clock_domain::go_to(cycle_t cycle) {
  const fs_t start = start_of(cycle);
  if (start < quiet_until_) {
    jump_to(start);
    return true;
  }
  agenda& others = agenda::instance();
  if (!others.pass_to(start)) return false;
  if (is_concurrent_) quiet_until_ = others.quiet_until();
  return true;
}

cycle_t clock_domain::evaluate_lanes(cycle_t first) {
  clock_stretch stretch;
  stretch.first = first;
  stretch.end = end_of_quiet();
  stretch.cycles_of_turn = cycles_of_turn_;
  stretch.most_members = choice_.members_left();
  stretch.fewest_of_turn = fewest_of_turn;
  const bool are_many = outlook_.members >= fewest_of_turn;
  clock_team* const team = are_many && choice_.is_together() ? find_team() : nullptr;
  const clock_stretch_result result =
      team ? team->evaluate(first_lane(), stretch) : evaluate_alone(stretch);
  outlook_ = result.outlook;
  choice_.count(result.members);
  pass_cycles(result.cycles, result.last);
  if (outlook_.put_off_in != never) do_what_was_put_off();
  return next_of_lanes();
}

// One turn of all lanes, by this thread.
clock_stretch_result clock_domain::evaluate_alone(const clock_stretch& stretch) {
  const cycle_t first = stretch.first;
  clock_outlook outlook;
  for (const auto& each : lanes_) outlook.join(each->take_turn(first, stretch.end_of_turn(first)));
  clock_stretch_result result;
  result.add(first, outlook);
  return result;
}

// nullptr where the system gives no threads.
clock_team* clock_domain::find_team() {
  if (team_ || has_no_threads_) return team_.get();
  std::vector<clock_lane*> others;
  for (std::size_t i = 1; i < lanes_.size(); ++i) others.push_back(lanes_[i].get());
  try {
    team_ = std::make_unique<clock_team>(others);
  } catch (const std::system_error& error) {
    has_no_threads_ = true;
    spdlog::warn("one thread goes on alone: no {} others: {}", others.size(),
                 error.code().message());
  }
  return team_.get();
}

// A letter that may ask for an earlier cycle than all other letters do is read first.
cycle_t clock_domain::next_of_lanes() const {
  if (outlook_.in_case >= outlook_.asked) return outlook_.asked;
  cycle_t next = never;
  for (const auto& each : lanes_) each->read_mail();
  for (const auto& each : lanes_) next = std::min(next, each->next_asked());
  return next;
}

clock_domain& clock_domains::with_period(fs_t period) {
  for (const auto& each : all_)
    if (each->period() == period) return *each;
  return *all_.emplace_back(std::make_unique<clock_domain>(period));
}

void clock_domains::spread() {
  for (const auto& each : all_) each->spread(threads_);
}

}  // namespace heddle
