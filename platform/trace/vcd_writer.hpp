// Writes the stream as a VCD file: change-driven, times in femtoseconds, scopes like the netlist's
// hierarchy, states and texts as GTKWave strings, the same bytes for the same run.
//
// Limitations: signals whose names differ only in characters that VCD cannot spell (gpu[0] and
// gpu_0) clash and are refused. Before a first value, a real is NaN and a string empty.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/trace/output_file.hpp"
#include "platform/trace/trace_sink.hpp"

namespace heddle {

class vcd_writer final : public trace_sink {
 public:
  // user_error if it cannot be created. The date is any text; without one the file has no $date.
  explicit vcd_writer(const std::string& path, const std::string& date = {});

  void begin(const trace_catalog& catalog) override;  // user_error if names clash
  void open_window(fs_t when, const std::vector<trace_value>& values) override;
  void changes(const std::vector<trace_change>& batch) override;
  void close_window(fs_t when) override;
  void finish() override;  // user_error if anything could not be written; puts the file in place

  // First and last instant in the file, once a window has opened.
  fs_t first_time() const { return first_time_; }
  fs_t last_time() const { return last_time_; }

 private:
  // Eight bytes, because every change looks at one of them.
  struct variable {
    trace_kind kind;
    std::uint8_t end_size;
    std::array<char, 6> end;  // blank unless a bit, identifier of up to 4 characters, new line
  };

  void write_time(fs_t when);
  void write_value(std::uint32_t signal, std::uint64_t bits);
  void write_unknown(const variable& written);
  void write_string(const variable& written, std::string_view escaped);
  std::string_view state_name(std::uint32_t signal, std::uint64_t index) const;
  std::string_view text(std::uint64_t index);
  void write_blackout();

  output_file file_;
  const trace_catalog* catalog_ = nullptr;
  std::vector<variable> variables_;
  std::vector<std::vector<std::string>> states_;  // escaped names of each signal's states
  std::vector<std::string> texts_;  // the catalog's, escaped, as far as they were written
  fs_t first_time_ = 0, last_time_ = fs_never;
  bool opened_before_ = false;
};

}  // namespace heddle
