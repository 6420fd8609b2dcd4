// Simulated time on hot paths: 64-bit femtoseconds (5 hours fit). The kernel resolution is set to
// 1 fs before any module exists, so that sc_time::value() is the same number.
#pragma once

#include <cstdint>
#include <cstring>
#include <systemc>

namespace heddle {

using fs_t = std::uint64_t;

inline constexpr fs_t fs_per_ps = 1'000;
inline constexpr fs_t fs_per_ns = 1'000'000;
inline constexpr fs_t fs_per_us = 1'000'000'000;
inline constexpr fs_t fs_per_ms = 1'000'000'000'000;
inline constexpr fs_t fs_per_s = 1'000'000'000'000'000;
inline constexpr fs_t fs_never = UINT64_MAX;

// Divided, since 1e-15 is no double: 250 ns are 2.5e-07 s to the last digit.
inline double seconds_of(double fs) {
  return fs / 1e15;
}
inline double seconds(fs_t t) {
  return seconds_of(static_cast<double>(t));
}
// sc_time::from_value() without its call into the library: a time is its number of femtoseconds.
inline sc_core::sc_time to_sc_time(fs_t t) {
  sc_core::sc_time time;
  static_assert(sizeof time == sizeof t);
  std::memcpy(static_cast<void*>(&time), &t, sizeof t);
  return time;
}
inline fs_t to_fs(const sc_core::sc_time& t) {
  return t.value();
}
// sc_time_stamp() without a call: a packet-hop asks a dozen times. There is no kernel before the
// first module.
inline fs_t now_fs() {
  const sc_core::sc_simcontext* kernel = sc_core::sc_curr_simcontext;
  if (__builtin_expect(kernel == nullptr, 0)) kernel = sc_core::sc_get_curr_simcontext();
  return kernel->time_stamp().value();
}

// Call once, before the first sc_time or module.
void set_kernel_resolution();

}  // namespace heddle
