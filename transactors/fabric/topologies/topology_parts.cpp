#include "transactors/fabric/topologies/topology_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace heddle {

topology_part switch_part(const std::string& key, const std::string& meaning) {
  return {key, key == "switch" ? "" : "switch", meaning};
}

topology_part host_part() {
  return {"host", "", "what stands at the ends, `i` counts them"};
}

topology_part link_part(const std::string& key, const std::string& meaning) {
  return {key, key == "link" ? "" : "link", meaning};
}

topology_end fabric_plane::at(const std::string& part, std::vector<std::uint64_t> indices,
                              std::uint64_t port) const {
  if (has_planes_) indices.insert(indices.begin(), plane_);
  return {part, std::move(indices), port};
}

topology_end fabric_plane::host(std::uint64_t number, std::uint64_t n, std::uint64_t ports) const {
  return {"host", {number}, plane_ * ports + n};
}

void fabric_plane::link_hosts(const std::string& part, const std::vector<std::uint64_t>& indices,
                              std::uint64_t n, std::uint64_t hosts) const {
  for (std::uint64_t each = 0; each < hosts; ++each)
    link("host_link", host(n * hosts + each), at(part, indices, each));
}

void add_switches(topology_plan& plan, const std::string& part, std::vector<std::uint64_t> shape,
                  std::uint64_t planes, std::uint64_t ports) {
  plan.set_default(part, "type", "switch");
  constexpr std::uint64_t fewest = 2;  // of a switch
  plan.set_default(part, "ports", std::to_string(std::max(ports, fewest)));
  if (planes > 1) shape.insert(shape.begin(), planes);
  plan.add_units(part, shape);
}

void add_grid(topology_plan& plan, const grid_parameters& p, std::uint64_t ports) {
  plan.suggest_section("routing",
                       fmt::format("{{policy: dimension_order, sides: [{}], switches: '{}[*'}}",
                                   fmt::join(p.sides(), ", "), plan.name_of("switch")));
  add_switches(plan, "switch", p.sides(), p.planes(), ports);
  plan.add_units("host", {grid(p.sides()).size() * p.hosts()});
}

std::uint64_t grid::size() const {
  std::uint64_t product = 1;
  for (const std::uint64_t side : sides_) product *= side;
  return product;
}

grid::coordinates grid::at(std::uint64_t number) const {
  coordinates found(sides_.size());
  for (std::size_t i = sides_.size(); i-- > 0; number /= sides_[i]) found[i] = number % sides_[i];
  return found;
}

grid::coordinates grid::moved(coordinates from, std::size_t dimension, std::uint64_t to) {
  from[dimension] = to;
  return from;
}

}  // namespace heddle
