// The hubs of a layer's GPUs, as endpoints of the network: whom a rank is, and which rank sends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/hub/hub_settings.hpp"
#include "models/gpu/hub/layer_map.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

class hub_peers {
 public:
  hub_peers(unit& owner, fabric& net, const hub_settings& settings, const layer_map& layer)
      : net_(net),
        settings_(settings),
        layer_(layer),
        own_(net.add_endpoint(owner, settings.base, settings.size, packet_order::none)) {}

  // Finds them; a layer that makes sense has them all.
  void configure();

  endpoint_id own() const { return own_; }
  endpoint_id range() const { return range_; }  // the devices in the switches
  endpoint_id of(std::uint32_t gpu) const { return endpoints_[gpu]; }
  // layer.gpus for others than hubs of this layer: a device in a switch sends copies for all hubs.
  std::uint32_t rank_of(endpoint_id sender) const {
    return sender < gpu_of_endpoint_.size() ? gpu_of_endpoint_[sender] : layer_.gpus;
  }
  std::string name_of(endpoint_id sender) const;  // for messages

 private:
  fabric& net_;
  const hub_settings& settings_;
  const layer_map& layer_;
  const endpoint_id own_;
  endpoint_id range_ = 0;
  std::vector<endpoint_id> endpoints_;  // by GPU
  std::vector<std::uint32_t> gpu_of_endpoint_;
};

}  // namespace heddle
