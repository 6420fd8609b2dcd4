// Critical path of the node that ends last: where the time of its last unit went, and by how much
// more than the mean node it has of everything.
//
// The path runs backwards from the end of the node: the unit whose last command ended last, its
// commands before that one, and the host in between, which posts them and hears of their end.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "models/workloads/gather/gather_figures.hpp"

namespace heddle {

struct tail_path {
  std::size_t unit = 0;
  std::vector<std::pair<const char*, double>> parts;      // s; together the time of the node
  std::vector<std::pair<const char*, double>> over_mean;  // load of the node over the mean
};

tail_path tail_path_of(const gather_figures& of, std::size_t tail, double seconds);

// Adds the keys "path" and "over_mean".
void write_json(const tail_path& path, nlohmann::ordered_json& tail);

}  // namespace heddle
