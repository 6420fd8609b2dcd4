#include "platform/trace/selected_sink.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t left_out = UINT32_MAX;

}  // namespace

void selected_sink::begin(const trace_catalog& catalog) {
  catalog_ = &catalog;
  index_.assign(catalog.signals.size(), left_out);
  for (std::uint32_t i = 0; i < catalog.signals.size(); ++i) {
    if (!selects_(catalog.signals[i].name())) continue;
    index_[i] = static_cast<std::uint32_t>(kept_.size());
    kept_.push_back(i);
    selected_.signals.push_back(catalog.signals[i]);
  }
  take_over_texts();
  inner_.begin(selected_);
}

// Texts keep their indices, so that values stay as they are.
void selected_sink::take_over_texts() {
  for (std::size_t i = selected_.texts.size(); i < catalog_->texts.size(); ++i)
    selected_.texts.push_back(catalog_->texts[i]);
}

void selected_sink::open_window(fs_t when, const std::vector<trace_value>& values) {
  take_over_texts();
  std::vector<trace_value> chosen;
  chosen.reserve(kept_.size());
  for (const std::uint32_t each : kept_) chosen.push_back(values[each]);
  inner_.open_window(when, chosen);
}

void selected_sink::changes(const std::vector<trace_change>& batch) {
  take_over_texts();
  batch_.clear();
  for (trace_change each : batch) {
    each.signal = index_[each.signal];
    if (each.signal != left_out) batch_.push_back(each);
  }
  if (!batch_.empty()) inner_.changes(batch_);
}

}  // namespace heddle
