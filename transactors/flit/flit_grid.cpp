#include "transactors/flit/flit_grid.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "platform/trace/glob.hpp"

namespace heddle {

void flit_grid::refuse(const std::string& message) const {
  throw user_error(settings_.place, message);
}

flit_grid::coordinates flit_grid::place_of(const std::string& path) const {
  if (!glob_match(settings_.switches, path)) return {};
  coordinates found;
  for (std::size_t at = path.find('['); at != std::string::npos; at = path.find('[', at + 1))
    found.push_back(static_cast<std::uint32_t>(std::strtoul(path.c_str() + at + 1, nullptr, 10)));
  const std::size_t dimensions = sides().size();
  if (found.size() == 1 && dimensions > 1) {
    std::uint32_t number = found.front();
    found.assign(dimensions, 0);
    for (std::size_t i = dimensions; i-- > 0; number /= sides()[i])
      found[i] = i == 0 ? number : number % sides()[i];
  }
  if (found.size() != dimensions)
    refuse(fmt::format("{} has {} indices, and the grid {} sides", path, found.size(), dimensions));
  for (std::size_t i = 0; i < dimensions; ++i)
    if (found[i] >= sides()[i])
      refuse(fmt::format("{} lies outside the grid: coordinate {} is {}, the side {}", path, i,
                         found[i], sides()[i]));
  return found;
}

std::vector<flit_grid::axis> flit_grid::axes(const coordinates& here,
                                             const std::vector<coordinates>& to,
                                             const std::string& path) const {
  std::vector<axis> found(here.size());
  for (std::size_t port = 0; port < to.size(); ++port) {
    if (to[port].empty() || to[port] == here) continue;
    std::size_t along = here.size();
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (to[port][i] == here[i]) continue;
      if (along != here.size())
        refuse(fmt::format("port {} of {} changes two coordinates", port, path));
      along = i;
    }
    const std::uint32_t side = sides()[along];
    const bool is_up = to[port][along] == (here[along] + 1) % side;
    const bool is_down = here[along] == (to[port][along] + 1) % side;
    if (!is_up && !is_down) refuse(fmt::format("port {} of {} leads past a neighbor", port, path));
    // In a ring of two, the first port to the neighbor leads up.
    const bool goes_up = is_up && (!is_down || found[along].up == flit_way::nowhere);
    std::uint8_t& kept = goes_up ? found[along].up : found[along].down;
    if (kept == flit_way::nowhere) kept = static_cast<std::uint8_t>(port);
  }
  return found;
}

flit_way flit_grid::way(const coordinates& here, const coordinates& there,
                        const std::vector<axis>& axes, const std::vector<bool>& closes) const {
  std::size_t along = 0;
  while (here[along] == there[along]) ++along;
  const std::uint32_t side = sides()[along], from = here[along], to = there[along];
  const std::uint32_t upwards = (to + side - from) % side;
  const bool is_ring = closes[along];
  const auto up_class = static_cast<std::uint8_t>(is_ring && from > to);
  const auto down_class = static_cast<std::uint8_t>(is_ring && from > to);
  const bool goes_up = is_ring ? 2 * upwards <= side : to > from;
  flit_way found;
  found.dimension = static_cast<std::uint8_t>(along);
  found.output = goes_up ? axes[along].up : axes[along].down;
  found.class_of_output = goes_up ? up_class : down_class;
  if (is_ring && 2 * upwards == side) {
    found.other = axes[along].down;
    found.class_of_other = down_class;
  }
  return found;
}

}  // namespace heddle
