// Turns next hops, destination by destination, into the tables in which packets look them up.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "transactors/fabric/route_channels.hpp"
#include "transactors/fabric/routing_policy.hpp"
#include "transactors/fabric/unit_routes.hpp"
#include "transactors/fabric/way_lists.hpp"

namespace heddle {

class route_builder {
 public:
  using tables = std::unordered_map<const unit*, std::unique_ptr<unit_routes>>;

  // `book` is filled; it must outlive the tables.
  route_builder(const topology& net, const std::vector<endpoint_record>& endpoints,
                const routing_policy& policy, route_book& book);

  // Tables of all units with bound ports. Throws user_error where routes lead in a circle, or a
  // link has too few virtual channels.
  tables build();
  // After build(). Throws user_error where an endpoint does not reach one that it may address, and
  // where packets can wait for each other in a circle.
  void check() const;

 private:
  using row = std::vector<std::uint32_t>;  // entries by group
  // Ports of an endpoint by index, and the switches behind them: endpoints that agree in both share
  // a row.
  using attachment = std::vector<std::pair<int, topology::index>>;
  struct source {
    std::vector<const packet_port*> ports;
    std::shared_ptr<row> entries;
    std::uint32_t number = 0;
    const endpoint_record* example = nullptr;  // stands for all of them
  };

  void find_sources();
  void route(std::uint32_t group);
  void deliver(std::uint32_t group, topology::index home);
  std::uint32_t entry_of(topology::index at);
  std::uint32_t entry_of(const source& from);
  unit_routes::contents contents_of(const unit& of) const;
  void add_neighbors(const unit& of, unit_routes::contents& all);
  std::vector<unit_routes::channels> channels_of(const unit& of) const;
  void refuse_few_channels() const;
  void check_reach() const;
  void check_devices() const;
  [[noreturn]] void refuse_pair(const source& from, const destination_group& to) const;
  const endpoint_record& spokesman_of(const destination_group& group) const;

  const topology& net_;
  const std::vector<endpoint_record>& endpoints_;
  const routing_policy& policy_;
  route_book& book_;
  const destination_list destinations_;
  way_lists lists_;
  std::vector<topology::index> tiers_;  // by switch: hops from the nearest endpoint

  std::vector<std::shared_ptr<row>> rows_;  // by switch
  std::vector<row> local_;                  // by switch
  std::map<attachment, source> sources_;
  std::unordered_map<const unit*, const source*> source_of_;

  route_channels channels_;

  // Of the group that is routed at present
  hops_by_switch hops_;
  std::vector<topology::index> length_;
};

}  // namespace heddle
