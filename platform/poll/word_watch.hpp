// Words of a memory that devices watch: a device that waits for a counter is told of the write that
// changes it, as an address monitor in front of the memory does, and makes no accesses meanwhile.
//
//   watches.set(watch);                 the device; the watch is set until it is told
//   watches.changed(address, bytes);    the memory, after each change
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "platform/time/agenda.hpp"

namespace heddle {

// It lives as long as the memory, or drops itself before.
struct word_watch {
  explicit word_watch(timed_call tells) : call(tells) {}

  std::uint64_t address = 0;  // at the memory
  unsigned bytes = 0;
  fs_t reaction = 0;  // from the change to the call
  timed_call call;
};

class word_watches {
 public:
  void set(word_watch& watch) { all_.push_back(&watch); }
  void drop(word_watch& watch) {
    all_.erase(std::remove(all_.begin(), all_.end(), &watch), all_.end());
  }
  void changed(std::uint64_t address, std::uint64_t bytes) {
    if (!all_.empty()) tell(address, bytes);
  }

 private:
  void tell(std::uint64_t address, std::uint64_t bytes) {
    for (std::size_t i = 0; i < all_.size();) {
      word_watch& watch = *all_[i];
      const bool is_apart =
          watch.address + watch.bytes <= address || watch.address >= address + bytes;
      if (is_apart) {
        ++i;
        continue;
      }
      all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(i));
      watch.call.at(now_fs() + watch.reaction);
    }
  }

  std::vector<word_watch*> all_;
};

}  // namespace heddle
