// Runs the heddle executable on a netlist and gives what it leaves behind.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/command.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {

using settings = std::vector<std::pair<std::string, std::string>>;  // of --set, in order

// The executable under test.
std::string heddle_program();
// A file of the project, by its path in the tree.
std::string project_file(const std::string& path);

// heddle run NETLIST --quiet --out DIRECTORY --set ...
command run_command(const std::string& netlist, const std::string& directory,
                    const settings& values);

// One run in a directory of its own.
class heddle_run {
 public:
  heddle_run(const std::string& netlist, const settings& values,
             const std::vector<std::string>& more_words = {}, unsigned seconds = 120);

  const command& given() const { return given_; }
  const command_result& result() const { return result_; }
  const scratch_folder& folder() const { return folder_; }
  nlohmann::json stats() const;
  bool is_verified() const;    // exit 0, and every collective checked and right
  std::string report() const;  // the command and all it said, for a test's message

 private:
  scratch_folder folder_;
  command given_;
  command_result result_;
};

}  // namespace heddle
