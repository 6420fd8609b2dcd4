// Runs the firmware with a planted bug, and knows the line that is to blame.
#pragma once

#include <string>
#include <vector>

#include "tests/support/heddle_run.hpp"

namespace heddle {

// "tests/system/contracts/dma_bugs.c:57": the line marked `bug NUMBER`; "" when there is none.
std::string line_of(const std::string& file, int number);

struct bug_outcome {
  command_result result;
  std::string summary;
};
// Bugs 70 to 99 are those of gather units, those from 130 on of a mesh, in netlists of their own.
bug_outcome run_bug(int number, const settings& more = {},
                    const std::vector<std::string>& words = {});

}  // namespace heddle
