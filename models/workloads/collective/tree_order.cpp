#include "models/workloads/collective/tree_order.hpp"

#include <unordered_map>

#include "transactors/aggregation/reduction_tree.hpp"

namespace heddle {
namespace {

class tree_reader {
 public:
  tree_reader(const workload_context& context, std::uint64_t pod) : pod_(pod) {
    for (std::size_t rank = 0; rank < context.cores.ranks.size(); ++rank)
      ranks_[context.cores.ranks[rank]->resources().window] = static_cast<int>(rank);
    for (const auto* each : context.sim.service<reduction_directory>().sources)
      for (reduction_group& group : each->reduction_groups())
        groups_.emplace(group.window, std::move(group));
  }

  // False where a member is no rank of the workload.
  bool read(const reduction_group& group, reduction_node& node) const {
    for (const reduction_group::child& each : group.children) {
      node.children.emplace_back();
      if (each.is_member) {
        const auto found = ranks_.find(each.address);
        if (found == ranks_.end()) return false;
        node.children.back() = member(found->second);
      } else {
        const auto below = groups_.find(each.address);
        if (below == groups_.end() || !read(below->second, node.children.back())) return false;
      }
    }
    return true;
  }
  const std::unordered_map<std::uint64_t, reduction_group>& groups() const { return groups_; }

 private:
  // In the order of their numbers, as switches with NVLS do it.
  reduction_node member(int rank) const {
    reduction_node node;
    if (pod_ == 0) {
      node.rank = rank;
      return node;
    }
    const int pod = static_cast<int>(pod_);
    for (int i = 0; i < pod; ++i) {
      node.children.emplace_back();
      node.children.back().rank = rank / pod * pod + i;
    }
    return node;
  }

  std::uint64_t pod_;
  std::unordered_map<std::uint64_t, int> ranks_;  // by window
  std::unordered_map<std::uint64_t, reduction_group> groups_;
};

}  // namespace

std::shared_ptr<const reduction_order> tree_order_of(const workload_context& context,
                                                     const boot_job& job, fs_t since,
                                                     std::uint64_t pod) {
  const tree_reader reader(context, pod);
  auto order = std::make_shared<reduction_order>();
  for (const auto& [window, group] : reader.groups()) {
    if (group.parent != 0 || group.armed_at < since || group.result_offset < job.data) continue;
    reduction_stripe stripe;
    stripe.begin = group.result_offset - job.data;
    stripe.bytes = group.length;
    if (reader.read(group, stripe.root)) order->stripes.push_back(std::move(stripe));
  }
  if (order->stripes.empty()) return nullptr;
  return order;
}

}  // namespace heddle
