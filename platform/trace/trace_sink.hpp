// Where the stream goes: a sink sees every selected signal, in the order of time.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_declaration.hpp"

namespace heddle {

// A value of any kind in 64 bits: a number as it is (signed as two's complement), the bit pattern
// of a double, the index of a state, the index of a text in trace_catalog::texts.
struct trace_value {
  std::uint64_t bits = 0;
  bool known = false;
};

struct trace_change {
  fs_t when;
  std::uint64_t bits;
  std::uint32_t signal;  // index into trace_catalog::signals
};

struct trace_catalog {
  std::vector<trace_declaration> signals;
  // Grows while the simulation runs; a text keeps its index and its address. The first is empty.
  std::deque<std::string> texts{""};
};

class trace_sink {
 public:
  virtual ~trace_sink() = default;

  // Once, before anything else; the catalog outlives the sink's use.
  virtual void begin(const trace_catalog& catalog) = 0;

  // A window opens with the value that every signal has at that time. The stream itself opens one,
  // which holds the whole run.
  virtual void open_window(fs_t when, const std::vector<trace_value>& values) = 0;

  // Changes inside the window, sorted by time, at most one a signal and time, never to the same
  // value again. Changes of different signals at the same time keep the order of their reports.
  virtual void changes(const std::vector<trace_change>& batch) = 0;

  virtual void close_window(fs_t when) = 0;

  // Once, when the simulation ends; an open window is closed before.
  virtual void finish() = 0;
};

}  // namespace heddle
