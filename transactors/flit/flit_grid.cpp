#include "transactors/flit/flit_grid.hpp"

#include <fmt/format.h>

#include <utility>

namespace heddle {
namespace {

// Ports by coordinate, in the row of that switch.
bool leads_to_all(const std::vector<std::uint8_t>& direct, topology::index here) {
  for (topology::index there = 0; there < direct.size(); ++there)
    if (there != here && direct[there] == flit_way::nowhere) return false;
  return true;
}

}  // namespace

std::vector<flit_grid::axis> flit_grid::axes(const coordinates& here,
                                             const std::vector<coordinates>& to,
                                             const std::string& path) const {
  std::vector<axis> found(here.size());
  std::vector<int> past_neighbor(here.size(), -1);  // a port that leads there
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
    std::vector<std::uint8_t>& direct = found[along].direct;
    if (direct.empty()) direct.assign(side, flit_way::nowhere);
    if (direct[to[port][along]] == flit_way::nowhere)
      direct[to[port][along]] = static_cast<std::uint8_t>(port);
    if (!is_up && !is_down) {
      past_neighbor[along] = static_cast<int>(port);
      continue;
    }
    // Of two links to a single neighbor, the first leads up.
    const bool goes_up = is_up && (!is_down || found[along].up == flit_way::nowhere);
    std::uint8_t& kept = goes_up ? found[along].up : found[along].down;
    if (kept == flit_way::nowhere) kept = static_cast<std::uint8_t>(port);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (past_neighbor[i] < 0)
      found[i].direct.clear();
    else if (!leads_to_all(found[i].direct, here[i]))
      refuse(
          fmt::format("port {} of {} leads past a neighbor, and the switch is not linked to all "
                      "others of that row: rows are lines, rings or full",
                      past_neighbor[i], path));
  }
  // In a line of two, the only link leads down from the second switch.
  for (std::size_t i = 0; i < found.size(); ++i)
    if (sides()[i] == 2 && here[i] == 1 && found[i].down == flit_way::nowhere)
      std::swap(found[i].up, found[i].down);
  return found;
}

flit_way flit_grid::way(const coordinates& here, const coordinates& there,
                        const std::vector<axis>& axes, const std::vector<bool>& closes) const {
  std::size_t along = 0;
  while (here[along] == there[along]) ++along;
  const std::uint32_t side = sides()[along], from = here[along], to = there[along];
  const std::uint32_t upwards = (to + side - from) % side;
  flit_way found;
  found.dimension = static_cast<std::uint8_t>(along);
  if (axes[along].is_full_row()) {
    found.output = axes[along].direct[to];
    return found;
  }
  const bool is_ring = closes[along];
  // Up, these are the ways that pass from the last switch to the first; down, those that do not
  // pass from the first to the last.
  const auto its_class = static_cast<std::uint8_t>(is_ring && has_classes(along) && from > to);
  const bool goes_up = is_ring ? 2 * upwards <= side : to > from;
  found.output = goes_up ? axes[along].up : axes[along].down;
  found.class_of_output = its_class;
  if (is_ring && 2 * upwards == side) {
    found.other = axes[along].down;
    found.class_of_other = its_class;
  }
  return found;
}

}  // namespace heddle
