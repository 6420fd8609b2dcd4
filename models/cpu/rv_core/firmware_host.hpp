// What the host registers of a core do for its firmware: jobs and marks, polls, logs, an atomic
// addition for cores that have none, and the end.
#pragma once

#include <cstdint>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/core_bus.hpp"
#include "models/cpu/rv_core/core_accesses.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/host_window.hpp"
#include "models/cpu/rv_core/poll_watch.hpp"
#include "models/cpu/rv_core/program_end.hpp"

namespace heddle {

class firmware_host {
 public:
  // All must outlive it. `launch_cost`: of a start mark.
  firmware_host(const unit& core, rank_core& rank, host_window& window, core_bus& bus,
                core_clock& clock, core_activity& activity, program_end& end, poll_watch& poll,
                core_accesses& accesses, fs_t launch_cost);

  void observe(program_observer* by) { observer_ = by; }

  // An access to the registers at the core's own time; costs no more than the instruction. False:
  // refused.
  bool access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes);

 private:
  std::uint32_t next_job();
  void mark(job_mark which, std::uint32_t job);
  void log(std::uint64_t value);
  void add();
  [[noreturn]] void miss_device(std::uint32_t instance);
  void start_or_end_poll();

  const unit& core_;
  rank_core& rank_;
  host_window& window_;
  firmware_host_registers& registers_;
  core_bus& bus_;
  core_clock& clock_;
  core_activity& activity_;
  program_end& end_;
  poll_watch& poll_;
  core_accesses& accesses_;
  const fs_t launch_cost_;
  program_observer* observer_ = nullptr;
  std::uint32_t job_;  // the last one
};

}  // namespace heddle
