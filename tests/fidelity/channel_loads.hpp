// What synthetic traffic asks of every link, found by following the routes of every pair of
// terminals: the busiest link bounds the throughput (Dally and Towles 2004, 3.3.1).
//
// Exact where routes depend on source and destination alone, as they do unless packets are sprayed.
#pragma once

#include <cstddef>
#include <functional>

#include "platform/unit/simulation.hpp"

namespace heddle {

// Share of a source's packets that goes to a terminal, both by their numbers.
using traffic_matrix =
    std::function<double(std::size_t from, std::size_t to, std::size_t terminals)>;

double uniform_traffic(std::size_t from, std::size_t to, std::size_t terminals);
traffic_matrix next_group_traffic(std::size_t group);
traffic_matrix shift_traffic(std::size_t shift);
double bit_complement_traffic(std::size_t from, std::size_t to, std::size_t terminals);

struct channel_bound {
  double load = 0;  // of the busiest link, when every source offers its link's rate
  // Accepted load of each source, as a share of its link: no more than the source's own link takes.
  double throughput() const { return load > 1 ? 1 / load : 1; }
};

// Of the terminals of type packet_traffic. All links of equal rate.
channel_bound find_bound(simulation& sim, const traffic_matrix& matrix);

}  // namespace heddle
