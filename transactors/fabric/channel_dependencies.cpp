#include "transactors/fabric/channel_dependencies.hpp"

#include <algorithm>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <utility>

namespace heddle {
namespace {

using channel = channel_dependencies::channel;
using graph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, channel, channel>;

// Ends the search at the first edge that leads back to where the search came from.
struct circle_finder : boost::dfs_visitor<> {
  std::vector<channel>* came_from;
  std::vector<channel>* circle;

  void tree_edge(graph::edge_descriptor e, const graph& g) const {
    (*came_from)[boost::target(e, g)] = boost::source(e, g);
  }
  void back_edge(graph::edge_descriptor e, const graph& g) const {
    if (!circle->empty()) return;
    const channel first = boost::target(e, g);
    for (channel at = boost::source(e, g); at != first; at = (*came_from)[at])
      circle->push_back(at);
    circle->push_back(first);
    std::reverse(circle->begin(), circle->end());
  }
};

}  // namespace

void channel_dependencies::add(channel held, channel wanted) {
  pairs_.push_back(std::uint64_t{held} << 32 | wanted);
  if (pairs_.size() > 4 * sorted_ + (1 << 16)) forget_doubles();
}

void channel_dependencies::forget_doubles() {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  sorted_ = pairs_.size();
}

std::vector<channel_dependencies::channel> channel_dependencies::find_circle() {
  forget_doubles();
  const auto ends = [](std::uint64_t pair) {
    return std::make_pair(static_cast<channel>(pair >> 32), static_cast<channel>(pair));
  };
  const graph waits(boost::edges_are_sorted, boost::make_transform_iterator(pairs_.begin(), ends),
                    boost::make_transform_iterator(pairs_.end(), ends), channels_,
                    static_cast<channel>(pairs_.size()));
  std::vector<channel> circle, came_from(channels_);
  circle_finder finder;
  finder.came_from = &came_from;
  finder.circle = &circle;
  boost::depth_first_search(waits, boost::visitor(finder));
  return circle;
}

}  // namespace heddle
