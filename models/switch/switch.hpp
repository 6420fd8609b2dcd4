// Packet switch: N ports, routes of the fabric, virtual output queues and cut-through: a packet is
// held up by its output alone. A switch of flits, with FIFOs at its inputs, is models/router.
//
// Limitations: input buffers have as many read ports as the switch has outputs (no input
// contention).
#pragma once

#include <memory>
#include <vector>

#include "models/switch/stage_bay.hpp"
#include "models/switch/voq_core.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/arbitration/port_set.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/fabric/standstill.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

struct switch_parameters : parameter_set {
  parameter<std::uint64_t> ports{*this,
                                 "ports",
                                 8,
                                 within(2, port_set::most_ports),
                                 "packet ports",
                                 "DGX H200: one port a GPU and switch plane"};
  parameter<duration> forwarding{*this, "forwarding", 100_ns,
                                 "first byte in to first byte out of an idle switch",
                                 "NVSwitch-class port-to-port latency, about 100 ns"};
  parameter<std::uint64_t> pipes{*this,
                                 "pipes",
                                 1,
                                 within(1, port_set::most_ports),
                                 "middle pipes; port p belongs to pipe p mod pipes",
                                 "only stages of the middle can tell how many there are"};
};

class packet_switch final : public unit,
                            public stage_host,
                            private output_loads,
                            private packet_forwarder {
 public:
  using parameters = switch_parameters;
  using counters = switch_counters;
  static std::vector<port_description> port_descriptions();

  packet_switch(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override { return core_->waiting_for(); }

  // For the core ---------------------------------------------------------------------------
  int port_count() const override { return static_cast<int>(ports_.size()); }
  packet_port& port_at(int index) override { return *ports_[index]; }
  // Output and virtual channel of a packet's next hop.
  unit_routes& routes() { return *routes_; }
  switch_counters& count() { return counters_; }
  const stage_bay* bay() const { return bay_.get(); }  // nullptr: there are no stages
  fs_t forwarding() const { return core_->forwarding(); }

  // For stages -------------------------------------------------------------------------------
  const unit& stage_unit() const override { return *this; }
  int pipe_count() const override { return pipes_; }
  route_hop hop_of(const packet& p) override {
    return routes_->reaches(p.destination) ? routes_->next(p) : route_hop{-1, 0};
  }
  int attach(stage& added) override;
  void emit(int stage_number, int port, packet& p) override;
  void emit_copy(int stage_number, int port, packet& original, const copy_order& order) override;
  void resume(const stage_visit& visit, packet& p) override { bay_->resume(visit, p); }

 private:
  void on_connected() override;
  std::uint64_t load_of(int port) const override { return core_->load_of(port); }
  void add_waiting(std::vector<waiting_packet>& all) const override;

  switch_counters counters_;
  const int pipes_;
  std::unique_ptr<voq_core> core_;
  std::vector<std::unique_ptr<packet_port>> ports_;
  std::unique_ptr<stage_bay> bay_;
  stage_host_port stage_port_;
  unit_routes* routes_ = nullptr;  // once connected
};

}  // namespace heddle
