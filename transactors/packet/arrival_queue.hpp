// Packets on their way into a port, first in first out, each with the instant when it is due there:
// its head or its tail, as the unit needs. The instants lie in the queue and not in the packets,
// because a packet under way has left the caches: nobody waits for the memory of a packet before
// it is due, and by then it was fetched ahead (17 % of a star's time, measured).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "transactors/packet/packet.hpp"

namespace heddle {

// `About` is what the owner wants to know of a packet when it is due.
template <class About>
class arrivals_with {
 public:
  bool empty() const { return count_ == 0; }
  fs_t next_due() const { return ring_[first_].due; }
  bool is_due(fs_t now) const { return count_ > 0 && next_due() <= now; }

  // `due` is not before that of the packets in front.
  void push(packet& added, fs_t due, const About& about = {}) {
    if (count_ == ring_.size()) grow();
    ring_[index_of(count_++)] = {about, due, &added};
  }
  // Keeps the order of the instants, of equal ones that of the calls. Calls are nearly in order.
  // The tails of a link are not: what goes in the gaps of a packet that comes slower than the wire
  // takes it, on another virtual channel, ends before that packet does.
  void insert(packet& added, fs_t due, const About& about = {}) {
    push(added, due, about);
    for (std::size_t i = count_ - 1; i > 0; --i) {
      entry &before = ring_[index_of(i - 1)], &behind = ring_[index_of(i)];
      if (before.due <= behind.due) return;
      std::swap(before, behind);
    }
  }
  const About& next_about() const { return ring_[first_]; }
  // Prefetches the packet that is due next.
  void fetch_next() const {
    if (count_ > 0) __builtin_prefetch(ring_[first_].waiting);
  }

  // Prefetches the whole packet, for units that read more of it than a hop does.
  void fetch_next_whole() const {
    if (count_ > 0) ring_[first_].waiting->prefetch();
  }

  // Calls use(due, about) for each, the first one first.
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t i = 0; i < count_; ++i) use(ring_[index_of(i)].due, ring_[index_of(i)]);
  }

  packet& pop() {
    packet& popped = *ring_[first_].waiting;
    __builtin_prefetch(&ring_[index_of(entries_ahead)]);
    first_ = index_of(1);
    --count_;
    fetch_next();
    return popped;
  }
  packet& pop_whole() {
    packet& popped = pop();
    popped.prefetch();  // both lines at once, where nobody has asked for them before
    fetch_next_whole();
    return popped;
  }

 private:
  struct entry : About {
    entry() = default;
    entry(const About& about, fs_t when, packet* arriving)
        : About(about), due(when), waiting(arriving) {}
    fs_t due = 0;
    packet* waiting = nullptr;
  };

  // The rings of a system do not fit into the nearest cache either.
  static constexpr std::size_t entries_ahead = 8;

  std::size_t index_of(std::size_t behind_first) const {
    return (first_ + behind_first) & (ring_.size() - 1);
  }

  void grow() {
    std::vector<entry> larger(std::max<std::size_t>(16, 2 * ring_.size()));
    for (std::size_t i = 0; i < count_; ++i) larger[i] = ring_[index_of(i)];
    ring_ = std::move(larger);
    first_ = 0;
  }

  std::vector<entry> ring_;  // sizes are powers of two
  std::size_t first_ = 0, count_ = 0;
};

struct nothing_about {};
using arrival_queue = arrivals_with<nothing_about>;

}  // namespace heddle
