#include "models/cpu/rv_core/poll_watch.hpp"

#include <fmt/format.h>

#include "models/cpu/poll_limit.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

poll_watch::poll_watch(const unit& core, core_bus& bus, core_clock& clock, core_activity& activity,
                       program_end& end, rv_core_counters& counters, fs_t limit)
    : bus_(bus),
      clock_(clock),
      activity_(activity),
      end_(end),
      counters_(counters),
      limit_(limit),
      wires_(core.sim().service<link_directory>()),
      loop_(core.sim().service<link_directory>(), limit) {}

void poll_watch::begin(const char* what, std::uint64_t address, std::uint64_t value) {
  bus_.spend(category::firmware, clock_.now());
  begun_ = bus_.why();
  is_active_ = true;
  bus_.origin().is_poll = true;
  what_ = what;
  address_ = address;
  value_ = value;
  since_ = now_fs();
  wires_.start(since_);
  activity_.show(core_activity::state::poll);
}

void poll_watch::end() {
  if (is_active_) {
    counters_.poll_time += now_fs() - since_;
    if (observer_) observer_->add_poll(now_fs() - since_);
    explain();
  }
  is_active_ = false;
  bus_.origin().is_poll = false;
  activity_.show(core_activity::state::run);
}

// It has waited for what wrote the word, unless that was there before.
void poll_watch::explain() {
  if (bus_.seen().when() <= begun_.when()) return;
  bus_.why() = bus_.seen();
  bus_.spend(category::completion, clock_.now());
}

void poll_watch::look(std::uint64_t value) {
  bus_.why() = begun_;
  ++counters_.polls;
  if (limit_ == 0 || clock_.now() - wires_.since() < limit_) return;
  if (wires_.has_seen_traffic()) return wires_.start(clock_.now());
  clock_.synchronize();
  end_.fail(
      fmt::format("hang: polls {} (now {:#x}), {}", text(), value, beyond_poll_limit(limit_)));
}

void poll_watch::look_by_hand(std::uint64_t address, std::uint64_t value) {
  if (!loop_.add(address, value, clock_.now())) return;
  clock_.synchronize();
  end_.fail(fmt::format("hang: reads {} again and again (now {:#x}), since {}, {}",
                        bus_.view().described(address), value, format_duration(loop_.since()),
                        beyond_poll_limit(limit_)));
}

std::string poll_watch::text() const {
  return fmt::format("{} {} {:#x}, since {}", bus_.view().described(address_), what_, value_,
                     format_duration(since_));
}

}  // namespace heddle
