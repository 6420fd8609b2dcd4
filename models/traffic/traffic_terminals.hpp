// Every terminal of synthetic traffic on the packet plane, in the order of the netlist, and the
// sets of them that sources address.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/traffic/destination_table.hpp"
#include "models/traffic/terminal_selection.hpp"
#include "platform/random/random_stream.hpp"
#include "platform/services/run_control.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

// Terminals that a source may address, in the order in which its list names them.
struct destination_set {
  static constexpr std::size_t absent = SIZE_MAX;

  std::vector<endpoint_id> endpoints;     // each once
  std::vector<std::uint64_t> cumulative;  // weights of those up to here; empty when all are equal
  std::unordered_map<endpoint_id, std::size_t> numbers;

  std::size_t size() const { return endpoints.size(); }
  std::size_t place_of(endpoint_id endpoint) const {
    const auto found = numbers.find(endpoint);
    return found == numbers.end() ? absent : found->second;
  }
  // By weight.
  endpoint_id draw(random_stream& random) const;
};

// One per run: simulation::service<traffic_terminals>().
class traffic_terminals {
 public:
  // Terminals of flits and of packets address only their like.
  void add(const std::string& path, endpoint_id endpoint, packet_granularity granularity);

  // An empty list names all. Throws user_error at the list's place when a name fits no terminal.
  // Sources with equal lists share the set.
  std::shared_ptr<const destination_set> select(const terminal_selection& list,
                                                packet_granularity granularity);
  // What a row of the file lets a terminal address, which may be nothing. Throws user_error at a
  // row whose sender fits no terminal.
  std::shared_ptr<const destination_set> select_by_table(const std::string& file, endpoint_id self,
                                                         packet_granularity granularity);
  // The one of that name. Throws user_error at the place where it stands.
  endpoint_id named(const std::string& name, packet_granularity granularity,
                    const source_place& place) const;
  const std::string& path_of(endpoint_id endpoint,
                             packet_granularity granularity = packet_granularity::packets) const {
    return all_[by_endpoint_.at({granularity, endpoint})].path;
  }
  // Throws user_error when a terminal that may be addressed cannot be reached.
  void check_reachable(const unit& from, const std::vector<endpoint_id>& addressed) const;

  // Packets on their way. Those that are left when nothing happens any more are lost in a deadlock.
  void injected() { ++under_way_; }
  void delivered() { --under_way_; }
  void watch(run_control& control);  // once is enough

 private:
  struct terminal {
    std::string path;
    endpoint_id endpoint;
    packet_granularity granularity;
  };

  void find(const weighted_glob& glob, packet_granularity granularity,
            std::vector<endpoint_id>& found) const;
  bool knows(const std::string& glob, packet_granularity granularity) const;
  void check_senders(const destination_table& table, packet_granularity granularity) const;
  [[noreturn]] void refuse(const std::string& glob, const source_place& place) const;

  std::vector<terminal> all_;
  std::unordered_map<std::string, std::size_t> by_path_;
  std::map<std::pair<packet_granularity, endpoint_id>, std::size_t> by_endpoint_;
  destination_tables tables_;
  std::set<std::pair<const destination_table*, packet_granularity>> checked_;  // senders of tables
  std::map<std::string, std::shared_ptr<const destination_set>> sets_;  // by list and granularity
  std::int64_t under_way_ = 0;
  bool is_watched_ = false;
};

}  // namespace heddle
