#include "transactors/packet/start_causes.hpp"

#include <algorithm>

namespace heddle {

// The one that was used the longest time ago.
[[gnu::noinline]] std::size_t start_causes::oldest() const {
  const auto is_older = [](const last_packet& a, const last_packet& b) {
    return a.number < b.number;
  };
  return static_cast<std::size_t>(std::min_element(last_.begin(), last_.end(), is_older) -
                                  last_.begin());
}

inline std::size_t start_causes::index_of(flow wanted) const {
  for (std::size_t i = 0; i < known_flows; ++i)
    if (flows_[i] == wanted) return i;
  return oldest();
}

void start_causes::explain(packet& sent, const packet_start& start, bool after_others) {
  const fs_t now = start.now;
  const flow its = flow_of(sent);
  if (now > start.free_at) busy_since_ = now;
  if (after_others || !has_source(flows_[latest_], sent.source)) alone_since_ = now;
  const std::size_t index = index_of(its);
  last_packet& last = last_[index];
  cause& why = sent.why;
  const fs_t ready = why.when();
  if (ready < now) {
    const fs_t front = last.why.when();
    if (flows_[index] == its && front >= busy_since_ && ready <= last.end && last.why) {
      why = last.why;
      why.then_in_turns(category::serialization, front >= alone_since_ ? now : last.end,
                        category::queueing, wire_, now);
    } else {
      why.then(category::queueing, wire_, std::min(now, start.starved_since));
      why.then(category::credits, wire_, now);
    }
  }
  flows_[index] = its;
  last.why = why;
  last.end = start.end;
  last.number = last_[latest_].number + 1;
  latest_ = index;
  why.then(category::forwarding, front_, start.on_wire);
  why.then(category::propagation, wire_, start.arrival);
}

const cause& start_causes::latest(std::uint16_t source) const {
  static const last_packet never;
  const last_packet* latest = &never;
  for (std::size_t i = 0; i < known_flows; ++i)
    if (has_source(flows_[i], source) && last_[i].number > latest->number) latest = &last_[i];
  return latest->why;
}

}  // namespace heddle
