// Where simulated time ends. It is counted in 64-bit femtoseconds and would begin anew after 18,446
// s, in silence. A run ends at half of that with a message, and a time of a netlist is short enough
// that no sum of those that one event adds up crosses the other half: 64 buses behind each other,
// the latencies of a link and a switch, 1 GiB at 1 MB/s.
#pragma once

#include "platform/time/fs_time.hpp"

namespace heddle {

inline constexpr fs_t end_of_time = fs_never / 2;         // 9223 s
inline constexpr fs_t longest_duration = 100 * fs_per_s;  // of a parameter

// Saturates: firmware may ask for any number of nanoseconds.
constexpr fs_t from_nanoseconds(std::uint64_t ns) {
  return ns > fs_never / fs_per_ns ? fs_never : ns * fs_per_ns;
}

}  // namespace heddle
