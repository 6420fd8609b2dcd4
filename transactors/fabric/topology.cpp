#include "transactors/fabric/topology.hpp"

#include <algorithm>
#include <utility>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

// In the order in which the simulation has them: that of the netlist.
std::vector<const unit*> topology::owners_of(const std::vector<packet_port*>& ports) {
  std::unordered_map<const unit*, bool> has_ports;
  for (const packet_port* each : ports) has_ports[&each->owner()] = true;
  std::vector<const unit*> owners;
  if (ports.empty()) return owners;
  for (const unit* each : ports.front()->owner().sim().units())
    if (has_ports.count(each) > 0) owners.push_back(each);
  return owners;
}

topology::topology(const std::vector<packet_port*>& ports, std::vector<const unit*> switches)
    : units_(std::move(switches)) {
  for (const packet_port* each : ports) ports_[&each->owner()].push_back(each);
  for (auto& [owner, of_owner] : ports_)
    std::sort(of_owner.begin(), of_owner.end(),
              [](const packet_port* a, const packet_port* b) { return a->index() < b->index(); });
  for (index at = 0; at < this->switches(); ++at) number_[units_[at]] = at;

  std::vector<std::pair<index, index>> ends;
  for (index at = 0; at < this->switches(); ++at) {
    first_arc_.push_back(arcs());
    has_endpoints_.push_back(false);
    for (const packet_port* each : ports_of(*units_[at])) {
      const index to = find(each->peer()->owner());
      if (to == none) {
        has_endpoints_.back() = true;
        continue;
      }
      arcs_.push_back({each, at, to});
      ends.emplace_back(at, to);
    }
  }
  first_arc_.push_back(arcs());
  graph_ = graph(boost::edges_are_sorted, ends.begin(), ends.end(), this->switches(), arcs());
}

topology::index topology::find(const unit& u) const {
  const auto found = number_.find(&u);
  return found == number_.end() ? none : found->second;
}

const std::string& topology::name_of(index at) const {
  return units_[at]->path();
}

const std::vector<const packet_port*>& topology::ports_of(const unit& u) const {
  static const std::vector<const packet_port*> no_ports;
  const auto found = ports_.find(&u);
  return found == ports_.end() ? no_ports : found->second;
}

std::vector<topology::index> topology::switches_beside(const unit& u) const {
  std::vector<index> found;
  for (const packet_port* each : ports_of(u)) {
    const index next = find(each->peer()->owner());
    if (next != none) found.push_back(next);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace heddle
