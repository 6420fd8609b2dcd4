// A value for each port: an array where their number is known when it is compiled, else a vector.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace heddle {

template <class T, std::size_t ports>
using port_table = std::conditional_t<ports == 0, std::vector<T>, std::array<T, ports>>;

}  // namespace heddle
