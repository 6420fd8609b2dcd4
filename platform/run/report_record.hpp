// report.json of a run directory: what a report draws and stats.json does not hold.
#pragma once

#include <string>
#include <string_view>

#include "platform/report/timeline.hpp"
#include "platform/run/run.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

inline constexpr std::string_view record_begin = "{\"timeline\":";  // of every such file

// {"timeline", "paths": [{"row", "shares": [[category, where, s, steps]], "steps":
// [[category, where, begin s, length s]]}], "latency": {what: [[up to s, count]]}, "registers":
// [[register, reads, writes]]}
std::string report_record(simulation& sim, const run_report& report, const timeline& recorded);

}  // namespace heddle
