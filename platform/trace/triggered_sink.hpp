// Passes on only what happens around the times when one of some signals has a value: from a while
// before until a while after.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "platform/trace/trace_sink.hpp"

namespace heddle {

struct trace_trigger {
  enum class comparison { equal, unequal, less, less_equal, greater, greater_equal };

  std::string text;     // as the user has written it
  std::string signals;  // glob: "gpu[*].dma.state"
  comparison how = comparison::equal;
  std::string value;           // the name of a state, a glob over texts, or a number, 0x too
  fs_t before = 0, after = 0;  // how long ahead of the first such instant, and beyond the last
};

// "gpu[0].dma.state == ERROR"; throws user_error.
trace_trigger parse_trigger(const std::string& text);

// Throws user_error: no such signal is traced, or one of them has no such value.
void check_trigger(const trace_trigger& trigger, const std::vector<trace_declaration>& signals);

class triggered_sink final : public trace_sink {
 public:
  triggered_sink(trace_sink& inner, trace_trigger trigger)
      : inner_(inner), trigger_(std::move(trigger)) {}

  bool has_fired() const { return has_fired_; }

  void begin(const trace_catalog& catalog) override;  // the trigger has been checked
  void open_window(fs_t when, const std::vector<trace_value>& values) override;
  void changes(const std::vector<trace_change>& batch) override;
  void close_window(fs_t when) override;
  void finish() override { inner_.finish(); }

 private:
  // What the trigger asks of a signal, and whether it has that value now.
  struct watch {
    bool is_on = false;
    bool holds = false;
  };

  bool holds(std::uint32_t signal, const trace_value& value) const;
  bool take_note(const trace_change& change);
  void handle(const trace_change& change);
  void see(const trace_change& change);
  void open(fs_t when);
  void close_at_end(fs_t now);
  void flush();

  trace_sink& inner_;
  const trace_trigger trigger_;
  const trace_catalog* catalog_ = nullptr;
  std::vector<watch> watched_;       // by signal
  long double limit_ = 0;            // that numbers are compared with
  std::size_t held_ = 0;             // of them have the value
  std::vector<trace_value> values_;  // while closed: before the changes that are kept
  std::deque<trace_change> kept_;    // while closed: those of the last `before`
  std::vector<trace_change> batch_;  // while open: to be passed on
  bool is_open_ = false, is_opening_ = false, has_fired_ = false;
  fs_t opening_at_ = 0;  // when it is about to open
  fs_t end_ = fs_never;  // while open: when it closes
  fs_t earliest_ = 0;    // when it may open
};

}  // namespace heddle
