#include "models/workloads/gather/farthest_request.hpp"

#include <algorithm>
#include <unordered_map>

namespace heddle {
namespace {

using racks_by_home = std::unordered_map<const unit*, const tor*>;

class request_paths {
 public:
  request_paths(const gather_system& system, const gather_machine& machine, std::uint64_t requests,
                std::uint64_t length)
      : ways_(system.ways), machine_(machine), requests_(requests), length_(length) {
    for (const tor* each : system.racks) racks_.emplace(&each->home(), each);
  }

  // s; 0: a switch may have answered halfway.
  double path(std::size_t from, std::size_t owner) const {
    const tor* const own = rack_of(from);
    const tor* const other = rack_of(owner);
    const bool is_near = &ways_.home_of(from) == &ways_.home_of(owner);
    if (other && other->answers_for_own_hosts()) return 0;
    fs_t network = ways_.between(from, owner) + ways_.between(owner, from) + passes(own);
    if (!is_near) network += passes(other) + wait(own) + wait(other);
    return machine_.path_over(seconds(network));
  }

 private:
  const tor* rack_of(std::size_t node) const {
    const auto found = racks_.find(&ways_.home_of(node));
    return found == racks_.end() ? nullptr : found->second;
  }
  // There and back.
  static fs_t passes(const tor* rack) { return rack ? 2 * rack->least_pass() : 0; }
  // How long a request waits for others on its way out of its rack, and likewise the response; 0
  // where so many requests fill a packet.
  fs_t wait(const tor* rack) const {
    if (!rack || rack->has_pool()) return 0;
    const bool are_few = requests_ < requests_in_mtu(gather_packet::response, rack->mtu(), length_);
    return are_few ? rack->wait() : 0;
  }

  const gather_ways& ways_;
  const gather_machine& machine_;
  const std::uint64_t requests_, length_;
  racks_by_home racks_;
};

}  // namespace

void note_farthest(gather_figures& of, const gather_system& system, const gather_machine& machine,
                   std::uint64_t length) {
  const request_paths paths(system, machine, of.sum().issued, length);
  for (std::size_t owner = 0; owner < of.nodes.size(); ++owner) {
    const auto asks = [&](std::size_t node) { return node != owner && of.asked[node][owner] > 0; };
    std::unordered_map<const unit*, double> least;  // by rack
    for (std::size_t node = 0; node < of.nodes.size(); ++node) {
      if (!asks(node)) continue;
      const double path = paths.path(node, owner);
      const auto [at, is_first] = least.emplace(&system.ways.home_of(node), path);
      if (!is_first) at->second = std::min(at->second, path);
    }
    for (std::size_t node = 0; node < of.nodes.size(); ++node)
      if (asks(node))
        of.nodes[node].farthest =
            std::max(of.nodes[node].farthest, least[&system.ways.home_of(node)]);
  }
}

}  // namespace heddle
