// The flit plane as a graph: which router stands where, which channels join them. Before the
// simulation starts it follows every way that a flit can take, and refuses a netlist in which
// channels wait for each other in a circle (Dally and Seitz, 1987). Where all routers of a network
// take the dimensions in the same order there is none: along a dimension coordinates only grow or
// only fall, and nobody comes back to the first dimension. That is known without following ways.
//
// Forks and merges of collectives need no dependencies of their own: each branch is the way of a
// unicast, and flits of collectives hold no channel between them. But a router gathers
// contributions that wait for others; it asks here how many of them there can be.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "transactors/flit/flit_port.hpp"

namespace heddle {

// A unit that passes flits on.
class flit_router {
 public:
  static constexpr int ports = 5;

  virtual const unit& as_unit() const = 0;
  virtual mesh_position position() const = 0;
  virtual const flit_port& port_at(int index) const = 0;
  // Output of a unicast flit that came in at that port.
  virtual int route(mesh_position destination) const = 0;
  // Whether route() goes by one dimension after the other, and which comes first.
  enum class order : std::uint8_t { x_first, y_first, other };
  virtual order dimension_order() const = 0;

 protected:
  ~flit_router() = default;
};

// Routers that links join, network by network, in the order in which routers were added.
std::vector<std::vector<const flit_router*>> joined_routers(
    const std::vector<const flit_router*>& routers);

class flit_network {
 public:
  // The first of them has the heat map of its links added to the results.
  void add_router(const flit_router& added);

  struct located {
    const flit_port* endpoint = nullptr;
    mesh_position here;
    shared_text map;
    std::uint64_t first_address = 0;  // that is behind the endpoint
  };
  // An endpoint of that router's network that knows where it is, and which addresses others have:
  // `map` is the same text for all who agree.
  void add_endpoint(const located& added) { endpoints_.push_back(added); }
  // On the network of that router; nullptr when nobody has said to be there. For reports.
  const located* endpoint_at(const unit& router, mesh_position there) const;

  // All that stand on the network of that router.
  std::vector<const located*> endpoints_of(const unit& router) const;
  // All, network by network.
  std::vector<std::vector<const located*>> endpoints_by_network() const;

  // An endpoint has flits of so many reductions under way at most.
  void add_source(const flit_port& endpoint, std::size_t reductions) {
    sources_.push_back({&endpoint, reductions});
  }
  // The sum over all endpoints of that router's network. The netlist is joined.
  std::size_t reductions_under_way(const unit& router);

  // Every router calls it when the netlist is joined; the first call checks. Throws user_error that
  // names two units whose places or maps do not fit, or the circle.
  void check();

 private:
  std::vector<const located*> endpoints_at(const std::unordered_set<const unit*>& routers) const;
  void check_neighbors() const;
  void check_endpoints() const;
  void check_deadlock() const;

  struct source {
    const flit_port* endpoint;
    std::size_t reductions;
  };
  std::vector<const flit_router*> routers_;
  std::vector<located> endpoints_;
  std::vector<source> sources_;
  std::unordered_map<const unit*, std::size_t> under_way_;  // by router
  bool is_checked_ = false;
};

}  // namespace heddle
