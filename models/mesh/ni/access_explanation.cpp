#include "models/mesh/ni/access_explanation.hpp"

#include <algorithm>

#include "models/mesh/axi_channel.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Distance in one coordinate to the farthest of the nodes that `any` and `mask` name.
cycle_t farthest(std::uint8_t from, std::uint8_t any, std::uint8_t mask) {
  const int low = any & ~mask, high = any | mask;
  return static_cast<cycle_t>(std::max(std::abs(from - low), std::abs(high - from)));
}

}  // namespace

access_explanation::access_explanation(interface_tile& tile)
    : tile_(tile), causes_(tile.owner.sim().service<mesh_causes>()) {}

cycle_t access_explanation::hops_of(const mesh_access& access) const {
  const bool gathers = is_reduction(access.op);
  const mesh_position one = gathers ? access.destination : tile_.here;
  const mesh_position any = gathers ? tile_.here : access.destination;
  return farthest(one.x, any.x, access.position_mask.x) +
         farthest(one.y, any.y, access.position_mask.y);
}

// There and back: d + 1 routers and the link to the first, and three crossings of interfaces.
fs_t access_explanation::way_of(const mesh_access& access) const {
  const cycle_t cycles = 2 * (1 + (hops_of(access) + 1) * causes_.hop) + 3 * tile_.latency;
  return cycles * tile_.period();
}

void access_explanation::begin(mesh_access& access) {
  if (!access.why) return;
  causes_.is_explained = true;
  access.flits_before = access.is_read ? beats_taken_ : flits_sent_;
  access.why.then(category::propagation, site(), tile_.clock.domain().start_of(access.not_before));
}

void access_explanation::sent(mesh_access& access) {
  if (!access.why) return;
  const fs_t now = now_fs();
  const fs_t sending = (flits_sent_ - access.flits_before) * tile_.period();
  access.why.then(category::serialization, site(), std::min(now, access.why.when() + sending));
  const bool is_held_back = is_arithmetic(access.op);
  access.why.then(is_held_back ? category::reduction : category::queueing, site(), now);
  if (is_reduction(access.op)) causes_.gather(access.transaction, access.why);
}

void access_explanation::beat(mesh_access& access, cycle_t available) {
  ++beats_taken_;
  if (!access.why) return;
  const fs_t here = tile_.clock.domain().start_of(available);
  if (access.received == 1) {
    access.why.then(category::propagation, site(),
                    std::min(here, access.why.when() + way_of(access)));
    const fs_t others = (beats_taken_ - access.flits_before) * tile_.period();
    access.why.then(category::serialization, site(), std::min(here, access.why.when() + others));
    return access.why.then(category::memory, site(), here);
  }
  if (access.received < access.beats) return;
  const fs_t passing = (access.beats - 1) * tile_.period();
  access.why.then(category::serialization, site(), std::min(here, access.why.when() + passing));
  access.why.then(category::queueing, site(), here);
}

void access_explanation::end(mesh_access& access) {
  if (!access.why) return;
  const fs_t now = now_fs();
  const bool is_barrier = is_reduction(access.op) && !is_arithmetic(access.op);
  if (is_reduction(access.op)) access.why.join(causes_.met(access.transaction));
  if (is_barrier) return access.why.then(category::synchronization, site(), now);
  access.why.then(category::propagation, site(), std::min(now, access.why.when() + way_of(access)));
  if (is_arithmetic(access.op)) {
    const fs_t sums = (hops_of(access) + 1) * causes_.sum * tile_.period();
    access.why.then(category::reduction, site(), std::min(now, access.why.when() + sums));
  }
  access.why.then(category::queueing, site(), now);
}

cause access_explanation::of_arrival(const flit& arrived, const mesh_access* asked) const {
  const bool is_part = is_reduction(arrived.op);
  cause why;
  if (is_part)
    why = causes_.gathered(axi_tag::transaction(arrived.tag));
  else if (asked)
    why = asked->why;
  why.then(is_part ? category::synchronization : category::propagation, site(), now_fs());
  return why;
}

}  // namespace heddle
