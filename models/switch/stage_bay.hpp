// The stages of one switch, by their places in its pipeline. A switch that has none has no bay and
// pays nothing; one that has some puts the bay between its ports and its core.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "transactors/fabric/standstill.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/stages/stage_host.hpp"

namespace heddle {

class packet_switch;
class voq_core;

class stage_bay final : public packet_receiver {
 public:
  stage_bay(packet_switch& owner, voq_core& core);

  // Returns the number of the stage; user_error where it names a port or pipe that is not there.
  int add(stage& added);
  // Every port is linked.
  void start();

  bool has(stage_place place) const { return !at(place).empty(); }
  stage& numbered(int number) const { return *all_[number]; }
  // Whether a stage at visit.place, from visit.position on, takes the packet.
  bool intercept(stage_visit visit, packet& p, int except = -1) const;
  void resume(stage_visit visit, packet& p);
  // Packets that stages keep in receive buffers of the switch, in addition to those that wait.
  void add_kept(std::vector<waiting_packet>& all) const;
  // The slowest stage at the egress of a port.
  bandwidth egress_rate(int port) const { return egress_rates_[port]; }

  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;

 private:
  struct placed_stage {
    stage* behind;
    int number;
  };
  // Packets that have passed the ingress of a port, until they are through the crossbar.
  struct passed {
    passed(stage_bay& bay, int port);
    void forward();
    stage_bay& bay;
    int port;
    arrival_queue waiting;
    timed_call due;
  };

  const std::vector<placed_stage>& at(stage_place place) const {
    return places_[static_cast<std::size_t>(place)];
  }
  stage* device(endpoint_id endpoint) const;
  void check_ports(const stage_sheet& sheet) const;
  void add_times(const stage_sheet& sheet);

  packet_switch& owner_;
  voq_core& core_;
  std::vector<stage*> all_;
  std::array<std::vector<placed_stage>, stage_places> places_;
  std::vector<std::pair<endpoint_id, stage*>> devices_;
  std::vector<std::unique_ptr<passed>> passed_;  // by port
  std::vector<bandwidth> egress_rates_;          // by port
};

}  // namespace heddle
