#include "transactors/fabric/routing/grid_places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/trace/glob.hpp"
#include "transactors/fabric/routing/switch_indices.hpp"

namespace heddle {

void grid_places::refuse(const std::string& message) const {
  throw user_error(shape_.place, message);
}

grid_places::coordinates grid_places::read(const std::string& path) const {
  const std::size_t dimensions = sides().size();
  coordinates found = indices_in(path);
  if (found.size() == 1 && dimensions > 1) {
    topology::index number = found.front();
    found.assign(dimensions, 0);
    for (std::size_t i = dimensions; i-- > 0; number /= sides()[i])
      found[i] = i == 0 ? number : number % sides()[i];
  }
  if (found.size() == dimensions) found.insert(found.begin(), planes_, 0);
  if (found.size() != planes_ + dimensions)
    refuse(fmt::format("{} has {} indices, and the grid {} sides", path, found.size(), dimensions));
  return found;
}

grid_places::coordinates grid_places::place(const std::string& path) {
  if (!glob_match(shape_.switches, path)) return {};
  coordinates found = read(path);
  for (std::size_t i = 0; i < sides().size(); ++i)
    if (found[planes_ + i] >= sides()[i])
      refuse(fmt::format("{} lies outside the grid: coordinate {} is {}, the side {}", path, i,
                         found[planes_ + i], sides()[i]));
  if (!taken_.insert(found).second) refuse(path + " stands where another switch of the grid does");
  return found;
}

void grid_places::check_sides() const {
  if (taken_.empty()) refuse("no switch matches '" + shape_.switches + "'");
  coordinates last = *taken_.begin();
  for (const coordinates& each : taken_)
    for (std::size_t i = 0; i < last.size(); ++i) last[i] = std::max(last[i], each[i]);
  for (std::size_t i = 0; i < sides().size(); ++i) {
    const topology::index needed = last[planes_ + i] + 1;
    if (needed < sides()[i])
      refuse(fmt::format("side {} is {}, and the switches are {} in that direction", i, sides()[i],
                         needed));
  }
}

}  // namespace heddle
