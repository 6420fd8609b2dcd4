// Which endpoint of the fabric is which node of a gather: packets are routed by endpoints, headers
// name nodes. One per run: simulation::service<gather_directory>().
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "transactors/fabric/endpoint.hpp"

namespace heddle {

class gather_directory {
 public:
  static constexpr std::uint32_t no_node = UINT32_MAX;

  // False where there is such a node already.
  bool add(std::uint32_t node, endpoint_id endpoint) {
    if (node >= endpoints_.size()) endpoints_.resize(node + 1, absent);
    if (endpoints_[node] != absent) return false;
    endpoints_[node] = endpoint;
    if (endpoint >= nodes_.size()) nodes_.resize(std::size_t{endpoint} + 1, no_node);
    nodes_[endpoint] = node;
    return true;
  }

  // Called when a node has gathered all that a command asks for; `indices` is where its list
  // begins.
  std::function<void(std::uint32_t node, std::uint64_t indices, fs_t when)> on_batch;

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(endpoints_.size()); }
  bool has(std::uint32_t node) const {
    return node < endpoints_.size() && endpoints_[node] != absent;
  }
  endpoint_id endpoint_of(std::uint32_t node) const {
    return static_cast<endpoint_id>(endpoints_[node]);
  }
  std::uint32_t node_of(endpoint_id endpoint) const {
    return endpoint < nodes_.size() ? nodes_[endpoint] : no_node;
  }

 private:
  static constexpr std::uint32_t absent = UINT32_MAX;
  std::vector<std::uint32_t> endpoints_;  // by node
  std::vector<std::uint32_t> nodes_;      // by endpoint
};

}  // namespace heddle
