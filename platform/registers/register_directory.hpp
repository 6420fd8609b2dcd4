// Every register file of the run that belongs to a unit, in the order of construction.
#pragma once

#include <vector>

namespace heddle {

class register_file;

struct register_directory {
  std::vector<register_file*> files;
};

}  // namespace heddle
