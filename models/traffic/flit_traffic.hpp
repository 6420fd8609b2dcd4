// A terminal of synthetic traffic (flit_terminal.hpp) at a flit_switch: patterns by the numbers and
// names of terminals.
#pragma once

#include <string>
#include <vector>

#include "models/traffic/flit_terminal.hpp"
#include "models/traffic/packet_destinations.hpp"
#include "platform/unit/registry.hpp"

namespace heddle {

struct flit_traffic_parameters : traffic_schedule {
  flit_traffic_parameters() { to.itself.set(true); }

  destination_parameters to{*this};
  parameter<std::string> trace{*this, "trace", "",
                               "CSV file of `time,from,to,packets` that says instead of `rate` and "
                               "`pattern` which packets are created",
                               "a netlist says"};
  parameter<std::uint64_t> hot_endpoint{
      *this,
      "hot_endpoint",
      0,
      within(0, 65535),
      "all2one without `hot`: the number of the terminal to which all goes",
      "the first terminal"};
};

struct flit_traffic_counters : arrival_counters {
  statistic min_latency{*this, "min_latency", quantity::time, "smallest latency"};
  statistic max_latency{*this, "max_latency", quantity::time, "largest latency"};
};

class flit_traffic final : public flit_terminal, private traffic_source {
 public:
  using parameters = flit_traffic_parameters;
  using counters = flit_traffic_counters;
  static std::vector<port_description> port_descriptions();

  flit_traffic(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  const flit_traffic_counters& count() const { return counters_; }

 private:
  void on_connected() override;
  std::vector<endpoint_id> prepare_creation(endpoint_id self);
  place exchange_place() const override;
  std::vector<std::uint16_t> addressed() const override { return to_.addressed(); }
  cycle_t next_creation(random_stream& random) override;
  mesh_position next_destination(random_stream& random) override;
  void measured(const flit& tail, fs_t latency) override;
  std::string name_of(mesh_position address) const override;

  flit_traffic_counters counters_;
  packet_destinations to_;
  const std::size_t entry_;  // in the directory of terminals
  const std::size_t hot_terminal_;
  flit_port sink_;
  const int number_;
};

}  // namespace heddle
