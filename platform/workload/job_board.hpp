// Where the platform posts jobs and cores report their marks. Costs no simulated time.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "platform/firmware/rank_core.hpp"

namespace heddle {

class job_board {
 public:
  static constexpr std::uint32_t no_job = UINT32_MAX;

  // Core: waits until a job after `last` (no_job at first) is posted; no_job when there are none.
  std::uint32_t next(std::uint32_t last);
  void mark(const rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
    if (on_mark) on_mark(core, mark, job, when);
  }

  // Platform: a board without jobs is closed from the start.
  void open() { is_open_ = true; }
  void post(std::uint32_t job);
  void close();
  std::function<void(const rank_core&, job_mark, std::uint32_t, fs_t)> on_mark;

 private:
  bool is_open_ = false;
  std::uint32_t posted_ = no_job;
  sc_core::sc_event changed_;
};

}  // namespace heddle
