#include "platform/report/interval_sink.hpp"

#include <cstring>

namespace heddle {

void interval_sink::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  running_.resize(catalog.signals.size());
  begun();
}

void interval_sink::open_window(fs_t when, const std::vector<trace_value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) running_[i] = {values[i], when};
}

void interval_sink::changes(const std::vector<trace_change>& batch) {
  for (const trace_change& each : batch) {
    end_value(each.signal, each.when);
    running_[each.signal] = {{each.bits, true}, each.when};
  }
}

void interval_sink::close_window(fs_t when) {
  for (std::uint32_t i = 0; i < running_.size(); ++i) {
    end_value(i, when);
    running_[i].value.known = false;
  }
}

void interval_sink::end_value(std::uint32_t signal, fs_t when) {
  const running_value& running = running_[signal];
  if (running.value.known && when > running.since)
    interval(signal, running.since, when, running.value.bits);
}

bool is_at_rest(const trace_declaration& signal, const trace_catalog& catalog, std::uint64_t bits) {
  return signal.kind == trace_kind::text ? catalog.texts[bits].empty()
                                         : level_of(signal, catalog, bits) == 0;
}

double level_of(const trace_declaration& signal, const trace_catalog& catalog, std::uint64_t bits) {
  switch (signal.kind) {
    case trace_kind::real: {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    case trace_kind::integer:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case trace_kind::text:
      return catalog.texts[bits].empty() ? 0 : 1;
    case trace_kind::state:
      return bits == 0 ? 0 : 1;
    default:
      return static_cast<double>(bits);
  }
}

std::string value_name(const trace_declaration& signal, const trace_catalog& catalog,
                       std::uint64_t bits) {
  if (signal.kind == trace_kind::text) return catalog.texts[bits];
  const std::vector<std::string>& names = signal.states.names();
  return bits < names.size() ? names[bits] : std::to_string(bits);
}

}  // namespace heddle
