#include "platform/trace/triggered_sink.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "platform/text/diagnostic.hpp"
#include "platform/text/number.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"

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

// Holds every integer of 64 bits and every double.
using exact_number = long double;
static_assert(std::numeric_limits<exact_number>::digits >= 64);

exact_number number_of(const trace_declaration& signal, std::uint64_t bits) {
  if (signal.kind == trace_kind::integer)
    return static_cast<exact_number>(static_cast<std::int64_t>(bits));
  if (signal.kind != trace_kind::real) return static_cast<exact_number>(bits);
  double value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

exact_number integer_of(const std::string& text) {
  if (text.substr(0, 1) == "-") return static_cast<exact_number>(parse_integer(text));
  return static_cast<exact_number>(parse_unsigned(text));
}

// What signals are compared with: decimal, or hexadecimal as addresses are written.
exact_number limit_of(const std::string& text) {
  const std::string prefix = text.substr(text.substr(0, 1) == "-" ? 1 : 0, 2);
  if (prefix == "0x" || prefix == "0X") return integer_of(text);
  try {
    return integer_of(text);
  } catch (const quantity_error&) {  // it has a point, an exponent, or too many digits
    return parse_double(text);
  }
}

bool compare(exact_number value, comparison how, exact_number limit) {
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
  const std::string said = trigger.text + ": " + signal.name() + " ";
  if (!signal.has_names()) {
    try {
      limit_of(trigger.value);
    } catch (const quantity_error& error) {
      throw user_error(said + "is a number, '" + trigger.value + "' is none: " + error.what());
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
    trigger.text = "--wave-when '" + text + "'";
    trigger.signals = trimmed(std::string_view(text).substr(0, at));
    trigger.how = how;
    trigger.value = trimmed(std::string_view(text).substr(at + std::strlen(sign)));
    if (!trigger.signals.empty() && !trigger.value.empty()) return trigger;
  }
  throw user_error("--wave-when " + text +
                   ": expected SIGNAL == VALUE, or one of != < <= > >= between them");
}

void check_trigger(const trace_trigger& trigger, const std::vector<trace_declaration>& signals) {
  std::vector<std::string> names;
  bool is_found = false;
  for (const trace_declaration& each : signals) {
    names.push_back(each.name());
    if (!glob_match(trigger.signals, names.back())) continue;
    check_value(trigger, each);
    is_found = true;
  }
  if (!is_found)
    throw user_error(trigger.text + ": no signal '" + trigger.signals + "' is traced" +
                     did_you_mean(trigger.signals, names));
}

void triggered_sink::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  for (const trace_declaration& each : catalog.signals) {
    watched_.push_back({glob_match(trigger_.signals, each.name()), false});
    if (watched_.back().is_on && !each.has_names()) limit_ = limit_of(trigger_.value);
  }
  inner_.begin(catalog);
}

bool triggered_sink::holds(std::uint32_t signal, const trace_value& value) const {
  if (!value.known) return false;
  const trace_declaration& of = catalog_->signals[signal];
  if (!of.has_names()) return compare(number_of(of, value.bits), trigger_.how, limit_);
  const bool wanted = trigger_.how == comparison::equal;
  if (of.kind == trace_kind::state)
    return (of.states.names().at(value.bits) == trigger_.value) == wanted;
  const std::string& text = catalog_->texts[value.bits];  // empty: at rest, which no glob means
  return (!text.empty() && glob_match(trigger_.value, text)) == wanted;
}

// Whether the signal is one of those that the trigger asks about.
bool triggered_sink::take_note(const trace_change& change) {
  watch& watched = watched_[change.signal];
  if (!watched.is_on) return false;
  held_ -= watched.holds ? 1 : 0;
  watched.holds = holds(change.signal, {change.bits, true});
  held_ += watched.holds ? 1 : 0;
  return true;
}

void triggered_sink::open_window(fs_t when, const std::vector<trace_value>& values) {
  values_ = values;
  earliest_ = when;
  held_ = 0;
  for (std::uint32_t i = 0; i < watched_.size(); ++i) {
    watched_[i].holds = watched_[i].is_on && holds(i, values_[i]);
    held_ += watched_[i].holds ? 1 : 0;
  }
  if (held_ > 0) open(when);
}

void triggered_sink::changes(const std::vector<trace_change>& batch) {
  for (const trace_change& each : batch) handle(each);
  if (is_opening_) open(opening_at_);
  flush();
}

void triggered_sink::handle(const trace_change& change) {
  if (is_opening_ && change.when > kept_.back().when) open(opening_at_);
  close_at_end(change.when);
  const bool is_watched = take_note(change);
  if (is_open_) {
    see(change);
    batch_.push_back(change);
    if (is_watched) end_ = held_ > 0 ? fs_never : change.when + trigger_.after;
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
  if (!is_watched || held_ == 0) return;
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
