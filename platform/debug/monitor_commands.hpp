// What `monitor ...` says in gdb: the run as the platform sees it.
#pragma once

#include <string>

namespace heddle {

class simulation;

// Ends with a new line; mistakes are answered, not thrown.
std::string run_monitor_command(simulation& sim, const std::string& words);

}  // namespace heddle
