// What a run records besides its results, as the command line and the netlist ask for it: waves, a
// timeline, accesses, instructions, profiles, coverage.
#pragma once

#include <deque>
#include <optional>

#include "platform/report/perfetto_writer.hpp"
#include "platform/report/timeline.hpp"
#include "platform/run/run.hpp"
#include "platform/run/waveform_output.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

class recordings {
 public:
  // Before the simulation: what cannot be written is said at once. The options outlive it. Throws
  // user_error.
  recordings(const run_options& options, const netlist_plan& plan, const std::string& directory);

  // Which signals the trace holds.
  trace_selection selection() const;
  // How many threads the run may have: one where signals are recorded, which are told in order.
  int usable_threads() const;

  void attach(simulation& sim);       // before any unit is built
  void check_units(simulation& sim);  // once all are; throws user_error
  waveform_output& wave() { return *wave_; }

  // The run is over, and judged.
  void commit(simulation& sim, run_report& report);
  // The results are written, and those of earlier runs are gone.
  void write_report(simulation& sim, const run_report& report);

 private:
  // The sink records the whole run: the window, the selection and the registers of the wave, and
  // the time that the wave shows after the end of the run, do not concern it.
  void record_all(simulation& sim, trace_sink& sink);

  const run_options& options_;
  const std::string directory_;
  const waveform_options waves_;
  std::string instructions_;  // file; "": none
  std::optional<output_file> coverage_, page_;
  std::optional<waveform_output> wave_;
  timeline timeline_;
  std::optional<perfetto_writer> perfetto_;
  std::deque<windowed_sink> until_end_;
  std::deque<selected_sink> without_registers_;
};

}  // namespace heddle
