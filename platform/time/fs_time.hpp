// Simulated time on hot paths: 64-bit femtoseconds (5 hours fit). The kernel resolution is set to
// 1 fs before any module exists, so that sc_time::value() is the same number.
#pragma once

#include <cstdint>
#include <systemc>

namespace heddle {

using fs_t = std::uint64_t;

inline constexpr fs_t fs_per_ps = 1'000;
inline constexpr fs_t fs_per_ns = 1'000'000;
inline constexpr fs_t fs_per_us = 1'000'000'000;
inline constexpr fs_t fs_per_ms = 1'000'000'000'000;
inline constexpr fs_t fs_per_s = 1'000'000'000'000'000;
inline constexpr fs_t fs_never = UINT64_MAX;

inline double seconds(fs_t t) {
  return static_cast<double>(t) * 1e-15;
}
inline sc_core::sc_time to_sc_time(fs_t t) {
  return sc_core::sc_time::from_value(t);
}
inline fs_t to_fs(const sc_core::sc_time& t) {
  return t.value();
}
// sc_time_stamp() without its call into the library: a packet-hop asks a dozen times.
inline fs_t now_fs() {
  return sc_core::sc_get_curr_simcontext()->time_stamp().value();
}

// Call once, before the first sc_time or module.
void set_kernel_resolution();

}  // namespace heddle
