// The software that NetSparse compares itself with, as its section 8.1 defines it.
//
//   SUOpt   every node receives every property of the others at line rate: no headers, no latency
//   SAOpt   each core of a node asks for what its own rows need, once: no network, but software
//           takes a while for each request
//
// Limitations: SAOpt's time for a request is not printed. 0.74 us follow from Table 7 for queen,
// the balanced matrix (goodput 11 % at K = 16 with 64 cores), and are taken for every matrix and K.
#pragma once

#include <cstdint>
#include <vector>

#include "models/sparse/matrix_structure.hpp"

namespace heddle {

struct software_machine {
  double link = 50e9;                 // B/s, Table 5
  double request_overhead = 0.74e-6;  // s, of a request on one core
};

// Seconds until every node has all properties.
double suopt_seconds(std::uint64_t properties, std::uint32_t nodes, std::uint64_t property_bytes,
                     const software_machine& machine = {});

// By node. `structure` has cut a node's rows into slices, one for each of its cores (NetSparse
// Table 5: 64); the node takes as long as the core that makes the most requests.
std::vector<double> saopt_seconds(const matrix_structure& structure,
                                  const software_machine& machine = {});

}  // namespace heddle
