// Whether the files that a run is asked to write may be written: none of them is read by the run,
// none is named twice, and none is one of the results in the run directory.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/plan.hpp"

namespace heddle {

struct named_output {
  std::string option;  // that asks for it: "--wave"
  std::string file;    // "": nobody does
};

// Throws user_error, which names the option.
void check_output_names(const netlist_plan& plan, const std::string& run_directory,
                        const std::vector<named_output>& outputs);

}  // namespace heddle
