// Packets that wait for one port, a queue for each virtual channel, served round-robin.
#pragma once

#include <array>
#include <cstdint>

#include "transactors/arbitration/round_robin.hpp"
#include "transactors/packet/packet_port.hpp"
#include "transactors/packet/packet_queue.hpp"

namespace heddle {

class transmit_queue {
 public:
  bool empty() const { return waiting_ == 0; }
  std::uint32_t packets() const { return packets_; }  // trains count their packets

  void push(packet& added) {
    queues_[added.vc].push(added);
    waiting_ |= 1U << added.vc;
    packets_ += added.train;
  }

  // The next packet for which the port has credits, or nullptr.
  packet* pop_sendable(packet_port& port, fs_t now) {
    for (std::uint32_t candidates = waiting_; candidates != 0;) {
      const int vc = round_robin(candidates, next_vc_);
      candidates &= ~(1U << vc);
      packet_queue& queue = queues_[vc];
      if (!port.has_credits(queue.front(), now)) continue;
      packet& popped = queue.pop();
      if (queue.empty()) waiting_ &= ~(1U << vc);
      packets_ -= popped.train;
      next_vc_ = (vc + 1) % all_vcs;
      return &popped;
    }
    return nullptr;
  }

 private:
  std::uint32_t waiting_ = 0;  // VCs with packets
  std::uint32_t packets_ = 0;
  int next_vc_ = 0;
  std::array<packet_queue, all_vcs> queues_;
};

}  // namespace heddle
