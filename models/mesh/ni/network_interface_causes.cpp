// Why an access took as long as it did. Nothing of it travels with the flits: the interface knows
// when its flits left, how far they go, and when the answer is here.
//
//   serialization  flits of this interface, there or back, each a cycle of the link
//   propagation    the hops there and back, and the interfaces
//   memory         the rest of a read
//   reduction      the routers' functional units, which may hold beats back
//   queueing       the rest: late beats, links that others use
//
// A reduction goes on when the last member has come: its chain is that of all. What a barrier takes
// from there on is synchronization.
#include <algorithm>

#include "models/mesh/ni/network_interface.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// Of a coordinate: from there to the farthest one that `any` and `mask` name.
cycle_t farthest(std::uint8_t from, std::uint8_t any, std::uint8_t mask) {
  const int low = any & ~mask, high = any | mask;
  return static_cast<cycle_t>(std::max(std::abs(from - low), std::abs(high - from)));
}

}  // namespace

cycle_t network_interface::hops_of(const mesh_access& access) const {
  const bool gathers = is_reduction(access.op);
  const mesh_position one = gathers ? access.destination : here_;
  const mesh_position any = gathers ? here_ : access.destination;
  return farthest(one.x, any.x, access.position_mask.x) +
         farthest(one.y, any.y, access.position_mask.y);
}

// There and back: d + 1 routers and the link to the first, and three crossings of interfaces.
fs_t network_interface::way_of(const mesh_access& access) const {
  const cycle_t cycles = 2 * (1 + (hops_of(access) + 1) * causes_.hop) + 3 * latency_;
  return cycles * clock_.domain().period();
}

void network_interface::explain_begin(mesh_access& access) {
  if (!access.why) return;
  causes_.is_explained = true;
  access.flits_before = access.is_read ? beats_taken_ : flits_sent_;
  access.why.then(category::propagation, place(), clock_.domain().start_of(access.not_before));
}

// The last flit leaves now.
void network_interface::explain_sent(mesh_access& access) {
  if (!access.why) return;
  const fs_t now = now_fs();
  const fs_t sending = (flits_sent_ - access.flits_before) * clock_.domain().period();
  access.why.then(category::serialization, place(), std::min(now, access.why.when() + sending));
  const bool is_held_back = is_arithmetic(access.op);
  access.why.then(is_held_back ? category::reduction : category::queueing, place(), now);
  if (is_reduction(access.op)) causes_.gather(access.transaction, access.why);
}

// A beat of a read is here in the cycle `available`.
void network_interface::explain_beat(mesh_access& access, cycle_t available) {
  if (!access.why) return;
  const fs_t here = clock_.domain().start_of(available);
  if (access.received == 1) {
    access.why.then(category::propagation, place(),
                    std::min(here, access.why.when() + way_of(access)));
    const fs_t others = (beats_taken_ - access.flits_before) * clock_.domain().period();
    access.why.then(category::serialization, place(), std::min(here, access.why.when() + others));
    return access.why.then(category::memory, place(), here);
  }
  if (access.received < access.beats) return;
  const fs_t passing = (access.beats - 1) * clock_.domain().period();
  access.why.then(category::serialization, place(), std::min(here, access.why.when() + passing));
  access.why.then(category::queueing, place(), here);
}

void network_interface::explain_end(mesh_access& access) {
  if (!access.why) return;
  const fs_t now = now_fs();
  const bool is_barrier = is_reduction(access.op) && !is_arithmetic(access.op);
  if (is_reduction(access.op)) access.why.join(causes_.met(access.transaction));
  if (is_barrier) return access.why.then(category::synchronization, place(), now);
  access.why.then(category::propagation, place(),
                  std::min(now, access.why.when() + way_of(access)));
  if (is_arithmetic(access.op)) {
    const fs_t sums = (hops_of(access) + 1) * causes_.sum * clock_.domain().period();
    access.why.then(category::reduction, place(), std::min(now, access.why.when() + sums));
  }
  access.why.then(category::queueing, place(), now);
}

// Of a word that has come here: who polls it, or is interrupted by it, wants to know.
cause network_interface::why_of(const flit& arrived) const {
  cause why;
  if (!causes_.is_explained) return why;
  const std::uint32_t transaction = axi_tag::transaction(arrived.tag);
  if (is_reduction(arrived.op)) {
    why = causes_.gathered(transaction);
  } else {
    for (network_interface* each : tiles_.all) {
      if (each->here_ != arrived.source || each->map_.base() != map_.base()) continue;
      const mesh_access* asked = each->find(transaction);
      if (asked) why = asked->why;
      break;
    }
  }
  why.then(is_reduction(arrived.op) ? category::synchronization : category::propagation, place(),
           now_fs());
  return why;
}

}  // namespace heddle
