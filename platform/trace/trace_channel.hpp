// The stream's record of one enabled signal, which the signal's handles point to.
#pragma once

#include <cstdint>
#include <string_view>

#include "platform/time/fs_time.hpp"

namespace heddle {

class trace_stream;

// A cache line, since every report and every delivery looks at one.
struct alignas(64) trace_channel {
  trace_stream* stream;
  std::uint64_t mask;             // bits that the signal has
  std::uint64_t current = 0;      // value after the changes that the sinks have seen
  std::uint64_t staged = 0;       // value at the end of the instant that is being handed out
  std::uint64_t instant = 0;      // which instant `staged` belongs to
  std::uint32_t index;            // in trace_catalog::signals
  std::uint32_t pending = 0;      // changes in the reorder buffer
  std::uint32_t latest_text = 0;  // index of the last text that was not empty
  bool known = false;             // whether `current` was ever set

  void report(std::uint64_t bits, fs_t when, fs_t now);
  void report_text(std::string_view text, fs_t when, fs_t now);
};

}  // namespace heddle
