// Loops of a program that read the same few words again and again, with the same values, and do
// nothing else: polls that were written by hand. One that lasts while no wire carries anything
// waits in vain.
//
// Limitations: a loop over more words than `kept` passes unseen, and so does one that writes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/services/link_directory.hpp"

namespace heddle {

class repeated_reads {
 public:
  static constexpr std::size_t kept = 4;
  static constexpr std::uint64_t least = 1000;  // reads, before time counts

  // `limit`: of a loop in vain; 0: none. The directory must outlive it.
  repeated_reads(const link_directory& links, fs_t limit) : wires_(links), limit_(limit) {}

  void forget() { known_ = 0; }  // the program does something else
  fs_t since() const { return begun_; }

  // A read has returned the value. True: it is one of a loop in vain.
  bool add(std::uint64_t address, std::uint64_t value, fs_t now) {
    for (std::size_t i = 0; i < known_; ++i) {
      if (reads_[i].address != address) continue;
      if (reads_[i].value == value) return is_in_vain(now);
      forget();
    }
    if (known_ == kept) forget();
    if (known_ == 0) begin(now);
    reads_[known_++] = {address, value};
    return false;
  }

 private:
  struct read {
    std::uint64_t address = 0, value = 0;
  };

  void begin(fs_t now) {
    wires_.start(now);
    begun_ = now;
    count_ = 0;
  }
  bool is_in_vain(fs_t now) {
    if (++count_ < least || limit_ == 0 || now - wires_.since() < limit_) return false;
    if (!wires_.has_seen_traffic()) return true;
    wires_.start(now);
    return false;
  }

  wire_watch wires_;
  const fs_t limit_;
  std::array<read, kept> reads_;
  std::size_t known_ = 0;
  std::uint64_t count_ = 0;
  fs_t begun_ = 0;
};

}  // namespace heddle
