// Packets that wait for one port, a queue for each virtual channel, served round-robin. What waits
// may also be a copy that is made when it leaves: many copies of one packet wait, and the packet
// alone has memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "platform/pool/ring_queue.hpp"
#include "transactors/arbitration/round_robin.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

// The packet that leaves.
struct plain_transmission {
  packet* what = nullptr;
};

// `Transmission` is what an owner remembers of a waiting packet, with the packet itself or the one
// it is a copy of as `what`: of the size, virtual channel and train of what is sent in the end.
template <class Transmission>
class transmissions {
 public:
  bool empty() const { return waiting_ == 0; }
  std::uint32_t packets() const { return packets_; }  // trains count their packets

  // Calls use(transmission) for the first one of each virtual channel.
  template <class Use>
  void for_each_first(Use use) const {
    for (std::uint32_t left = waiting_; left != 0; left &= left - 1)
      use(queues_[__builtin_ctz(left)].front());
  }

  void push(const Transmission& added) {
    const packet& p = *added.what;
    queues_[p.vc].push(added);
    waiting_ |= 1U << p.vc;
    packets_ += p.train;
  }

  // The next one for which the port has credits; with `what` == nullptr where there is none.
  Transmission pop_sendable(packet_port& port, fs_t now) {
    for (std::uint32_t candidates = waiting_; candidates != 0;) {
      const int vc = round_robin(candidates, next_vc_);
      candidates &= ~(1U << vc);
      ring_queue<Transmission>& queue = queues_[vc];
      if (!port.has_credits(*queue.front().what, now)) continue;
      const Transmission popped = queue.pop();
      // Whoever pops asks for the next one soon, and what has waited has left the caches.
      if (queue.empty())
        waiting_ &= ~(1U << vc);
      else
        queue.front().what->prefetch();
      packets_ -= popped.what->train;
      next_vc_ = (vc + 1) % all_vcs;
      return popped;
    }
    return {};
  }

 private:
  std::uint32_t waiting_ = 0;  // VCs with packets
  std::uint32_t packets_ = 0;
  int next_vc_ = 0;
  std::array<ring_queue<Transmission>, all_vcs> queues_;
};

class transmit_queue {
 public:
  bool empty() const { return waiting_.empty(); }
  std::uint32_t requests() const { return requests_; }  // trains count their packets
  // Requests of the trains in front for which the port has credits: one by one they would have
  // left.
  std::uint32_t requests_with_credits(const packet_port& port) const {
    std::uint32_t requests = 0;
    waiting_.for_each_first([&](const plain_transmission& first) {
      const packet& p = *first.what;
      if (p.train == 1 || is_response(p.kind)) return;
      const std::uint64_t room = port.credits_here(p.vc) / (p.wire_bytes / p.train);
      requests += static_cast<std::uint32_t>(std::min<std::uint64_t>(room, p.train - 1));
    });
    return requests;
  }
  void push(packet& added) {
    waiting_.push({&added});
    if (!is_response(added.kind)) requests_ += added.train;
  }
  // The next packet for which the port has credits, or nullptr.
  packet* pop_sendable(packet_port& port, fs_t now) {
    packet* const popped = waiting_.pop_sendable(port, now).what;
    if (popped && !is_response(popped->kind)) requests_ -= popped->train;
    return popped;
  }

 private:
  transmissions<plain_transmission> waiting_;
  std::uint32_t requests_ = 0;
};

}  // namespace heddle
