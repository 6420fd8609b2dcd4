#include "models/workloads/collective/rank_paths.hpp"

#include <algorithm>

#include "models/switch/switch.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr int most_hops = 64;  // routes lead in no circle: only a mistake would be longer
constexpr double least_share = 1.0 / 16;

fs_t forwarding_of(const unit& of) {
  const auto* const forwarder = dynamic_cast<const packet_switch*>(&of);
  return forwarder ? forwarder->forwarding() : 0;
}

}  // namespace

struct rank_paths::walk {
  fabric& net;
  packet like;  // those that go there
  const unit& end;
  rank_path found;
  int hops = 0;
};

const rank_path& rank_paths::between(fabric& net, endpoint_id from, endpoint_id to) {
  const std::uint64_t ends = std::uint64_t{from} << 32 | to;
  if (const auto known = known_.find(ends); known != known_.end()) return known->second;
  walk on{net, {}, *net.endpoint(to).owner, {}};
  on.like.kind = packet_kind::write_request;
  on.like.source = from;
  on.like.destination = to;
  follow(on, *net.endpoint(from).owner, 1, 0);
  return known_[ends] = std::move(on.found);
}

void rank_paths::follow(walk& on, const unit& at, double share, fs_t latency) {
  if (&at == &on.end) {
    on.found.latency = std::max(on.found.latency, seconds(latency));
    return;
  }
  if (on.hops == most_hops) return;
  ++on.hops;
  std::vector<route_hop> hops = on.net.routes(at).every_next(on.like);
  if (hops.size() > 1 && share <= least_share) hops = {hops[on.like.destination % hops.size()]};
  for (const route_hop& each : hops) {
    const packet_port* const out = port_of(at, each.port);
    if (!out || !out->peer()) continue;
    const double of_it = share / static_cast<double>(hops.size());
    const unit& next = out->peer()->owner();
    on.found.links.push_back({number_of(*out), of_it});
    on.like.vc = each.vc;
    follow(on, next, of_it, latency + out->latency() + forwarding_of(next));
  }
  --on.hops;
}

std::uint32_t rank_paths::number_of(const packet_port& port) {
  const auto [place, is_new] = numbers_.emplace(&port, static_cast<std::uint32_t>(rates_.size()));
  if (is_new) rates_.push_back(static_cast<double>(port.rate().bytes_per_second()));
  return place->second;
}

const packet_port* rank_paths::port_of(const unit& owner, int index) {
  std::vector<const packet_port*>& known = ports_[&owner];
  if (known.empty())
    for (const port* each : owner.ports()) {
      const auto* const out = dynamic_cast<const packet_port*>(each);
      if (!out) continue;
      known.resize(std::max(known.size(), static_cast<std::size_t>(out->index()) + 1));
      known[static_cast<std::size_t>(out->index())] = out;
    }
  const auto place = static_cast<std::size_t>(index);
  return place < known.size() ? known[place] : nullptr;
}

}  // namespace heddle
