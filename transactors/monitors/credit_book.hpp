// The credits of one virtual channel, kept by a third party: what the receiver's buffer holds or
// will hold, and which credits the sender knows of already.
#pragma once

#include <cstdint>
#include <queue>

#include "platform/time/fs_time.hpp"

namespace heddle {

class credit_book {
 public:
  // Bytes that the sender has to count as occupied at `now`: a credit counts when it has arrived.
  std::uint64_t occupied(fs_t now) {
    for (; !returning_.empty() && returning_.top().when <= now; returning_.pop())
      occupied_ -= returning_.top().bytes;
    return occupied_;
  }
  void send(std::uint32_t bytes) {
    occupied_ += bytes;
    not_returned_ += bytes;
  }
  std::uint64_t not_returned() const { return not_returned_; }
  // The sender learns at `when`.
  void give_back(std::uint32_t bytes, fs_t when) {
    not_returned_ -= bytes;
    returning_.push({when, bytes});
  }

 private:
  struct credit {
    fs_t when;
    std::uint32_t bytes;
    bool operator<(const credit& other) const { return when > other.when; }  // earliest on top
  };
  std::uint64_t occupied_ = 0;
  std::uint64_t not_returned_ = 0;
  std::priority_queue<credit> returning_;
};

}  // namespace heddle
