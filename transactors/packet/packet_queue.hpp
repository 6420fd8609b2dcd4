// First-in first-out queue of packets, linked through packet::next: no allocation.
#pragma once

#include "transactors/packet/packet.hpp"

namespace heddle {

class packet_queue {
 public:
  bool empty() const { return first_ == nullptr; }
  packet& front() const { return *first_; }
  packet& back() const { return *last_; }

  void push(packet& added) {
    added.next = nullptr;
    if (first_)
      last_->next = &added;
    else
      first_ = &added;
    last_ = &added;
  }

  packet& pop() {
    packet& popped = *first_;
    first_ = popped.next;
    // Whoever pops asks for the next one soon, and what has waited has left the caches.
    __builtin_prefetch(first_);
    popped.next = nullptr;
    return popped;
  }

 private:
  packet* first_ = nullptr;
  packet* last_ = nullptr;
};

}  // namespace heddle
