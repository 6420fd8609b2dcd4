// Follows the routes of a built system from unit to unit, as a packet does.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

class route_walk {
 public:
  explicit route_walk(simulation& sim) : net_(sim.service<fabric>()) {
    for (const packet_port* each : net_.ports()) {
      std::vector<const packet_port*>& of_unit = ports_[&each->owner()];
      const auto index = static_cast<std::size_t>(each->index());
      of_unit.resize(std::max(of_unit.size(), index + 1));
      of_unit[index] = each;
    }
  }

  // The ports through which the packet leaves one unit after the other, and on which virtual
  // channel, in a visit each.
  template <class Visit>
  void follow(packet p, const unit& from, Visit visit) const {
    for (const unit* at = &from; !net_.is_at(p.destination, *at);) {
      const route_hop hop = net_.routes(*at).next(p);
      const packet_port* leaving = ports_.at(at)[hop.port];
      p.vc = hop.vc;
      visit(*leaving, int{p.vc});
      at = &leaving->peer()->owner();
    }
  }

 private:
  fabric& net_;
  std::unordered_map<const unit*, std::vector<const packet_port*>> ports_;
};

}  // namespace heddle
