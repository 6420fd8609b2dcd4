// Groups of a save file made from the signals alone.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "platform/trace/gtkw.hpp"

namespace heddle {

// One group for each outermost unit ("gpu[0]"), in the order of declaration, its signals colored by
// kind: states orange, numbers yellow, reals indigo, bits green, texts violet. Of an array of
// units, ports or signals the first is unfolded, the others, which look like it, are folded groups.
// Counts and fill levels are stepped curves; labels and signals that show `registers`, by name, are
// written as numbers, those of 64 bits in hexadecimal.
std::vector<gtkw_group> gtkw_groups_by_unit(const std::vector<trace_declaration>& signals,
                                            const std::set<std::string>& registers = {});

}  // namespace heddle
