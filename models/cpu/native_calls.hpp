// Follows the HAL calls of firmware that runs natively, where time passes in nothing else: the
// profile of the functions that make them, and the function in the wave.
//
// Limitations: of a call that has not ended when the run does, the profile has no time, and not the
// polls through which its core was asleep.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/run/function_profile.hpp"
#include "platform/trace/trace_signal.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

class native_calls final : public profile_source {
 public:
  // nullptr where nobody wants anything. `core` must outlive it.
  static std::unique_ptr<native_calls> make(simulation& sim, const std::string& core,
                                            trace_signal<std::string_view> function);

  // A call from this place; times are the core's own.
  void begin(std::uint64_t call_site, fs_t at);
  void end(fs_t at) { rows_[row_].self = rows_[row_].total += at - begun_at_; }
  void add_accesses(std::uint64_t count, fs_t time);
  void add_poll(fs_t time) { rows_[row_].poll_time += time; }
  void add_sleep(fs_t time) { rows_[row_].sleep_time += time; }

  // Whether the function is recorded over time, not only the sums.
  bool is_traced() const { return function_.enabled(); }

  const std::string& profile_path() const override { return core_; }
  bool has_cycles() const override { return false; }
  std::vector<function_row> profile() override { return rows_; }

 private:
  native_calls(const std::string& core, trace_signal<std::string_view> function)
      : core_(core), function_(function) {}

  std::size_t row_of(std::uint64_t call_site);

  const std::string& core_;
  const trace_signal<std::string_view> function_;
  std::vector<function_row> rows_;
  std::unordered_map<std::uint64_t, std::size_t> row_of_site_;
  std::size_t row_ = 0;  // of the call under way
  fs_t begun_at_ = 0;
};

}  // namespace heddle
