#include "transactors/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <unordered_map>

#include "platform/unit/unit.hpp"

namespace heddle {

endpoint_id fabric::add_endpoint(unit& owner, std::uint64_t base, std::uint64_t size) {
  const auto id = static_cast<endpoint_id>(endpoints_.size());
  add_window(owner, {base, size, id});
  endpoints_.push_back({&owner, {&owner}, false});
  return id;
}

endpoint_id fabric::add_inc_endpoint(unit& owner, std::uint64_t base, std::uint64_t size) {
  for (const address_window& each : windows_)
    if (each.base == base && each.size == size && is_inc(each.endpoint)) return each.endpoint;
  const auto id = static_cast<endpoint_id>(endpoints_.size());
  add_window(owner, {base, size, id});
  endpoints_.push_back({&owner, {}, true});
  return id;
}

void fabric::place(endpoint_id endpoint, unit& at) {
  endpoints_[endpoint].places.push_back(&at);
}

void fabric::add_window(const unit& owner, const address_window& window) {
  if (window.size == 0) return;
  const auto after = std::find_if(windows_.begin(), windows_.end(), [&](const address_window& w) {
    return w.base + w.size > window.base;
  });
  if (after != windows_.end() && after->base < window.base + window.size)
    throw user_error(fmt::format(
        "address windows overlap: {} has {:#x}..{:#x}, {} has {:#x}..{:#x}", owner.path(),
        window.base, window.base + window.size - 1, endpoints_[after->endpoint].owner->path(),
        after->base, after->base + after->size - 1));
  windows_.insert(after, window);
}

void fabric::add_link(packet_port& a, packet_port& b) {
  ports_.push_back(&a);
  ports_.push_back(&b);
}

const address_window* fabric::find_window(std::uint64_t address) const {
  const auto after =
      std::upper_bound(windows_.begin(), windows_.end(), address,
                       [](std::uint64_t value, const address_window& w) { return value < w.base; });
  if (after == windows_.begin()) return nullptr;
  const address_window& candidate = *(after - 1);
  return address - candidate.base < candidate.size ? &candidate : nullptr;
}

bool fabric::is_at(endpoint_id endpoint, const unit& place) const {
  const auto& places = endpoints_[endpoint].places;
  return std::find(places.begin(), places.end(), &place) != places.end();
}

// Units where only devices end forward packets, endpoints do not.
bool fabric::forwards(const unit& u) const {
  return std::none_of(endpoints_.begin(), endpoints_.end(), [&](const endpoint_record& each) {
    return !each.is_inc && each.owner == &u;
  });
}

std::vector<packet_port*> fabric::ports_towards(const unit& from, endpoint_id to) const {
  std::unordered_map<const unit*, int> distance;
  std::deque<const unit*> frontier;
  for (const unit* place : endpoints_[to].places) {
    distance.emplace(place, 0);
    frontier.push_back(place);
  }
  while (!frontier.empty()) {
    const unit* at = frontier.front();
    frontier.pop_front();
    if (distance[at] > 0 && !forwards(*at)) continue;
    for (const packet_port* leaving : ports_) {
      if (&leaving->owner() != at) continue;
      const unit* next = &leaving->peer()->owner();
      if (distance.emplace(next, distance[at] + 1).second) frontier.push_back(next);
    }
  }

  std::vector<packet_port*> result;
  const auto here = distance.find(&from);
  if (here == distance.end()) return result;
  for (packet_port* leaving : ports_) {
    if (&leaving->owner() != &from) continue;
    const unit* next = &leaving->peer()->owner();
    const auto there = distance.find(next);
    if (there == distance.end() || there->second + 1 != here->second) continue;
    if (there->second > 0 && !forwards(*next)) continue;
    result.push_back(leaving);
  }
  std::sort(result.begin(), result.end(),
            [](const packet_port* a, const packet_port* b) { return a->index() < b->index(); });
  return result;
}

}  // namespace heddle
