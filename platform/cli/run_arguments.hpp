// The options of `heddle run`.
#pragma once

#include <string>
#include <vector>

#include "platform/cli/netlist_arguments.hpp"
#include "platform/run/run.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace heddle {

class run_arguments {
 public:
  explicit run_arguments(CLI::App& command);  // declares them; this outlives it
  run_options read() const;                   // once they are parsed; throws user_error

 private:
  void declare_outputs(CLI::App& command);
  void declare_waves(CLI::App& command);
  void declare_firmware_tools(CLI::App& command);
  std::vector<trace_trigger> triggers() const;
  gdb_options gdb() const;

  netlist_arguments netlist_;
  run_options run_;  // what needs no reading
  std::string trigger_, wave_job_, before_, after_;
  std::vector<std::string> windows_, signals_;
  std::string instruction_window_, profile_, gdb_, gdb_wait_ = "on", until_, seed_;
  const CLI::Option *profile_option_ = nullptr, *gdb_option_ = nullptr, *seed_option_ = nullptr;
};

}  // namespace heddle
