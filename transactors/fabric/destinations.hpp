// Endpoints by where they are attached: those behind the same switches share their routes.
#pragma once

#include <cstdint>
#include <vector>

#include "transactors/fabric/endpoint.hpp"
#include "transactors/fabric/route_book.hpp"
#include "transactors/fabric/topology.hpp"

namespace heddle {

struct destination_group {
  // Switches that are next to the endpoints, or that hold the device; ascending. Empty where an
  // endpoint has no switch beside it.
  std::vector<topology::index> homes;
  std::vector<endpoint_id> members;
  bool is_inc = false;
};

struct destination_list {
  std::vector<destination_group> groups;
  std::vector<destination> of;  // by endpoint
  // By endpoint: those behind one switch have numbers in a row.
  std::vector<std::uint32_t> number;
};

// `is_separate`: every endpoint is a group of its own.
destination_list group_destinations(const std::vector<endpoint_record>& endpoints,
                                    const topology& net, bool is_separate);

}  // namespace heddle
