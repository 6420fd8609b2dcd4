// The folder for the results of a run. If the run is rejected, nothing is left of it that was not
// there before; folders around it stay if others have put something there meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle {

class run_directory {
 public:
  explicit run_directory(const std::string& path);  // creates it; user_error if that fails
  ~run_directory();                                 // removes what it created, unless kept
  run_directory(const run_directory&) = delete;
  run_directory& operator=(const run_directory&) = delete;

  void keep();

 private:
  std::vector<std::filesystem::path> created_;  // the deepest first
};

}  // namespace heddle
