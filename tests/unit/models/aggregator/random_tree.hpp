// A tree of switches with ranks, drawn from a seed.
#pragma once

#include <random>

#include "tests/unit/models/aggregator/aggregator_bench.hpp"

namespace heddle {

struct random_tree {
  explicit random_tree(unsigned seed) : random(seed) {
    const int switches = pick(1, 6);
    options.parent_of = {-1};
    for (int s = 1; s < switches; ++s) options.parent_of.push_back(pick(0, s - 1));
    options.leaf_of.clear();
    for (int rank = 0; rank < pick(1, 10); ++rank) options.leaf_of.push_back(pick(0, switches - 1));
    for (std::size_t rank = 0; rank < options.leaf_of.size(); ++rank)
      options.rank_latency.push_back(static_cast<fs_t>(pick(1, 2000)) * fs_per_ns);
    options.train = static_cast<std::uint32_t>(pick(1, 4));
    options.link_buffer = std::uint64_t{144} * options.train * static_cast<unsigned>(pick(1, 4));
  }
  int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); }

  std::mt19937 random;
  aggregator_bench_options options;
};

}  // namespace heddle
