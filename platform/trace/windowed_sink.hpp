// Passes on what happens in some windows of time: other sinks of the same trace may record the
// whole run.
#pragma once

#include <string>
#include <vector>

#include "platform/trace/trace_sink.hpp"
#include "platform/trace/trace_window.hpp"

namespace heddle {

class windowed_sink final : public trace_sink {
 public:
  explicit windowed_sink(trace_sink& inner) : inner_(inner) {}

  // The window [from, to), none if it is empty. Windows are added in the order of time and do not
  // overlap.
  void add_window(fs_t from, fs_t to);
  // Nothing from then on is passed on. Changes of that time must not have been seen yet.
  void close_at(fs_t when) { windows_.add({when, false}); }

  // Whether any window has opened so far. If none has, a wave holds no time and GTKWave refuses it.
  bool has_opened() const { return has_opened_; }
  // Signals that have changed while a window was open.
  std::vector<trace_declaration> moving_signals() const;
  // What a signal of texts said last, whether a window was open or not; "" where it is not traced.
  std::string last_text(const std::string& signal) const;

  void begin(const trace_catalog& catalog) override;
  void open_window(fs_t when, const std::vector<trace_value>& values) override;
  void changes(const std::vector<trace_change>& batch) override;
  void close_window(fs_t when) override;
  void finish() override { inner_.finish(); }

 private:
  void handle(const trace_change& change);
  void take_switches_until(fs_t when);  // inclusive
  void take_switch();
  void open(fs_t when);
  void close(fs_t when);
  void flush();
  bool is_open() const { return is_wanted_ && is_outer_open_; }

  trace_sink& inner_;
  const trace_catalog* catalog_ = nullptr;
  window_schedule windows_;
  std::vector<trace_value> values_;  // by signal, after the changes that were seen
  std::vector<char> has_moved_;      // by signal
  std::vector<trace_change> batch_;  // to be passed on
  bool is_wanted_ = false;           // by the windows of this sink
  bool is_outer_open_ = false;       // the window that changes come from
  bool has_opened_ = false;
};

}  // namespace heddle
