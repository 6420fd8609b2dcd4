// Where the platform posts jobs to cores, and cores report their marks. Costs no simulated time.
#pragma once

#include <cstdint>
#include <functional>
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
  void mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when);

  // Platform: a board without jobs is closed from the start.
  void open() { is_open_ = true; }
  void close();
  void listen(const rank_core& core, mark_listener listener);
  void post(const std::vector<rank_core*>& cores, std::uint32_t job);
  // Until all of them wait for a job: none is still busy with what came before.
  void await_idle(const std::vector<rank_core*>& cores);

 private:
  struct entry {
    std::uint32_t posted = no_job;
    bool is_idle = false;
    mark_listener on_mark;
  };

  bool is_open_ = false;
  std::unordered_map<const rank_core*, entry> entries_;
  sc_core::sc_event changed_, idles_;
};

}  // namespace heddle
