// The wave of a run: a VCD or FST file and, beside it, a GTKWave save file that opens on the
// collective.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "platform/trace/gtkw.hpp"
#include "platform/trace/selected_sink.hpp"
#include "platform/trace/triggered_sink.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/trace/windowed_sink.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/workload_result.hpp"
#include "platform/yaml/node.hpp"

namespace heddle {

struct waveform_options {
  std::string file;  // "": no wave; FST if it is called so, else VCD
  trace_selection selection;
  std::vector<std::string> registers;          // globs: which of them are traced too
  std::map<std::string, source_place> places;  // of the globs that the netlist names
  // [from, to), sorted, none overlapping another.
  std::vector<std::pair<fs_t, fs_t>> windows = {{0, fs_never}};
  std::vector<trace_trigger> triggers;  // only what happens around all of them is written
  // Other sinks record the same trace, so that it holds signals that the selection leaves out.
  bool is_shared = false;
  source_place file_place;  // of the file's name, where the netlist has it

  bool has_window() const;  // whether part of the run lies outside of the windows
};

// While a job whose title the glob matches runs: "allreduce[3]", "*scin*"; a title may go on after
// what the glob says (workload_result::title).
trace_trigger while_job_runs(const std::string& glob);

// The `trace:` section of a netlist: {wave: ring.vcd, signals: [...], registers: [...], from: 10
// us, to: 20 us}. The file lies in the run directory. Throws user_error.
waveform_options read_trace(const yaml_node& node, const std::string& run_directory);

// The GTKWave save file beside a wave; "" where that is a pipe or a device.
std::string save_file_of(const std::string& wave);

class waveform_output {
 public:
  // Before any unit is built. Without a file it writes nothing.
  waveform_output(simulation& sim, const waveform_options& options);

  // Once every unit is built: the registers of the options are signals too. A glob that matches
  // none is a mistake (user_error).
  void add_registers();
  // After it: a pattern or a trigger that matches no signal is a mistake (user_error), and so are
  // patterns that leave none.
  void check_signals() const;
  // Where the jobs of a workload are shown: the save file begins with it.
  void show_first(const std::string& path) { first_.push_back(path); }
  // Whether the signal shows a register that add_registers() has added.
  bool shows_register(const std::string& signal) const { return registers_.count(signal) > 0; }
  // A job of the workload that is shown at `path` begins now, and has its result.
  void start(const std::string& path);
  void mark(const std::string& path, const workload_result& result);
  // Throws user_error. Where a trigger never fired there is no file, and the answer is false.
  bool finish(fs_t end);

 private:
  // What the save file shows: signals that moved, and registers, since somebody has asked for them.
  std::vector<trace_declaration> shown_signals() const;
  bool is_written(const std::string& title) const;
  void mark_unfinished();
  void zoom_where_nothing_ended();
  bool has_window_opened(fs_t end) const;
  bool has_every_trigger_fired() const;

  simulation& sim_;
  const waveform_options wanted_;
  std::string vcd_path_;  // another one for FST
  // Each passes on to the one before.
  std::unique_ptr<vcd_writer> writer_;
  std::vector<std::unique_ptr<triggered_sink>> triggered_;
  std::unique_ptr<windowed_sink> windows_;
  std::unique_ptr<selected_sink> selected_;  // where other sinks record what is not selected
  gtkw_options options_;
  std::map<std::string, fs_t> started_;  // start marks of jobs without a result, by path
  std::set<std::string> registers_;      // signals that show them
  std::vector<std::string> first_;       // units
};

}  // namespace heddle
