// Whether the files that a run writes may be written: neither they nor the results in the run
// directory are read by the run, none is named twice, and none is one of those results.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/plan.hpp"
#include "platform/trace/named_outputs.hpp"

namespace heddle {

// Throws user_error, which names the option, or the key at its place.
void check_output_names(const netlist_plan& plan, const std::string& run_directory,
                        const std::vector<named_output>& outputs);

}  // namespace heddle
