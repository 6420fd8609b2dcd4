#include "platform/unit/simulation.hpp"

#include "platform/unit/unit.hpp"

namespace heddle {

unit* simulation::find_unit(const std::string& path) const {
  for (unit* each : units_)
    if (each->path() == path) return each;
  return nullptr;
}

}  // namespace heddle
