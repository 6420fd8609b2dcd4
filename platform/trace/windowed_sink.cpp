#include "platform/trace/windowed_sink.hpp"

namespace heddle {

void windowed_sink::add_window(fs_t from, fs_t to) {
  if (from >= to) return;
  windows_.add({from, true});
  windows_.add({to, false});
}

std::vector<trace_declaration> windowed_sink::moving_signals() const {
  std::vector<trace_declaration> moving;
  for (std::size_t i = 0; i < has_moved_.size(); ++i)
    if (has_moved_[i] != 0) moving.push_back(catalog_->signals[i]);
  return moving;
}

std::string windowed_sink::last_text(const std::string& signal) const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const trace_declaration& each = catalog_->signals[i];
    if (each.kind == trace_kind::text && values_[i].known && each.name() == signal)
      return catalog_->texts[values_[i].bits];
  }
  return {};
}

void windowed_sink::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  has_moved_.resize(catalog.signals.size());
  inner_.begin(catalog);
}

// The values are those after the changes of that instant.
void windowed_sink::open_window(fs_t when, const std::vector<trace_value>& values) {
  values_ = values;
  take_switches_until(when);
  is_outer_open_ = true;
  if (is_wanted_) open(when);
}

void windowed_sink::changes(const std::vector<trace_change>& batch) {
  for (const trace_change& each : batch) handle(each);
  flush();
}

// A window that opens at the very end is still opened, and stays empty.
void windowed_sink::close_window(fs_t when) {
  take_switches_until(when);
  if (is_open()) close(when);
  is_outer_open_ = false;
}

void windowed_sink::handle(const trace_change& change) {
  while (windows_.due_ahead_of_instant(change.when)) take_switch();
  trace_value& value = values_[change.signal];
  if (is_open()) {
    if (value.known) has_moved_[change.signal] = 1;
    batch_.push_back(change);
  }
  value = {change.bits, true};
}

void windowed_sink::take_switches_until(fs_t when) {
  while (windows_.due_before(when + (when < fs_never ? 1 : 0))) take_switch();
}

void windowed_sink::take_switch() {
  const window_switch next = windows_.take();
  if (next.open == is_wanted_) return;
  if (is_open()) close(next.when);
  is_wanted_ = next.open;
  if (is_open()) open(next.when);
}

void windowed_sink::open(fs_t when) {
  has_opened_ = true;
  inner_.open_window(when, values_);
}

void windowed_sink::close(fs_t when) {
  flush();
  inner_.close_window(when);
}

void windowed_sink::flush() {
  if (!batch_.empty()) inner_.changes(batch_);
  batch_.clear();
}

}  // namespace heddle
