// Other programs as children: `heddle` itself, for commands that need more than one simulation.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct child_result {
  int exit_code = 0;  // 128 + signal when it was killed
  std::string output;
  std::string errors;
};

// Waits for the end of a program at that path. Throws user_error if it cannot start.
child_result run_program(std::string program, const std::vector<std::string>& arguments);
// This program with other arguments.
child_result run_self(const std::vector<std::string>& arguments);

}  // namespace heddle
