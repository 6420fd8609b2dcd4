#include "transactors/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <deque>
#include <unordered_map>

#include "platform/unit/unit.hpp"

namespace heddle {

endpoint_id fabric::add_endpoint(unit& owner, std::uint64_t base, std::uint64_t size) {
  const auto id = static_cast<endpoint_id>(owners_.size());
  owners_.push_back(&owner);
  if (size == 0) return id;
  const auto after = std::find_if(windows_.begin(), windows_.end(),
                                  [&](const address_window& w) { return w.base + w.size > base; });
  if (after != windows_.end() && after->base < base + size)
    throw user_error(
        fmt::format("address windows overlap: {} has {:#x}..{:#x}, {} has {:#x}..{:#x}",
                    owner.path(), base, base + size - 1, owners_[after->endpoint]->path(),
                    after->base, after->base + after->size - 1));
  windows_.insert(after, {base, size, id});
  return id;
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

bool fabric::is_endpoint(const unit& u) const {
  return std::find(owners_.begin(), owners_.end(), &u) != owners_.end();
}

std::vector<packet_port*> fabric::ports_towards(const unit& from, endpoint_id to) const {
  const unit* target = owners_[to];
  std::unordered_map<const unit*, int> distance{{target, 0}};
  std::deque<const unit*> frontier{target};
  while (!frontier.empty()) {
    const unit* at = frontier.front();
    frontier.pop_front();
    if (at != target && is_endpoint(*at)) continue;  // endpoints do not forward
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
    if (next != target && is_endpoint(*next)) continue;
    result.push_back(leaving);
  }
  std::sort(result.begin(), result.end(),
            [](const packet_port* a, const packet_port* b) { return a->index() < b->index(); });
  return result;
}

}  // namespace heddle
