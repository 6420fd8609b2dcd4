// The one stream of trace events: units report changes, sinks get them sorted by time.
//
// Limitations: a sink lags behind by up to 4096 changes; a text stays in memory until the stream
// goes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/trace/reorder_buffer.hpp"
#include "platform/trace/trace_channel.hpp"
#include "platform/trace/trace_selection.hpp"
#include "platform/trace/trace_sink.hpp"

namespace heddle {

class trace_stream {
 public:
  explicit trace_stream(trace_selection selection = {});
  trace_stream(const trace_stream&) = delete;
  trace_stream& operator=(const trace_stream&) = delete;

  // Before the first declaration; the sink outlives the stream's use.
  void add_sink(trace_sink& sink);

  // Null if the signal is not selected or nobody listens: a name that was declared before is found
  // out where somebody does. See trace_scope for the typed handles.
  trace_channel* declare(trace_declaration declaration);

  // Hands out every change before `now`: those at `now` itself may still be overruled.
  void advance(fs_t now);

  // Hands out the rest up to `end`, inclusive; changes annotated for later never happened.
  void finish(fs_t end);

  const std::vector<trace_declaration>& signals() const { return catalog_.signals; }

  // Patterns of the selection that concern no declared signal: mistyped, most likely.
  std::vector<std::string> unmatched_patterns() const;

 private:
  friend struct trace_channel;

  void report(trace_channel& channel, std::uint64_t bits, fs_t when, fs_t now);
  std::uint32_t text_index(trace_channel& channel, std::string_view text);
  std::uint32_t look_up(std::string_view text);
  [[noreturn]] void refuse(const trace_channel& channel, fs_t when, fs_t now) const;

  void hand_out_before(fs_t limit);
  void settle_instant(fs_t when);
  void settle(trace_channel& channel, std::uint64_t bits, fs_t when);
  void begin_sinks();
  void flush();

  trace_selection selection_;
  std::vector<bool> pattern_matched_;
  std::vector<trace_sink*> sinks_;
  trace_catalog catalog_;
  std::unordered_set<std::string> declared_;
  std::unordered_map<std::string_view, std::uint32_t> text_indices_;  // the catalog has the texts
  std::deque<trace_channel> channels_;                                // handles point into it

  reorder_buffer waiting_;
  std::vector<trace_change> batch_;
  std::vector<trace_channel*> touched_;
  std::uint64_t instant_ = 0;
  fs_t now_ = 0;
  fs_t handed_out_ = 0;  // every change before this time is gone
  int reports_left_ = 0;
  bool has_signals_ = false;  // declared, whether somebody listens or not
  bool begun_ = false;
  bool finished_ = false;
};

}  // namespace heddle
