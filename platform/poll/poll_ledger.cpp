#include "platform/poll/poll_ledger.hpp"

#include <algorithm>

#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Polls up to this instant have been sent.
fs_t latest_sent() {
  const bool is_behind_polls = sc_core::sc_delta_count_at_current_time() > 0;
  const fs_t now = now_fs();
  return is_behind_polls || now == 0 ? now : now - 1;
}

}  // namespace

sleeping_polls::sleeping_polls()
    : waking_(timed_queue<sleeping_poll*>::to<sleeping_polls, &sleeping_polls::wake_due>(*this)) {}

void sleeping_polls::count() const {
  for (poll_ledger* each : ledgers_) each->count();
}

// Cores that meet in one instant go on in the order in which they fell asleep.
void sleeping_polls::wake_due() {
  due_.clear();
  for (sleeping_poll* poll = nullptr; waking_.pop_due(now_fs(), poll);) due_.push_back(poll);
  std::sort(due_.begin(), due_.end(),
            [](const auto* a, const auto* b) { return a->number < b->number; });
  for (sleeping_poll* poll : due_) poll->wake.notify();
}

poll_ledger::poll_ledger(polled_target& target, simulation& sim)
    : target_(target), all_(sim.service<sleeping_polls>()) {
  all_.ledgers_.push_back(this);
}

void poll_ledger::add(sleeping_poll& poll) {
  poll.performed = poll.counted = 0;
  poll.is_asleep = true;
  poll.number = ++all_.sleeps_;
  asleep_.push_back(&poll);
}

void poll_ledger::count() {
  catch_up();
  for (sleeping_poll* each : asleep_) each->count_begun(now_fs());
}

// In the order of their instants.
void poll_ledger::perform_due() {
  const bool is_early = asleep_.size() == 1 && asleep_.front()->next > now_fs();
  if (is_early) return;  // of most accesses
  const fs_t last = latest_sent();
  for (;;) {
    sleeping_poll& first =
        **std::min_element(asleep_.begin(), asleep_.end(),
                           [](const auto* a, const auto* b) { return a->next < b->next; });
    if (first.next > last) return;
    perform(first, last);
  }
}

// A poll that was not held up found the target idle. If nobody else polls, so do those after it:
// there is no need to look at each.
void poll_ledger::perform(sleeping_poll& poll, fs_t last) {
  const fs_t start = poll.next + poll.route.latency;
  poll.answered = target_.perform_poll(poll, start);
  poll.next = poll.answered + poll.between;
  poll.count_performed(1);
  const fs_t undisturbed = target_.undisturbed_poll(poll);
  const bool is_held_up = poll.answered != start + undisturbed;
  if (is_held_up || asleep_.size() > 1 || poll.next > last) return;
  const fs_t period = poll.route.latency + undisturbed + poll.between;
  const std::uint64_t times = (last - poll.next) / period + 1;
  poll.next += times * period;
  poll.answered += times * period;
  target_.repeat_poll(poll, times, poll.answered - undisturbed);
  poll.count_performed(times);
}

void poll_ledger::wake_pollers(std::uint64_t address, std::uint64_t bytes) {
  perform_due();
  for (std::size_t i = asleep_.size(); i-- > 0;) {
    sleeping_poll& poll = *asleep_[i];
    const bool is_apart = poll.address + poll.bytes <= address || poll.address >= address + bytes;
    if (!is_apart) end_sleep(poll);
  }
}

void poll_ledger::wake(sleeping_poll& poll) {
  perform_due();
  end_sleep(poll);
}

void poll_ledger::end_sleep(sleeping_poll& poll) {
  asleep_.erase(std::find(asleep_.begin(), asleep_.end(), &poll));
  poll.is_asleep = false;
  const fs_t now = now_fs();
  poll.count_begun(now);
  all_.waking_.push(poll.next, &poll);
}

}  // namespace heddle
