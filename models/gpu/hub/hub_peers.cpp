#include "models/gpu/hub/hub_peers.hpp"

#include <fmt/format.h>

#include "platform/unit/unit.hpp"

namespace heddle {

void hub_peers::configure() {
  endpoints_.clear();
  gpu_of_endpoint_.assign(net_.endpoints(), layer_.gpus);
  for (std::uint32_t gpu = 0; gpu < layer_.gpus; ++gpu) {
    endpoints_.push_back(net_.find_window(settings_.window_of(gpu))->endpoint);
    gpu_of_endpoint_[endpoints_.back()] = gpu;
  }
  if (const address_window* range = net_.find_window(layer_.range)) range_ = range->endpoint;
}

std::string hub_peers::name_of(endpoint_id sender) const {
  const std::string& path = net_.endpoint(sender).owner->path();
  const std::uint32_t rank = rank_of(sender);
  return rank < layer_.gpus ? fmt::format("rank {} ({})", rank, path) : path;
}

}  // namespace heddle
