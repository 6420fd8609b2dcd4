// Extension of the generic payload, ignorable.
#pragma once

#include <cstdint>
#include <tlm>

#include "platform/poll/poll_ledger.hpp"
#include "platform/poll/word_watch.hpp"

namespace heddle {

// Ignorable, on debug transport alone: at which target could a poll of this word sleep? Each
// component on the way says whom it passes the question to, and each that it reaches looks whether
// it was meant: behind a component that does not know of it, nobody answers.
struct poll_question : tlm::tlm_extension<poll_question> {
  using interface = tlm::tlm_fw_transport_if<>;

  const interface* asked = nullptr;  // nullptr: the way is not known
  poll_route route;
  // The answer: nullptr where the core has to poll.
  poll_ledger* ledger = nullptr;
  // Where a device can watch the word instead; nullptr where there is nothing of the kind.
  word_watches* watches = nullptr;
  std::uint64_t address = 0;  // at the target

  // Called by whoever receives the question: forgets it if it was put to somebody else.
  void reach(const interface& receiver) {
    if (asked != &receiver) asked = nullptr;
  }
  // Called by a component that only looks on, such as a monitor.
  void see_through(const interface& receiver, const interface& next) {
    if (asked == &receiver) asked = &next;
  }
  // Called by a component that adds `latency` to each access and counts it in `accesses`.
  void pass(const interface& next, fs_t latency, statistic& accesses) {
    if (route.hops == poll_route::most_hops) asked = nullptr;
    if (!asked) return;
    asked = &next;
    route.latency += latency;
    route.accesses[route.hops++] = &accesses;
  }
  void answer(poll_ledger& at, std::uint64_t there) {
    if (!asked) return;
    ledger = &at;
    address = there;
  }

  tlm::tlm_extension_base* clone() const override { return new poll_question(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const poll_question&>(other);
  }
};

}  // namespace heddle
