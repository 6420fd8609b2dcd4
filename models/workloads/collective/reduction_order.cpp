#include "models/workloads/collective/reduction_order.hpp"

#include <algorithm>
#include <unordered_map>

#include "transactors/aggregation/reduction_tree.hpp"

namespace heddle {
namespace {

std::uint64_t window_of(const workload_context& context, int rank) {
  return context.cores.ranks[static_cast<std::size_t>(rank)]->resources().window;
}

// The ranks from `first` on, in the order of the addresses of their memories.
reduction_node members_of_region(const workload_context& context, int first, int ranks) {
  reduction_node node;
  for (int i = 0; i < ranks; ++i) node.children.push_back({first + i, {}});
  std::sort(node.children.begin(), node.children.end(),
            [&](const reduction_node& a, const reduction_node& b) {
              return window_of(context, a.rank) < window_of(context, b.rank);
            });
  return node;
}

std::uint64_t ranks_below(const reduction_node& node) {
  if (node.rank >= 0) return 1;
  std::uint64_t count = 0;
  for (const reduction_node& each : node.children) count += ranks_below(each);
  return count;
}

class order_reader {
 public:
  // `pod`: so many ranks, among them each member of a group, have been added before it pushed their
  // sum; 0: members push their own tensors.
  order_reader(const workload_context& context, const rank_groups& groups, std::uint64_t group,
               std::uint64_t pod)
      : context_(context), pod_(static_cast<int>(pod)) {
    for (std::uint64_t place = 0; place < groups.size; ++place)
      places_[window_of(context, static_cast<int>(groups.rank_of(group, place)))] =
          static_cast<int>(place);
    for (const auto* each : context.sim.service<reduction_directory>().sources)
      for (reduction_group& found : each->reduction_groups())
        if (found.parent == 0)
          roots_.push_back(std::move(found));
        else
          below_.emplace(found.window, std::move(found));
  }

  const std::vector<reduction_group>& roots() const { return roots_; }

  // False where it does not reduce all of the ranks, or others.
  bool read(const reduction_group& root, reduction_node& node) const {
    return read_children(root, node) && ranks_below(node) == places_.size();
  }

 private:
  bool read_children(const reduction_group& group, reduction_node& node) const {
    for (const reduction_group::child& each : group.children) {
      node.children.emplace_back();
      if (each.is == reduction_group::input::member) {
        const auto found = places_.find(each.address);
        if (found == places_.end()) return false;
        node.children.back() = member(found->second);
      } else if (each.is == reduction_group::input::group) {
        const auto found = below_.find(each.address);
        if (found == below_.end() || !read_children(found->second, node.children.back()))
          return false;
      }
    }
    return true;
  }

  reduction_node member(int rank) const {
    if (pod_ == 0) return {rank, {}};
    return members_of_region(context_, rank / pod_ * pod_, pod_);
  }

  const workload_context& context_;
  const int pod_;
  std::unordered_map<std::uint64_t, int> places_;  // by window
  std::vector<reduction_group> roots_;
  std::unordered_map<std::uint64_t, reduction_group> below_;  // by window
};

// Which bytes of every rank's tensor the device reduces. Quantized operands lie in scratch memory,
// with fewer bits an element.
reduction_stripe stripe_of(const reduction_group& root, const collective_algorithm& by,
                           const boot_job& job) {
  reduction_stripe stripe;
  if (!by.is_quantized) {
    stripe.begin = root.result_offset - job.data;
    stripe.bytes = root.length;
    return stripe;
  }
  const std::uint64_t bits = job.quant_bits;
  const std::uint64_t first = (root.result_offset - job.scratch) * 8 / bits;
  stripe.begin = first * job.element_bytes;
  stripe.bytes = std::min(root.length * 8 / bits, job.elements - std::min(first, job.elements)) *
                 job.element_bytes;
  return stripe;
}

}  // namespace

std::shared_ptr<const reduction_order> order_of_reductions(const workload_context& context,
                                                           const collective_algorithm& by,
                                                           const collective_case& of,
                                                           const boot_job& job, fs_t since,
                                                           std::uint64_t group) {
  auto order = std::make_shared<reduction_order>();
  if (!of.adds()) return nullptr;
  if (by.needs_region) {
    order->stripes.push_back({0, job.elements * job.element_bytes,
                              members_of_region(context, 0, static_cast<int>(of.ranks))});
    return order;
  }
  if (!by.has_trees && !by.has_streams) return nullptr;
  const order_reader reader(context, of.groups, group, by.needs_pods ? of.pod : 0);
  const std::uint64_t first_operand = by.is_quantized ? job.scratch : job.data;
  for (const reduction_group& root : reader.roots()) {
    if (root.armed_at < since || root.result_offset < first_operand) continue;
    reduction_stripe stripe = stripe_of(root, by, job);
    if (reader.read(root, stripe.root)) order->stripes.push_back(std::move(stripe));
  }
  if (order->stripes.empty()) return nullptr;
  return order;
}

}  // namespace heddle
