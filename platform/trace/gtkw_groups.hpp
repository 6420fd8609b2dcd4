// The groups of a save file when nobody chose them.
#pragma once

#include <vector>

#include "platform/trace/gtkw.hpp"

namespace heddle {

// One group for each unit at the top of the netlist, in declaration order; colors tell the kinds
// apart. Only the first `open_groups` are unfolded.
std::vector<gtkw_group> gtkw_groups_by_unit(const std::vector<trace_declaration>& signals,
                                            int open_groups = 4);

}  // namespace heddle
