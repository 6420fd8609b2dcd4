#include "platform/trace/trace_stream.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace heddle {

namespace {

// Changes between two deliveries: enough that delivery runs from warm caches, few enough that the
// buffers stay in the second-level cache.
constexpr int reports_per_delivery = 4096;

std::uint64_t mask_of(const trace_declaration& declaration) {
  return declaration.width >= 64 ? ~0ULL : (1ULL << declaration.width) - 1;
}

void check(const trace_declaration& declaration) {
  if (declaration.path.empty() || declaration.leaf.empty()) {
    throw std::logic_error("trace: signal '" + declaration.name() + "' lacks its path or leaf");
  }
  if (declaration.width < 1 || declaration.width > 64) {
    throw std::logic_error("trace: signal '" + declaration.name() + "' has " +
                           std::to_string(declaration.width) + " bits, not 1 to 64");
  }
}

}  // namespace

void trace_channel::report(std::uint64_t bits, fs_t when, fs_t now) {
  stream->report(*this, bits, when, now);
}

void trace_channel::report_text(std::string_view text, fs_t when, fs_t now) {
  stream->report(*this, stream->text_index(*this, text), when, now);
}

trace_stream::trace_stream(trace_selection selection)
    : selection_(std::move(selection)),
      pattern_matched_(selection_.patterns.size()),
      reports_left_(reports_per_delivery) {}

void trace_stream::add_sink(trace_sink& sink) {
  if (has_signals_) throw std::logic_error("trace: add sinks before the signals");
  sinks_.push_back(&sink);
}

trace_channel* trace_stream::declare(trace_declaration declaration) {
  check(declaration);
  const std::string name = declaration.name();
  if (begun_) throw std::logic_error("trace: '" + name + "' declared after the first delivery");
  has_signals_ = true;
  for (std::size_t i = 0; i < pattern_matched_.size(); ++i) {
    if (pattern_concerns(selection_.patterns[i], name)) pattern_matched_[i] = true;
  }
  if (sinks_.empty()) return nullptr;  // names would only take memory
  if (!declared_.insert(name).second)
    throw std::logic_error("trace: '" + name + "' declared twice");
  if (!selection_.selects(name)) return nullptr;

  trace_channel channel{};
  channel.stream = this;
  channel.mask = mask_of(declaration);
  channel.index = static_cast<std::uint32_t>(catalog_.signals.size());
  catalog_.signals.push_back(std::move(declaration));
  channels_.push_back(channel);
  return &channels_.back();
}

std::vector<std::string> trace_stream::unmatched_patterns() const {
  std::vector<std::string> unmatched;
  for (std::size_t i = 0; i < pattern_matched_.size(); ++i) {
    if (!pattern_matched_[i]) unmatched.push_back(selection_.patterns[i]);
  }
  return unmatched;
}

void trace_stream::advance(fs_t now) {
  if (sinks_.empty() || finished_) return;
  now_ = std::max(now_, now);
  hand_out_before(now_);
}

void trace_stream::finish(fs_t end) {
  if (sinks_.empty() || finished_) return;
  now_ = std::max(now_, end);
  hand_out_before(now_ + (now_ < fs_never ? 1 : 0));
  for (trace_sink* sink : sinks_) sink->close_window(now_);
  for (trace_sink* sink : sinks_) sink->finish();
  finished_ = true;
}

void trace_stream::report(trace_channel& channel, std::uint64_t bits, fs_t when, fs_t now) {
  if (now < now_ || when < now) refuse(channel, when, now);
  now_ = now;
  bits &= channel.mask;
  const bool is_unchanged = channel.pending == 0 && channel.known && channel.current == bits;
  if (is_unchanged && when == now) return;
  waiting_.add(when, bits, channel);
  ++channel.pending;
  if (--reports_left_ <= 0) hand_out_before(now);
}

// A signal mostly goes from a text to none and back: a port sends to the same destination again.
std::uint32_t trace_stream::text_index(trace_channel& channel, std::string_view text) {
  if (text.empty()) return 0;
  if (catalog_.texts[channel.latest_text] != text) channel.latest_text = look_up(text);
  return channel.latest_text;
}

std::uint32_t trace_stream::look_up(std::string_view text) {
  const auto found = text_indices_.find(text);
  if (found != text_indices_.end()) return found->second;
  const auto index = static_cast<std::uint32_t>(catalog_.texts.size());
  text_indices_.emplace(catalog_.texts.emplace_back(text), index);
  return index;
}

void trace_stream::refuse(const trace_channel& channel, fs_t when, fs_t now) const {
  throw std::logic_error("trace: '" + catalog_.signals[channel.index].name() + "' changes at " +
                         std::to_string(when) + " fs, reported at " + std::to_string(now) +
                         " fs, when the trace had reached " + std::to_string(now_) + " fs");
}

void trace_stream::hand_out_before(fs_t limit) {
  reports_left_ = reports_per_delivery;
  if (limit <= handed_out_ || finished_) return;
  begin_sinks();
  for (fs_t when = waiting_.next_time(); when < limit; when = waiting_.next_time()) {
    settle_instant(when);
    if (batch_.size() >= reports_per_delivery) flush();
  }
  flush();
  handed_out_ = limit;
}

// Values that a signal only passed through within one instant are not seen.
void trace_stream::settle_instant(fs_t when) {
  ++instant_;
  touched_.clear();
  waiting_.take_next([this](const pending_change& change) {
    trace_channel& channel = *change.channel;
    --channel.pending;
    channel.staged = change.bits;
    if (channel.instant == instant_) return;
    channel.instant = instant_;
    touched_.push_back(&channel);
  });
  for (trace_channel* channel : touched_) settle(*channel, channel->staged, when);
}

void trace_stream::settle(trace_channel& channel, std::uint64_t bits, fs_t when) {
  if (channel.known && channel.current == bits) return;
  channel.known = true;
  channel.current = bits;
  // Filled in place: a temporary is stored in parts and loaded as a whole, which stalls the load.
  trace_change& change = batch_.emplace_back();
  change.when = when;
  change.bits = bits;
  change.signal = channel.index;
}

void trace_stream::begin_sinks() {
  if (begun_) return;
  begun_ = true;
  for (trace_sink* sink : sinks_) sink->begin(catalog_);
  if (waiting_.next_time() == 0) settle_instant(0);
  batch_.clear();  // the opening values include the changes of that instant
  std::vector<trace_value> values;
  values.reserve(channels_.size());
  for (const trace_channel& channel : channels_) values.push_back({channel.current, channel.known});
  for (trace_sink* sink : sinks_) sink->open_window(0, values);
}

void trace_stream::flush() {
  if (batch_.empty()) return;
  for (trace_sink* sink : sinks_) sink->changes(batch_);
  batch_.clear();
}

}  // namespace heddle
