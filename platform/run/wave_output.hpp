// The wave of a run: the VCD file and, beside it, a GTKWave save file that opens on the collective.
#pragma once

#include <memory>
#include <string>

#include "platform/trace/gtkw.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_result.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

struct wave_options {
  std::string file;  // "": no wave
  trace_selection selection;
  std::vector<std::string> registers;  // globs: which of them are traced too
};

// The `trace:` section of a netlist: {wave: ring.vcd, signals: [...], registers: [...], from: 10
// us, to: 20 us}. The file lies in the run directory. Throws user_error.
wave_options read_trace(const yaml_node& node, const std::string& run_directory);

class wave_output {
 public:
  // Before any unit is built. An empty path writes nothing.
  wave_output(simulation& sim, const std::string& path);

  // Once every unit is built: these registers are signals too. A glob that matches none is a
  // mistake (user_error).
  void add_registers(const std::vector<std::string>& globs);
  // After it: a pattern that matches no signal is a mistake (user_error).
  void check_signals() const;
  void mark(const workload_result& result);
  void finish(fs_t end);  // throws user_error

 private:
  simulation& sim_;
  std::string path_;
  std::unique_ptr<vcd_writer> writer_;
  gtkw_options options_;
};

}  // namespace heddle
