// The wave of a run: the VCD file and, beside it, a GTKWave save file that opens on the collective.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/trace/gtkw.hpp"
#include "platform/trace/triggered_sink.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_result.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

struct waveform_options {
  std::string file;  // "": no wave
  trace_selection selection;
  std::vector<std::string> registers;  // globs: which of them are traced too
  // Further windows than that of the selection, sorted, none overlapping another.
  std::vector<std::pair<fs_t, fs_t>> more_windows;
  std::optional<trace_trigger> trigger;  // only what happens around it is written
};

// The `trace:` section of a netlist: {wave: ring.vcd, signals: [...], registers: [...], from: 10
// us, to: 20 us}. The file lies in the run directory. Throws user_error.
waveform_options read_trace(const yaml_node& node, const std::string& run_directory);

// The GTKWave save file beside a wave.
std::string save_file_of(const std::string& wave);

class waveform_output {
 public:
  // Before any unit is built. Without a file it writes nothing.
  waveform_output(simulation& sim, const waveform_options& options);

  // Once every unit is built: these registers are signals too. A glob that matches none is a
  // mistake (user_error).
  void add_registers(const std::vector<std::string>& globs);
  // After it: a pattern or a trigger that matches no signal is a mistake (user_error).
  void check_signals() const;
  void mark(const workload_result& result);
  // Throws user_error. Where a trigger never fired there is no file, and the answer is false.
  bool finish(fs_t end);

 private:
  simulation& sim_;
  std::string path_;
  std::unique_ptr<vcd_writer> writer_;
  std::optional<trace_trigger> trigger_;
  std::unique_ptr<triggered_sink> triggered_;  // in front of the writer
  gtkw_options options_;
  std::vector<std::string> registers_;  // globs
  std::size_t results_ = 0;             // marked so far
};

}  // namespace heddle
