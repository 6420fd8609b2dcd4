#include "transactors/stages/stage_line.hpp"

#include <algorithm>
#include <string>

namespace heddle {

stage_line::stage_line(listener& stage, int number, const stage_timing& timing, site_id site)
    : listener_(stage),
      number_(number),
      timing_(timing),
      site_(site),
      due_(timed_call::to<stage_line, &stage_line::leave, &stage_line::fetch>(*this)) {}

void stage_line::trace(const trace_scope& scope) {
  const std::string suffix = "_" + std::to_string(number_);
  depth_trace_ = scope.vector("depth" + suffix, 16);
  activity_trace_ = scope.state<stage_activity>("activity" + suffix, {"IDLE", "BUSY"});
  depth_trace_.set(0, 0);
  activity_trace_.set(stage_activity::idle, 0);
}

void stage_line::show_passing(fs_t from, fs_t until) {
  show(1, from);
  show(0, until);
}

void stage_line::enter(const stage_visit& visit, packet& p, fs_t occupancy) {
  const fs_t last = visit.first + (p.tail - p.head);
  const fs_t ready = timing_.is_whole ? last : visit.first;
  const fs_t start = std::max(ready, free_at_);
  const fs_t due = start + timing_.latency;
  free_at_ = start + occupancy;
  if (p.is_explained) {
    p.why.then(category::serialization, site_, ready);
    p.why.then(category::queueing, site_, start);
    p.why.then(category::forwarding, site_, due);
  }
  const fs_t behind_head = std::max(last, start + occupancy) - start;
  p.head += due - visit.first;
  p.tail = p.head + behind_head;
  if (depth_trace_.enabled()) {
    std::uint64_t depth = 1;
    inside_.for_each([&](fs_t leaves, const stage_visit&) { depth += leaves > visit.first; });
    show(depth, visit.first);
  }
  inside_.push(p, due, visit);
  due_.at(due);
}

void stage_line::leave() {
  const fs_t now = now_fs();
  while (inside_.is_due(now)) {
    stage_visit visit = inside_.next_about();
    visit.first = now;
    listener_.leave(number_, visit, inside_.pop());
  }
  if (!inside_.empty()) due_.at(inside_.next_due());
  if (!depth_trace_.enabled()) return;
  std::uint64_t depth = 0;
  inside_.for_each([&](fs_t, const stage_visit& each) { depth += each.first <= now; });
  show(depth, now);
}

void stage_line::show(std::uint64_t depth, fs_t when) {
  const fs_t now = now_fs();
  depth_trace_.set(depth, when, now);
  activity_trace_.set(depth > 0 ? stage_activity::busy : stage_activity::idle, when, now);
}

}  // namespace heddle
