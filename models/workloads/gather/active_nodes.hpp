// How many nodes still gather, over time (NetSparse Fig 19), as a table for other programs and as a
// drawing for people.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct active_nodes {
  std::string name;
  std::vector<double> ends;  // s, of each node; sorted

  double last() const { return ends.empty() ? 0 : ends.back(); }
  double mean() const;
  // Instant from which on at most that share of the nodes is active.
  double until(double share) const;
};

// Columns: gather, time in us, active nodes; a row wherever the number changes.
std::string csv_of(const std::vector<active_nodes>& all);

// One curve for each gather, and `table` below them, a line of text each.
std::string svg_of(const std::vector<active_nodes>& all, const std::string& title,
                   const std::vector<std::string>& table);

}  // namespace heddle
