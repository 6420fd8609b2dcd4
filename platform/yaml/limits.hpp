// How large a YAML document may be. Far above what people write, low enough for a hostile file to
// end in a message instead of an exhausted machine.
#pragma once

#include <cstddef>

namespace heddle {

inline constexpr int yaml_depth_limit = 64;
inline constexpr std::size_t yaml_size_limit = std::size_t{4} << 20;
inline constexpr std::size_t yaml_node_limit = 500'000;

}  // namespace heddle
