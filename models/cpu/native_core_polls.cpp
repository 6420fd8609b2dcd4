// Polls of firmware that runs natively: those of the HAL, and loops that read a word by hand.
#include <fmt/format.h>

#include <algorithm>

#include "models/cpu/native_core.hpp"
#include "models/cpu/poll_limit.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/time_limits.hpp"

namespace heddle {

std::string native_core::polled_text() const {
  return fmt::format("{} {} {:#x}, since {}", bus_.view().described(polled_.address), polled_.what,
                     polled_.value, format_duration(polled_.since));
}

int native_core::poll(const poll_request& request, std::uint64_t& last) {
  const cause begun = begin_poll(request);
  bool is_met = false;
  while (!(is_met = sees_condition(request, last))) {
    why() = begun;
    const fs_t now = local_time();
    if (request.timeout_ns != 0 && now - polled_.since >= from_nanoseconds(request.timeout_ns))
      break;
    if (timing_.poll_limit != 0 && now - wires_.since() >= timing_.poll_limit) {
      if (!wires_.has_seen_traffic()) fail_hung(last);
      wires_.start(now);
      continue;
    }
    wait_for_next_look(request, last);
  }
  end_poll(begun);
  return is_met ? 0 : -1;
}

cause native_core::begin_poll(const poll_request& request) {
  synchronize();
  spend(category::firmware);
  activity_.show(core_activity::state::poll);
  polled_ = {request.what, request.address, request.b, now_fs()};
  bus_.origin().is_poll = true;
  wires_.start(polled_.since);
  return why();
}

bool native_core::sees_condition(const poll_request& request, std::uint64_t& last) {
  if (!is_poll_under_way_) {
    ++counters_.polls;
    ++counters_.reads;
  }
  last = observed_load(request.address, request.bytes);
  return request.is_met(last, request.a, request.b);
}

void native_core::fail_hung(std::uint64_t last) {
  synchronize();
  control_.fail(fmt::format("{}: hang: polls {} (now {:#x}), {}{}", path(), polled_text(), last,
                            beyond_poll_limit(timing_.poll_limit), at_line(bus_.origin().at)));
  halt();
}

// A core that runs ahead of simulated time waits for it first: it looks again, or sleeps, from
// there.
void native_core::wait_for_next_look(const poll_request& request, std::uint64_t last) {
  synchronize();
  is_in_step_ = !sleeps_through_polls();
  if (is_in_step_) return;
  fs_t deadline = fs_never;
  const fs_t timeout = from_nanoseconds(request.timeout_ns);
  if (timeout != 0 && timeout < fs_never - polled_.since) deadline = polled_.since + timeout;
  if (timing_.poll_limit != 0) deadline = std::min(deadline, wires_.since() + timing_.poll_limit);
  const fs_t since = now_fs();
  const std::uint64_t polls_then = counters_.polls.raw();
  is_poll_under_way_ = sleep_.until_changed(request.address, request.bytes, last, deadline);
  if (!is_poll_under_way_ || !calls_) return;
  // The core did nothing but poll, so its accesses fill the time since. The last of them is on its
  // way and counts when it has its answer, with what is left of its time.
  calls_->add_accesses(counters_.polls.raw() - polls_then - 1, now_fs() - since);
}

void native_core::end_poll(const cause& begun) {
  is_in_step_ = false;
  counters_.poll_time += now_fs() - polled_.since;
  if (calls_) calls_->add_poll(now_fs() - polled_.since);
  explain_poll(begun);
  polled_.what = nullptr;
  bus_.origin().is_poll = false;
  activity_.show(core_activity::state::run);
}

bool native_core::sleeps_through_polls() const {
  const bool polls_are_many =
      control_.running_cores() > most_that_poll || call_cost_ + access_cost_ < shortest_poll;
  const bool are_all_seen = bus_.is_logged() || (calls_ && calls_->is_traced());
  return polls_are_many && !are_all_seen;
}

// The core has waited for whoever wrote the word, unless the word was there before the poll began.
void native_core::explain_poll(const cause& begun) {
  if (bus_.seen().when() <= begun.when()) return;
  why() = bus_.seen();
  spend(category::completion);
}

// A poll by hand is held to the same limit as one of the HAL.
void native_core::look_for_loop(std::uint64_t address, std::uint64_t value) {
  if (!loop_.add(address, value, local_time())) return;
  synchronize();
  control_.fail(fmt::format("{}: hang: reads {} again and again (now {:#x}), since {}, {}{}",
                            path(), bus_.view().described(address), value,
                            format_duration(loop_.since()), beyond_poll_limit(timing_.poll_limit),
                            at_line(bus_.origin().at)));
  halt();
}

}  // namespace heddle
