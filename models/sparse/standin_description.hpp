// What a stand-in is told of the matrix that it stands for: yaml/standins/*.yaml.
//
//   source      what the literature says of the real matrix, and stand-ins are compared with
//   structure   what the generator adds to that, chosen so that the comparison holds
#pragma once

#include <cstdint>
#include <string>

#include "platform/text/diagnostic.hpp"

namespace heddle {

// Of a partition by equal rows; means over nodes unless something else is said.
struct standin_source {
  std::uint64_t rows = 0, nonzeros = 0;
  std::uint32_t nodes = 128;
  std::uint32_t batch = 32768;  // nonzeros of a command to a gather unit
  double unaware = 0;           // useless properties for each useful one if all are sent
  double aware = 0;             // the same if each remote nonzero asks
  double destinations = 0;      // different owners among 64 consecutive remote nonzeros
  double slices = 0;   // different remote columns of 64 slices of a node's rows, over the node's
  double tail = 1;     // remote columns of the node that has most, over the mean
  double sharing = 0;  // of remote columns, that another node of the same 16 asks for, too
};

struct standin_structure {
  double run = 1;        // remote columns that follow each other at one owner, geometric, mean
  double band = 0;       // share of the runs that continue the block of rows at both its ends
  double hubs = 0;       // share of the others that any node may ask for, by Zipf's law
  double pool = 1;       // runs from which the nodes of a group choose, over those of a node
  double visits = 1;     // times that the rows of a node come to a remote column, far apart
  double imbalance = 1;  // nonzeros of the node that has most, over the mean
  double local = 1;      // of the rows of a node, over which its local columns are spread
  std::uint64_t seed = 1;
};

struct standin_description {
  std::string name;
  source_place place;
  standin_source source;
  standin_structure structure;

  // Derived from redundancy: different remote columns of a node, and uses of each.
  double remote_columns() const;
  double uses() const { return 1 + source.aware; }
};

// Throws user_error.
standin_description read_standin_description(const std::string& path);

}  // namespace heddle
