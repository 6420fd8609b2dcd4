// What earlier runs have left in a run directory that is used again. Files that only some runs
// write, such as pictures, would be taken for those of the last run.
//
// Limitations: files that are named by the user, such as waves and arrays, stay.
#pragma once

#include <ctime>
#include <map>
#include <string>

namespace heddle {

class earlier_results {
 public:
  // Before the run writes anything.
  explicit earlier_results(const std::string& directory);

  // Once the results of the run are there: what it has not written anew goes. Files that the
  // simulator writes are known by their names and by how they begin.
  void remove_stale() const;

 private:
  // Tells a file from another one that has taken its place.
  struct version {
    unsigned long long number = 0;  // of the file in its file system
    std::timespec changed = {};
  };

  static version version_of(const std::string& file);

  std::map<std::string, version> files_;
};

}  // namespace heddle
