// A poll in vain that its core sleeps through. Polls that find the word unchanged do nothing but
// take time, so the target performs them late: whenever something else happens at the target, each
// at the instant at which the core would have sent it. The core wakes at the instant of the first
// poll that can find another value.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "platform/contracts/access_origin.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/unit/statistic.hpp"

namespace heddle {

// What an access passes between a core and the target: components that add a fixed time to each
// access and count it. A poll that passes more of them does not sleep.
struct poll_route {
  static constexpr std::size_t most_hops = 4;

  fs_t latency = 0;
  std::array<statistic*, most_hops> accesses{};
  std::size_t hops = 0;

  void count(std::uint64_t polls) const {
    for (std::size_t i = 0; i < hops; ++i) *accesses[i] += polls;
  }
};

struct sleeping_poll {
  // Counters of the core. They count a poll when it begins: when the one before has its answer.
  sleeping_poll(statistic& of_reads, statistic& of_polls) : reads(of_reads), polls(of_polls) {}
  statistic& reads;
  statistic& polls;

  std::uint64_t address = 0;  // at the target
  unsigned bytes = 0;
  std::uint64_t value = 0;  // what each poll finds
  poll_route route;
  const access_origin* origin = nullptr;  // goes with each poll
  fs_t answered = 0;                      // the latest poll
  fs_t between = 0;                       // from an answer to the next poll
  fs_t next = 0;                          // the core would send that one then
  std::uint64_t performed = 0;            // by the target, since the core fell asleep
  std::uint64_t counted = 0;              // by the core
  bool is_asleep = false;
  std::uint64_t number = 0;  // of the sleep, in the order of all that fell asleep
  sc_core::sc_event wake;    // notified at the instant `next`

  void count_performed(std::uint64_t more) {
    performed += more;
    route.count(more);
  }
  void count_begun(fs_t now) {
    const std::uint64_t begun = performed + (answered <= now ? 1 : 0);
    reads += begun - counted;
    polls += begun - counted;
    counted = begun;
  }
};

}  // namespace heddle
