// Where the platform posts jobs and cores report their marks. Costs no simulated time. Cores that
// set jobs up have them before the ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <systemc>

#include "platform/firmware/rank_core.hpp"

namespace heddle {

class job_board {
 public:
  static constexpr std::uint32_t no_job = UINT32_MAX;

  // Core: waits until a job after `last` (no_job at first) is posted; no_job when there are none.
  std::uint32_t next(const rank_core& core, std::uint32_t last);
  void mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
    if (on_mark) on_mark(core, mark, job, when);
  }

  // Platform: a board without jobs is closed from the start.
  void open() { is_open_ = true; }
  void sets_jobs_up(const rank_core& core) { setup_cores_.insert(&core); }
  bool is_setup(const rank_core& core) const { return setup_cores_.count(&core) > 0; }
  void post_to_setup(std::uint32_t job);
  void post(std::uint32_t job);  // to the ranks
  void close();
  // Until so many cores wait for a job: none is still busy with what came before.
  void await_idle(std::size_t cores);
  std::function<void(rank_core&, job_mark, std::uint32_t, fs_t)> on_mark;

 private:
  bool is_open_ = false;
  std::size_t idle_ = 0;  // cores that wait
  std::uint32_t posted_ = no_job, posted_to_setup_ = no_job;
  std::set<const rank_core*> setup_cores_;
  sc_core::sc_event changed_, idles_;
};

}  // namespace heddle
