// Passes on some of the signals of a trace, in a catalog of their own: what one sink leaves out,
// others may still record.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/trace/trace_sink.hpp"

namespace heddle {

class selected_sink final : public trace_sink {
 public:
  // Asked once for each signal, before the first change.
  using predicate = std::function<bool(const std::string& name)>;

  selected_sink(trace_sink& inner, predicate selects)
      : inner_(inner), selects_(std::move(selects)) {}

  void begin(const trace_catalog& catalog) override;
  void open_window(fs_t when, const std::vector<trace_value>& values) override;
  void changes(const std::vector<trace_change>& batch) override;
  void close_window(fs_t when) override { inner_.close_window(when); }
  void finish() override { inner_.finish(); }

 private:
  void take_over_texts();

  trace_sink& inner_;
  const predicate selects_;
  const trace_catalog* catalog_ = nullptr;
  trace_catalog selected_;
  std::vector<std::uint32_t> kept_;   // signals of the whole catalog, by index in the selected one
  std::vector<std::uint32_t> index_;  // the other way round; left_out for the rest
  std::vector<trace_change> batch_;
};

}  // namespace heddle
