// What came of a run: why it ended, what failed, who waits for whom, the exit code.
#pragma once

#include "platform/run/progress.hpp"
#include "platform/run/run.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_set.hpp"

namespace heddle {

// A run that did not end by itself has failed.
void note_end(run_end how, fs_t until, simulation& sim, run_report& report);

// After the last event. `workloads`: null without one.
void judge(simulation& sim, const workload_set* workloads, run_report& report);

}  // namespace heddle
