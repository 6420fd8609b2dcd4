// The credits of one virtual channel, kept by a third party: what the receiver's buffer holds or
// will hold, and which credits the sender knows of already.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

#include "platform/time/fs_time.hpp"

namespace heddle {

class credit_book {
 public:
  // Bytes that the sender has to count as occupied at `now`: a credit counts when it has arrived,
  // of a train packet by packet.
  std::uint64_t occupied(fs_t now) {
    for (; !returning_.empty() && returning_.front().when <= now; returning_.pop_front()) {
      occupied_ -= returning_.front().bytes;
      trains_ -= returning_.front().packets > 1;
    }
    return trains_ == 0 ? occupied_ : occupied_later(now);
  }
  // The same for an instant that has not come yet, by what is known now.
  std::uint64_t occupied_later(fs_t then) const {
    std::uint64_t bytes = occupied_;
    for (const credit& each : returning_) bytes -= each.by(then);
    return bytes;
  }
  void send(std::uint32_t bytes) {
    occupied_ += bytes;
    not_returned_ += bytes;
  }
  std::uint64_t not_returned() const { return not_returned_; }
  // The sender learns at `when`; of the first packets of a train from `begin` on.
  void give_back(std::uint32_t bytes, std::uint32_t packets, fs_t begin, fs_t when) {
    not_returned_ -= bytes;
    trains_ += packets > 1;
    const credit added{begin, when, bytes, packets};
    if (returning_.empty() || returning_.back().when <= when) return returning_.push_back(added);
    const auto place = std::upper_bound(returning_.begin(), returning_.end(), when,
                                        [](fs_t a, const credit& b) { return a < b.when; });
    returning_.insert(place, added);
  }

 private:
  struct credit {
    fs_t begin, when;
    std::uint32_t bytes, packets;
    std::uint64_t by(fs_t time) const {
      if (time >= when) return bytes;
      if (packets == 1 || time <= begin) return 0;
      const std::uint64_t whole = (time - begin) * packets / (when - begin);
      return std::min<std::uint64_t>(whole * ((bytes + packets - 1) / packets), bytes);
    }
  };
  std::uint64_t occupied_ = 0;
  std::uint64_t not_returned_ = 0;
  std::uint64_t trains_ = 0;      // among those that return
  std::deque<credit> returning_;  // the earliest first
};

}  // namespace heddle
