// The run directory: stats.json, links.csv, config.yaml, summary.txt, and what other layers add (of
// a mesh: link_utilization.svg, one of each of several algorithms). The same netlist, seed and
// version give the same bytes.
#pragma once

#include <cstddef>
#include <string>

#include "platform/netlist/plan.hpp"
#include "platform/run/run.hpp"

namespace heddle {

// Throws user_error where a file cannot be written.
void write_results(const netlist_plan& plan, simulation& sim, const run_report& report,
                   const std::string& table);

// A whole file at once; throws user_error.
void write_text(const std::string& path, const std::string& text);

// What summary.txt says below the table: failures, hang report, busiest parts, bottleneck. Of those
// that wait when a run ends early, at most so many are listed.
std::string findings(const run_report& report, std::size_t most_waiting = SIZE_MAX);

}  // namespace heddle
