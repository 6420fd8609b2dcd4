// One voq switch with a traffic endpoint at each port, all parameters of switch and links at their
// defaults, every link busy half of the time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/switch/switch.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/traffic_endpoint.hpp"

namespace heddle {

class star_traffic {
 public:
  // Several stars of a process have names of their own.
  explicit star_traffic(int ports, const std::string& name = "");

  // CPU seconds of one packet over one link, sources and sinks included, over about this many of
  // them. Drains the network before it returns.
  double run(std::uint64_t hops);

 private:
  std::uint64_t hops() const;  // so far: packets that started over a link

  simulation sim_{simulation_settings{}};
  endpoint_traffic traffic_;
  std::unique_ptr<packet_switch> switch_;
  std::vector<std::unique_ptr<traffic_endpoint>> endpoints_;
};

}  // namespace heddle
