// Follows the workloads of a run: prints their tables, measures how busy everything was during each
// job, and hands all of it to the report.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/run/progress.hpp"
#include "platform/run/result_table.hpp"
#include "platform/run/run.hpp"
#include "platform/run/utilization.hpp"
#include "platform/run/waveform_output.hpp"
#include "platform/workload/workload_set.hpp"

namespace heddle {

class workload_watch {
 public:
  // All of them outlive it. The table of a single workload grows on the terminal, line by line;
  // those of several appear in the order of the netlist, each when it and those before it are done.
  workload_watch(workload_set& workloads, simulation& sim, progress& shown, waveform_output& wave,
                 bool is_quiet);
  workload_watch(const workload_watch&) = delete;
  workload_watch& operator=(const workload_watch&) = delete;

  // When the run is over. Says nothing of how busy everything was where no job has ended.
  void finish(run_report& report);
  std::string tables() const;  // of all workloads

 private:
  struct watched {
    watched(workload_runner& of, simulation& sim, bool is_quiet);
    workload_runner& runner;
    result_table table;
    utilization_window window;
    std::vector<busy_share> busiest;    // during its last job
    std::vector<algorithm_load> loads;  // counted among its own results
  };
  void follow(watched& one);
  void take(watched& one, const workload_result& result);
  void print_tables(std::size_t end);  // those before it that are not printed yet

  workload_set& workloads_;
  simulation& sim_;
  progress& shown_;
  waveform_output& wave_;
  const bool prints_whole_tables_;
  std::vector<std::unique_ptr<watched>> all_;
  std::size_t printed_ = 0;        // tables, where whole ones are printed
  const watched* last_ = nullptr;  // whose job ended last
};

}  // namespace heddle
