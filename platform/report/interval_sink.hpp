// A sink of the trace that is told each value with its beginning and its end.
#pragma once

#include <vector>

#include "platform/trace/trace_sink.hpp"

namespace heddle {

class interval_sink : public trace_sink {
 public:
  void begin(const trace_catalog& catalog) final;
  void open_window(fs_t when, const std::vector<trace_value>& values) final;
  void changes(const std::vector<trace_change>& batch) final;
  void close_window(fs_t when) final;

 protected:
  const trace_catalog& catalog() const { return *catalog_; }
  virtual void begun() {}
  // Sorted by end; those of one signal neither overlap nor leave gaps while a window is open.
  virtual void interval(std::uint32_t signal, fs_t begin, fs_t end, std::uint64_t bits) = 0;

 private:
  struct running_value {
    trace_value value;
    fs_t since = 0;
  };

  void end_value(std::uint32_t signal, fs_t when);

  const trace_catalog* catalog_ = nullptr;
  std::vector<running_value> running_;
};

// Whether a signal at rest has that value: the first state of a table, an empty text, zero.
bool is_at_rest(const trace_declaration& signal, const trace_catalog& catalog, std::uint64_t bits);
// As a number; states and texts count as 1 unless they are at rest.
double level_of(const trace_declaration& signal, const trace_catalog& catalog, std::uint64_t bits);
// States and texts by their names.
std::string value_name(const trace_declaration& signal, const trace_catalog& catalog,
                       std::uint64_t bits);

}  // namespace heddle
