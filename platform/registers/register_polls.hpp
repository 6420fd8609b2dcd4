// Polls that sleep at the registers of one unit: a core waits for what the model sets, as for a
// device to be done. Only what a read would find in any case can be waited for so: reads of the
// register have no side effects, and nobody asked for each of them to be counted.
#pragma once

#include "platform/poll/poll_ledger.hpp"
#include "platform/registers/access_history.hpp"
#include "platform/registers/register_cell.hpp"

namespace heddle {

class register_polls final : private polled_target {
 public:
  register_polls(access_history& history, simulation& sim)
      : history_(history), ledger_(*this, sim) {}

  // A register that synchronizes its readers is read when the access arrives, and a poll under way
  // finds what changes before that: it counts as performed when it leaves, which must be the same.
  static bool may_sleep_at(const register_cell& cell, const poll_route& route) {
    const bool has_effects = cell.read_clear_bits != 0 ||
                             (cell.hooks && (cell.hooks->before_read || cell.hooks->coverage));
    const bool is_read_later = cell.syncs_reads && route.latency != 0;
    return cell.is_readable && !has_effects && !is_read_later;
  }

  poll_ledger& ledger() { return ledger_; }

 private:
  // A poll leaves its trace in the history as any access of firmware.
  fs_t perform_poll(const sleeping_poll& poll, fs_t start) override;
  fs_t undisturbed_poll(const sleeping_poll&) const override { return 0; }
  void repeat_poll(const sleeping_poll& poll, std::uint64_t times, fs_t last_start) override;

  access_history& history_;
  poll_ledger ledger_;
};

}  // namespace heddle
