#include "models/workloads/collective/rank_paths.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "models/switch/hop_time.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {
namespace {

// What the software of sender and receiver takes for a message: ranks are alike, so the sender's
// unit tells both.
fs_t overheads_of(const unit& endpoint) {
  const auto* const through = dynamic_cast<const packetizer*>(&endpoint);
  return through ? through->overheads() : 0;
}

}  // namespace

const rank_path& rank_paths::between(fabric& net, endpoint_id from, endpoint_id to) {
  const std::uint64_t ends = std::uint64_t{from} << 32 | to;
  if (const auto known = known_.find(ends); known != known_.end()) return known->second;
  return known_[ends] = find(net, from, to);
}

// Hop by hop. Paths that meet go on as one.
rank_path rank_paths::find(fabric& net, endpoint_id from, endpoint_id to) {
  const unit &first = *net.endpoint(from).owner, &last = *net.endpoint(to).owner;
  packet like;  // those that go there
  like.kind = packet_kind::write_request;
  like.source = from;
  like.destination = to;
  rank_path found;
  std::map<std::uint32_t, double> shares;  // by link
  std::vector<front> fronts = {{&first, 0, 1, overheads_of(first)}};
  for (std::size_t hop = 0; hop <= net.ports().size() && !fronts.empty(); ++hop) {
    std::vector<front> next;
    for (const front& each : fronts) {
      if (each.at == &last) {
        found.latency = std::max(found.latency, seconds(each.latency));
        continue;
      }
      like.vc = each.vc;
      const std::vector<route_hop> hops = net.routes(*each.at).every_next(like);
      for (const route_hop& way : hops) {
        const packet_port* const out = port_of(*each.at, way.port);
        if (!out || !out->peer()) continue;
        const double share = each.share / static_cast<double>(hops.size());
        shares[number_of(net, *out)] += share;
        join(next, {&out->peer()->owner(), way.vc, share, each.latency + hop_time_of(*out)});
      }
    }
    fronts = std::move(next);
  }
  for (const auto& [link, share] : shares) found.links.push_back({link, share});
  return found;
}

void rank_paths::join(std::vector<front>& fronts, const front& added) {
  for (front& each : fronts)
    if (each.at == added.at && each.vc == added.vc) {
      each.share += added.share;
      each.latency = std::max(each.latency, added.latency);
      return;
    }
  fronts.push_back(added);
}

double rank_paths::seconds_of(std::uint32_t link, double bytes) const {
  const used_link& of = links_[link];
  return bytes / of.bytes_per_second + std::max(0.0, bytes - of.buffer) * of.waiting_per_byte;
}

// A link that waits for credits sends what the buffer holds in the time of what would cover it.
std::uint32_t rank_paths::number_of(const fabric& net, const packet_port& port) {
  const auto [place, is_new] = numbers_.emplace(&port, static_cast<std::uint32_t>(links_.size()));
  if (!is_new) return place->second;
  const auto rate = static_cast<double>(port.rate().bytes_per_second());
  const auto buffer = static_cast<double>(port.buffer_bytes());
  const auto covering = static_cast<double>(net.covering_bytes(port));
  links_.push_back({rate, buffer, std::max(0.0, covering / buffer - 1) / rate});
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
