// The two trees of sw/collectives/double_tree.h, for every number of ranks.
#include "sw/collectives/double_tree.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace {

std::uint32_t depth_of(std::uint32_t ranks, std::uint32_t tree, std::uint32_t position) {
  std::uint32_t depth = 0;
  for (; position != 0 && depth < ranks; ++depth)
    position = double_tree_place_of(ranks, tree, position).parent;
  return depth;
}

std::uint32_t log2_up(std::uint32_t value) {
  std::uint32_t log = 0;
  while ((1U << log) < value) ++log;
  return log;
}

}  // namespace

TEST_CASE("each tree joins all ranks, and parents know their children", "[tree]") {
  for (std::uint32_t ranks = 2; ranks < 300; ++ranks)
    for (std::uint32_t tree = 0; tree < TREES; ++tree)
      for (std::uint32_t position = 1; position < ranks; ++position) {
        const double_tree_place own = double_tree_place_of(ranks, tree, position);
        const double_tree_place parent = double_tree_place_of(ranks, tree, own.parent);
        INFO(ranks << " ranks, tree " << tree << ", position " << position);
        REQUIRE(own.number < parent.children);
        REQUIRE(parent.child[own.number] == position);
        REQUIRE(depth_of(ranks, tree, position) <= log2_up(ranks) + 1);
      }
}

TEST_CASE("a rank is an inner node of one tree at most", "[tree]") {
  for (std::uint32_t ranks = 2; ranks < 300; ++ranks)
    for (std::uint32_t position = 1; position < ranks; ++position) {
      INFO(ranks << " ranks, position " << position);
      REQUIRE((double_tree_place_of(ranks, 0, position).children == 0 ||
               double_tree_place_of(ranks, 1, position).children == 0));
    }
}

TEST_CASE("trees of a power of two are as deep as its logarithm", "[tree]") {
  for (std::uint32_t ranks = 2; ranks <= 4096; ranks *= 2) {
    std::uint32_t deepest = 0;
    for (std::uint32_t position = 1; position < ranks; ++position)
      deepest = std::max(deepest, depth_of(ranks, 0, position));
    CHECK(deepest == log2_up(ranks));
  }
}
