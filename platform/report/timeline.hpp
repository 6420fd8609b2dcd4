// What each signal did during a run, small enough to be drawn: of a signal that changes often,
// neighbors in time become one entry that says how much of it was busy.
//
// Limitations: entries that were joined keep the value that lasted longest, and of numbers the
// largest and the mean; --perfetto and waves keep every change.
#pragma once

#include <string>
#include <vector>

#include "platform/report/interval_sink.hpp"

namespace heddle {

struct timeline_entry {
  fs_t begin = 0, end = 0;
  std::uint64_t bits = 0;  // of a number the largest
  double area = 0;         // busy femtoseconds, or the integral of the number over time
};

// Joins neighbors until there are `most` or fewer. Values with names: the one that lasted longest
// stands for both; numbers: the larger.
void coarsen(std::vector<timeline_entry>& entries, std::size_t most, bool is_named);

class timeline final : public interval_sink {
 public:
  void finish() override {}

  // JSON: {"end_fs", "tracks": [{"unit", "signal", "kind": "state" | "number", "names", "entries":
  // [gap since the last end, length, value, share or mean, ...]}]}, lengths in picoseconds.
  // Signals that were at rest all the time are left out, and of more than 4000 those that changed
  // least often.
  std::string json(fs_t end) const;

 private:
  void begun() override { tracks_.resize(catalog().signals.size()); }
  void interval(std::uint32_t signal, fs_t begin, fs_t end, std::uint64_t bits) override;

  std::vector<std::size_t> moving() const;

  std::vector<std::vector<timeline_entry>> tracks_;
};

}  // namespace heddle
