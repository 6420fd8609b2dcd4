// The packet plane as a graph. Units that forward packets are its vertices, called switches here;
// each port that leads from one of them to another is an arc. Endpoints do not forward: they are
// attached to switches, or to each other.
//
// Built once, when all links are joined. Arcs of a switch are in the order of its port indices.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "transactors/packet/packet_port.hpp"

namespace heddle {

class topology {
 public:
  using index = std::uint32_t;
  static constexpr index none = UINT32_MAX;
  using graph =
      boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                         boost::no_property, index, index>;

  // A way out of a switch to another one.
  struct arc {
    const packet_port* port;
    index from, to;
  };

  // `ports`: every bound port. `forwards`: whether the unit is a switch.
  template <class Forwards>
  topology(const std::vector<packet_port*>& ports, Forwards forwards)
      : topology(ports, switches_among(ports, forwards)) {}

  const graph& as_graph() const { return graph_; }
  index switches() const { return static_cast<index>(units_.size()); }
  index arcs() const { return static_cast<index>(arcs_.size()); }
  const unit& unit_at(index at) const { return *units_[at]; }
  index find(const unit& u) const;  // `none` for an endpoint
  const std::string& name_of(index at) const;
  bool has_endpoints(index at) const { return has_endpoints_[at]; }  // beside it

  const arc& arc_at(index number) const { return arcs_[number]; }
  // Arcs of a switch are numbered first_arc(at) up to, not including, first_arc(at + 1).
  index first_arc(index at) const { return first_arc_[at]; }

  // All bound ports of a unit, in the order of their indices.
  const std::vector<const packet_port*>& ports_of(const unit& u) const;
  // Switches next to a unit, each once, in ascending order.
  std::vector<index> switches_beside(const unit& u) const;

 private:
  static std::vector<const unit*> owners_of(const std::vector<packet_port*>& ports);
  template <class Forwards>
  static std::vector<const unit*> switches_among(const std::vector<packet_port*>& ports,
                                                 Forwards forwards) {
    std::vector<const unit*> found;
    for (const unit* each : owners_of(ports))
      if (forwards(*each)) found.push_back(each);
    return found;
  }
  topology(const std::vector<packet_port*>& ports, std::vector<const unit*> switches);

  std::vector<const unit*> units_;
  std::unordered_map<const unit*, index> number_;
  std::unordered_map<const unit*, std::vector<const packet_port*>> ports_;
  std::vector<arc> arcs_;
  std::vector<index> first_arc_;
  std::vector<bool> has_endpoints_;  // by switch
  graph graph_;
};

}  // namespace heddle
