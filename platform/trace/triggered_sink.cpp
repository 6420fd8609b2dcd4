#include "platform/trace/triggered_sink.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "platform/text/diagnostic.hpp"
#include "platform/text/number.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

using comparison = trace_trigger::comparison;

// Two characters before one: "<=" is no "<".
constexpr std::array<std::pair<const char*, comparison>, 6> comparisons = {
    {{"==", comparison::equal},
     {"!=", comparison::unequal},
     {"<=", comparison::less_equal},
     {">=", comparison::greater_equal},
     {"<", comparison::less},
     {">", comparison::greater}}};

bool has_names(const trace_declaration& signal) {
  return signal.kind == trace_kind::state || signal.kind == trace_kind::text;
}

double number_of(const trace_declaration& signal, std::uint64_t bits) {
  if (signal.kind == trace_kind::integer)
    return static_cast<double>(static_cast<std::int64_t>(bits));
  if (signal.kind != trace_kind::real) return static_cast<double>(bits);
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

bool compare(double value, comparison how, double limit) {
  switch (how) {
    case comparison::equal:
      return value == limit;
    case comparison::unequal:
      return value != limit;
    case comparison::less:
      return value < limit;
    case comparison::less_equal:
      return value <= limit;
    case comparison::greater:
      return value > limit;
    case comparison::greater_equal:
      return value >= limit;
  }
  return false;
}

void check_value(const trace_trigger& trigger, const trace_declaration& signal) {
  const std::string said = "--wave-when: " + trigger.signal + " ";
  if (!has_names(signal)) {
    try {
      parse_double(trigger.value);
    } catch (const quantity_error&) {
      throw user_error(said + "is a number, '" + trigger.value + "' is none");
    }
    return;
  }
  if (trigger.how != comparison::equal && trigger.how != comparison::unequal)
    throw user_error(said + "has names for values: compare them by == or !=");
  const auto& names = signal.states.names();
  if (signal.kind == trace_kind::state &&
      std::find(names.begin(), names.end(), trigger.value) == names.end())
    throw user_error(said + "has no value '" + trigger.value + "'" +
                     did_you_mean(trigger.value, names));
}

}  // namespace

trace_trigger parse_trigger(const std::string& text) {
  for (const auto& [sign, how] : comparisons) {
    const std::size_t at = text.find(sign);
    if (at == std::string::npos) continue;
    trace_trigger trigger;
    trigger.signal = trimmed(std::string_view(text).substr(0, at));
    trigger.how = how;
    trigger.value = trimmed(std::string_view(text).substr(at + std::strlen(sign)));
    if (!trigger.signal.empty() && !trigger.value.empty()) return trigger;
  }
  throw user_error("--wave-when " + text +
                   ": expected SIGNAL == VALUE, or one of != < <= > >= between them");
}

void check_trigger(const trace_trigger& trigger, const std::vector<trace_declaration>& signals) {
  std::vector<std::string> names;
  for (const trace_declaration& each : signals) {
    names.push_back(each.name());
    if (names.back() == trigger.signal) return check_value(trigger, each);
  }
  throw user_error("--wave-when: no signal '" + trigger.signal + "' is traced" +
                   did_you_mean(trigger.signal, names));
}

void triggered_sink::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  while (signal_ < catalog.signals.size() && catalog.signals[signal_].name() != trigger_.signal)
    ++signal_;
  inner_.begin(catalog);
}

bool triggered_sink::holds(const trace_value& value) const {
  if (!value.known) return false;
  const trace_declaration& signal = catalog_->signals[signal_];
  if (!has_names(signal))
    return compare(number_of(signal, value.bits), trigger_.how,
                   std::strtod(trigger_.value.c_str(), nullptr));
  const std::string& name = signal.kind == trace_kind::text ? catalog_->texts[value.bits]
                                                            : signal.states.names().at(value.bits);
  return (name == trigger_.value) == (trigger_.how == comparison::equal);
}

void triggered_sink::open_window(fs_t when, const std::vector<trace_value>& values) {
  values_ = values;
  earliest_ = when;
  if (holds(values_[signal_])) open(when);
}

void triggered_sink::changes(const std::vector<trace_change>& batch) {
  for (const trace_change& each : batch) handle(each);
  if (is_opening_) open(opening_at_);
  flush();
}

void triggered_sink::handle(const trace_change& change) {
  if (is_opening_ && change.when > kept_.back().when) open(opening_at_);
  close_at_end(change.when);
  const bool is_held = change.signal == signal_ && holds({change.bits, true});
  if (is_open_) {
    see(change);
    batch_.push_back(change);
    if (change.signal == signal_) end_ = is_held ? fs_never : change.when + trigger_.after;
    if (end_ != change.when) return;
    // A window does not hold its last instant.
    while (!batch_.empty() && batch_.back().when == end_) batch_.pop_back();
    close_at_end(end_);
    return;
  }
  while (!kept_.empty() && kept_.front().when + trigger_.before < change.when) {
    see(kept_.front());
    kept_.pop_front();
  }
  kept_.push_back(change);
  if (!is_held) return;
  is_opening_ = true;  // once the rest of the instant is known
  opening_at_ = change.when - std::min(change.when, trigger_.before);
}

void triggered_sink::see(const trace_change& change) {
  values_[change.signal] = {change.bits, true};
}

// The first instant is part of the opening values.
void triggered_sink::open(fs_t when) {
  is_open_ = has_fired_ = true;
  is_opening_ = false;
  end_ = fs_never;
  const fs_t start = std::max(when, earliest_);
  for (; !kept_.empty() && kept_.front().when <= start; kept_.pop_front()) see(kept_.front());
  inner_.open_window(start, values_);
  for (; !kept_.empty(); kept_.pop_front()) {
    see(kept_.front());
    batch_.push_back(kept_.front());
  }
}

void triggered_sink::close_at_end(fs_t now) {
  if (!is_open_ || now < end_) return;
  flush();
  inner_.close_window(end_);
  is_open_ = false;
  earliest_ = end_;
}

void triggered_sink::close_window(fs_t when) {
  close_at_end(when);
  if (is_open_) {
    flush();
    inner_.close_window(when);
    is_open_ = false;
  }
  kept_.clear();
}

void triggered_sink::flush() {
  if (!batch_.empty()) inner_.changes(batch_);
  batch_.clear();
}

}  // namespace heddle
