// What the topologies have in common: the parts that a netlist describes, their usual values, and
// planes, which are copies of a fabric that the ports of each host lead to.
#pragma once

#include <string>
#include <vector>

#include "platform/netlist/topology.hpp"
#include "platform/unit/count_list.hpp"

namespace heddle {

struct topology_parameters : parameter_set {
  parameter<std::uint64_t> planes{*this,
                                  "planes",
                                  1,
                                  within(1, 64),
                                  "copies of the whole fabric; port p of a host leads to plane p",
                                  "one fabric"};
};

// Of a grid of switches.
struct grid_parameters : topology_parameters {
  count_list_parameter sides{*this,
                             "sides",
                             {4, 4},
                             within<std::uint64_t>(1, 65'535),
                             6,
                             "switches along each dimension",
                             "a small plane"};
  parameter<std::uint64_t> hosts{
      *this, "hosts", 1, within(1, 65'535), "hosts at each switch", "a switch a node"};
};

// A named array of switches that all take `switch` for what they do not say themselves.
topology_part switch_part(const std::string& key, const std::string& meaning);
topology_part host_part();
topology_part link_part(const std::string& key, const std::string& meaning);

// One plane of a fabric. With several planes the arrays of switches have the plane as their first
// index; hosts are in all of them.
class fabric_plane {
 public:
  fabric_plane(topology_plan& plan, std::uint64_t plane, std::uint64_t planes)
      : plan_(plan), plane_(plane), has_planes_(planes > 1) {}

  // A port of a switch; and of a host the n-th among its `ports` ports of this plane.
  topology_end at(const std::string& part, std::vector<std::uint64_t> indices,
                  std::uint64_t port) const;
  topology_end host(std::uint64_t number, std::uint64_t n = 0, std::uint64_t ports = 1) const;
  void link(const std::string& part, const topology_end& a, const topology_end& b) const {
    plan_.add_link(part, a, b);
  }
  // The hosts of the n-th switch, at its first ports.
  void link_hosts(const std::string& part, const std::vector<std::uint64_t>& indices,
                  std::uint64_t n, std::uint64_t hosts) const;

 private:
  topology_plan& plan_;
  std::uint64_t plane_;
  bool has_planes_;
};

// An array of switches in each plane.
void add_switches(topology_plan& plan, const std::string& part, std::vector<std::uint64_t> shape,
                  std::uint64_t planes, std::uint64_t ports);

// The part `switch` as a grid with its hosts, and dimension-order routes over it, unless the
// netlist has its own `routing`.
void add_grid(topology_plan& plan, const grid_parameters& p, std::uint64_t ports);

// Places of a grid in mixed radix, the last coordinate fastest.
class grid {
 public:
  using coordinates = std::vector<std::uint64_t>;

  explicit grid(std::vector<std::uint64_t> sides) : sides_(std::move(sides)) {}

  std::uint64_t size() const;
  coordinates at(std::uint64_t number) const;
  // The place with another coordinate in one dimension.
  static coordinates moved(coordinates from, std::size_t dimension, std::uint64_t to);

 private:
  std::vector<std::uint64_t> sides_;
};

}  // namespace heddle
