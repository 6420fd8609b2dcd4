// How far a netlist may expand. Far above the systems that this simulator is built for (65,535
// endpoints), low enough for a runaway `use` or `for` to end in a message within seconds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

inline constexpr std::size_t most_units = 262'144;
inline constexpr std::size_t most_links = 524'288;
// Units, parts, links, binds, ranges, and turns of `for` and `array`, also of those that `if`
// leaves out.
inline constexpr std::size_t most_expansion_steps = 4'000'000;
inline constexpr std::size_t most_netlist_files = 1024;
inline constexpr std::size_t deepest_nesting = 16;
// Of one array or one index of a `for`.
inline constexpr std::int64_t most_repetitions = 65'536;

}  // namespace heddle
