// Follows the routes of a built system from unit to unit, as a packet does.
#pragma once

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
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

  // Follows a packet over every way that it may take, starting from `from`, and calls
  // visit(held, wanted) for each two channels that follow each other on one of them, at least once.
  using channel = std::pair<const packet_port*, int>;
  template <class Visit>
  void follow_all(packet p, const unit& from, Visit visit) const {
    std::set<channel> seen;
    std::vector<channel> reached;
    const auto leave = [&](const unit& at, const channel* held) {
      if (net_.is_at(p.destination, at)) return;
      for (const route_hop& hop : net_.routes(at).every_next(p)) {
        const channel next{ports_.at(&at)[static_cast<std::size_t>(hop.port)], hop.vc};
        if (held) visit(*held, next);
        if (seen.insert(next).second) reached.push_back(next);
      }
    };
    leave(from, nullptr);
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const channel held = reached[i];
      p.vc = static_cast<std::uint8_t>(held.second);
      leave(held.first->peer()->owner(), &held);
    }
  }

 private:
  fabric& net_;
  std::unordered_map<const unit*, std::vector<const packet_port*>> ports_;
};

}  // namespace heddle
