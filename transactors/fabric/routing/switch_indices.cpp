#include "transactors/fabric/routing/switch_indices.hpp"

#include <cstdlib>

namespace heddle {

std::vector<topology::index> indices_in(const std::string& path) {
  std::vector<topology::index> indices;
  for (std::size_t at = path.find('['); at != std::string::npos; at = path.find('[', at + 1))
    indices.push_back(
        static_cast<topology::index>(std::strtoul(path.c_str() + at + 1, nullptr, 10)));
  return indices;
}

}  // namespace heddle
