// Another `heddle` as a child: for commands that need more than one simulation.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct child_result {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string output;
  std::string errors;
};

// Runs this program with other arguments and waits for it. Throws user_error if it cannot start.
child_result run_self(const std::vector<std::string>& arguments);

}  // namespace heddle
