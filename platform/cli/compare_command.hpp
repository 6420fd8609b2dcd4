// heddle compare: the same netlist twice, the second time with other values, its collectives side
// by side, and where the difference in time lies.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct compare_options {
  std::string netlist;
  std::vector<std::string> sets;    // PATH=VALUE, of both runs
  std::vector<std::string> others;  // of the second alone
  std::string json_file;            // "": none
};

// 0; 1 where one of the runs fails. Throws user_error.
int compare_command(const compare_options& options);

}  // namespace heddle
