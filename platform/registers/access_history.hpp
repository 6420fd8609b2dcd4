// The last accesses of firmware to one unit, for the report on one that is wrong.
#pragma once

#include <array>
#include <cstdint>

#include "platform/contracts/access_origin.hpp"
#include "platform/time/fs_time.hpp"

namespace heddle {

struct past_access {
  fs_t time = 0;
  std::uint64_t offset = 0;
  std::uint64_t value = 0;
  const access_initiator* initiator = nullptr;
  code_point at;
  std::uint8_t bytes = 0;
  bool is_write = false;
  std::uint32_t repeats = 0;  // of the same read before this one: a poll
};

class access_history {
 public:
  static constexpr std::size_t kept = 8;

  void add(const past_access& access) {
    past_access& newest = last_[(count_ - 1) % kept];
    const bool is_poll = count_ > 0 && !access.is_write && !newest.is_write &&
                         newest.offset == access.offset && newest.initiator == access.initiator;
    const std::uint32_t repeats = is_poll ? newest.repeats + 1 : 0;
    past_access& to = is_poll ? newest : last_[count_++ % kept];
    to = access;
    to.repeats = repeats;
  }

  // The newest read was repeated so many times more, lastly at `time`.
  void repeat(std::uint64_t times, fs_t time) {
    past_access& newest = last_[(count_ - 1) % kept];
    newest.repeats += static_cast<std::uint32_t>(times);
    newest.time = time;
  }

  // visit(const past_access&), the oldest first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t i = count_ > kept ? count_ - kept : 0; i < count_; ++i)
      visit(last_[i % kept]);
  }

 private:
  std::array<past_access, kept> last_{};
  std::uint64_t count_ = 0;
};

}  // namespace heddle
