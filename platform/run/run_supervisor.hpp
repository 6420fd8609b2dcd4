// What drives a run and watches it: workloads or the test of the registers, a debugger, meters.
#pragma once

#include <optional>
#include <string>

#include "platform/netlist/core_view.hpp"
#include "platform/run/packet_traffic_summary.hpp"
#include "platform/run/progress.hpp"
#include "platform/run/register_test.hpp"
#include "platform/run/run.hpp"
#include "platform/run/workload_watch.hpp"
#include "platform/workload/workload_set.hpp"

namespace heddle {

class run_supervisor {
 public:
  // The system is built. `tested`: the core that tests the registers, if one does. All of them
  // outlive it. Throws user_error.
  run_supervisor(const run_options& options, const netlist_plan& plan,
                 const std::optional<core_view>& tested, simulation& sim, waveform_output& wave,
                 const std::string& directory);

  // To the end, which is judged. Throws user_error where the run is rejected.
  void run(run_report& report);
  std::string tables() const { return watch_ ? watch_->tables() : ""; }

 private:
  run_end simulate_to_end(gdb_server* debugger);
  void collect(const run_extent& run, run_report& report);
  void take_whole_run(run_report& report);

  const run_options& options_;
  simulation& sim_;
  std::optional<register_test> registers_;
  progress shown_;
  std::optional<workload_set> workloads_;
  std::optional<workload_watch> watch_;
};

}  // namespace heddle
