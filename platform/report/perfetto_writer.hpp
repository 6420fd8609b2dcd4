// Writes the trace as trace-event JSON, which chrome://tracing, Perfetto and Speedscope open: a
// process for each top-level unit, a thread for each of its states, a counter for each number.
//
// Limitations: the format counts microseconds as doubles; times are written to the femtosecond, but
// a viewer may round them.
#pragma once

#include <string>
#include <vector>

#include "platform/report/interval_sink.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {

class perfetto_writer final : public interval_sink {
 public:
  explicit perfetto_writer(const std::string& path) : file_(path) {}

  void finish() override;  // user_error if anything could not be written

 private:
  struct track {
    int process = 0, thread = 0;
    std::string name;  // escaped: of a counter
  };

  void begun() override;
  void interval(std::uint32_t signal, fs_t begin, fs_t end, std::uint64_t bits) override;
  void put(const std::string& event);

  output_file file_;
  std::vector<track> tracks_;
  bool is_first_ = true;
};

}  // namespace heddle
