// A sink that keeps what it was told, as text.
#pragma once

#include <string>
#include <vector>

#include "platform/trace/trace_sink.hpp"

namespace heddle {

class recording_sink final : public trace_sink {
 public:
  std::vector<std::string> lines;
  int deliveries = 0;

  void begin(const trace_catalog& catalog) override { catalog_ = &catalog; }

  void open_window(fs_t when, const std::vector<trace_value>& values) override {
    std::string line = std::to_string(when) + " open";
    for (const trace_value& value : values) {
      line += value.known ? " " + std::to_string(value.bits) : std::string(" x");
    }
    lines.push_back(line);
  }

  void changes(const std::vector<trace_change>& batch) override {
    ++deliveries;
    for (const trace_change& change : batch) {
      lines.push_back(std::to_string(change.when) + " " + catalog_->signals[change.signal].leaf +
                      "=" + std::to_string(change.bits));
    }
  }

  void close_window(fs_t when) override { lines.push_back(std::to_string(when) + " close"); }
  void finish() override { lines.push_back("finish"); }

 private:
  const trace_catalog* catalog_ = nullptr;
};

}  // namespace heddle
