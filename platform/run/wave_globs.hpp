// What the globs of a wave choose. One that matches nothing is a mistake, which is told with the
// place of the netlist, where that has the glob.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "platform/run/waveform_output.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// Once every unit is built: the wanted registers become signals, whose names are returned. Throws
// user_error.
std::set<std::string> trace_registers(simulation& sim, const waveform_options& wanted);

std::vector<trace_declaration> selected_signals(simulation& sim, const waveform_options& wanted);

// After trace_registers(), where the trace has a sink. Throws user_error for a pattern that matches
// no signal, and for patterns that leave none.
void check_patterns(simulation& sim, const waveform_options& wanted);

}  // namespace heddle
