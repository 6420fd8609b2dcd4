// A unit's handle on one of its signals: a pointer, copied freely. While the signal is not traced
// the pointer is null and set() is one predictable branch.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_channel.hpp"

namespace heddle {

// T: bool, std::uint64_t, std::int64_t, double, an enumeration or std::string_view.
template <class T>
class trace_signal {
 public:
  trace_signal() = default;  // never traced
  explicit trace_signal(trace_channel* channel) : channel_(channel) {}

  bool enabled() const { return channel_ != nullptr; }

  // `now` is the kernel's time (it never goes back from call to call), `when` >= `now` the instant
  // of the change. Of several values for one instant the last reported stands.
  void set(T value, fs_t when, fs_t now) const {
    if (__builtin_expect(channel_ != nullptr, 0)) report(value, when, now);
  }
  void set(T value, fs_t now) const { set(value, now, now); }

 private:
  void report(T value, fs_t when, fs_t now) const {
    if constexpr (std::is_same_v<T, std::string_view>) {
      channel_->report_text(value, when, now);
    } else if constexpr (std::is_same_v<T, double>) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      channel_->report(bits, when, now);
    } else {
      static_assert(std::is_integral_v<T> || std::is_enum_v<T>, "not a kind of trace signal");
      channel_->report(static_cast<std::uint64_t>(value), when, now);
    }
  }

  trace_channel* channel_ = nullptr;
};

}  // namespace heddle
