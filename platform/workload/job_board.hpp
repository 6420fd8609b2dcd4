// Where the platform posts jobs to cores, and cores report their marks. Costs no simulated time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "platform/firmware/rank_core.hpp"

namespace heddle {

class job_board {
 public:
  static constexpr std::uint32_t no_job = UINT32_MAX;
  using mark_listener = std::function<void(rank_core&, job_mark, std::uint32_t job, fs_t when)>;

  // Core: waits until a job after `last` (no_job at first) is posted; no_job when there are none.
  std::uint32_t next(const rank_core& core, std::uint32_t last);
  // Returns what is wrong with the mark, which then counts as not made; "" when all is well.
  std::string mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when);

  // Platform: a board without jobs is closed from the start.
  void open() { is_open_ = true; }
  void close();
  // `begins_with_start`: the core marks the start of each job before its end.
  void listen(const rank_core& core, mark_listener listener, bool begins_with_start = true);
  void post(const std::vector<rank_core*>& cores, std::uint32_t job);
  // Until all of them wait for a job: none is still busy with what came before.
  void await_idle(const std::vector<rank_core*>& cores);

 private:
  struct entry {
    std::uint32_t posted = no_job;
    std::uint32_t taken = no_job;  // by the core: it marks this one
    bool is_idle = false;
    bool begins_with_start = true;
    bool has_started = false, has_ended = false;  // the job that it has taken
    mark_listener on_mark;
  };

  static std::string mistake(const entry& own, job_mark mark, std::uint32_t job);

  bool is_open_ = false;
  std::unordered_map<const rank_core*, entry> entries_;
  sc_core::sc_event changed_, idles_;
};

}  // namespace heddle
