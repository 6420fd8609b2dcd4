// How a core sleeps through the polls that it would make in vain (platform/poll).
#pragma once

#include <cstdint>

#include "platform/poll/poll_ledger.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/memory/memory_port.hpp"

namespace heddle {

class poll_sleep {
 public:
  // `between`: from the answer to a poll to the instant when the next one leaves the core. `origin`
  // goes with each of its accesses. Both statistics count a poll when it begins.
  poll_sleep(memory_initiator_base& bus, fs_t between, const access_origin& origin,
             statistic& reads, statistic& polls);

  // A poll has just found `value`, which is not what the core waits for. Sleeps until the instant
  // when the first poll that can find another value leaves the core, and says so: that poll counts
  // already. False, at once: the core has to poll, because the target cannot tell of changes, or
  // because `deadline` is so near that the core has to look at the clock after each poll.
  bool until_changed(std::uint64_t address, unsigned bytes, std::uint64_t value, fs_t deadline);

 private:
  poll_ledger* find(std::uint64_t address, unsigned bytes, std::uint64_t value);
  void look_at_clock();

  memory_initiator_base& bus_;
  tlm::tlm_generic_payload asking_;  // used again and again
  sleeping_poll poll_;
  poll_ledger* ledger_ = nullptr;  // where it sleeps
  fs_t clock_due_ = fs_never;
  timed_call clock_;
};

}  // namespace heddle
