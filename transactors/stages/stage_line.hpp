// The pipeline of a stage at one port or pipe: packets enter it one after another at the rate of
// the stage, and leave it in the same order, each `latency` after it began to enter.
//
// Limitations: what waits in front of the line is in the receive buffers of the ports; the line
// itself has no other limit.
#pragma once

#include <cstdint>

#include "platform/time/agenda.hpp"
#include "platform/trace/trace_scope.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/stages/stage.hpp"

namespace heddle {

struct stage_timing {
  fs_t latency = 0;
  bandwidth rate;         // as it is here: any number of bytes at once
  bool is_whole = false;  // a packet begins to enter with its last byte, else with its first
};

enum class stage_activity { idle, busy };

class stage_line {
 public:
  // What happens to a packet at the end of the line; visit.first is now.
  class listener {
   public:
    virtual void leave(int line, const stage_visit& visit, packet& p) = 0;

   protected:
    ~listener() = default;
  };

  // Time in the line counts as forwarding at `site`, time in front of it as queueing.
  stage_line(listener& stage, int number, const stage_timing& timing, site_id site);
  stage_line(const stage_line&) = delete;
  stage_line& operator=(const stage_line&) = delete;

  // Signals "depth_3" and "activity_3" of line 3: packets that have come and not left.
  void trace(const trace_scope& scope);

  // Head and tail of the packet move by the time that it spends here.
  void enter(const stage_visit& visit, packet& p) { enter(visit, p, duration_of(p)); }
  // The same, when it occupies the entrance for so long.
  void enter(const stage_visit& visit, packet& p, fs_t occupancy);
  // Shows a packet that the switch itself delays: at egress.
  void show_passing(fs_t from, fs_t until);

  fs_t duration_of(const packet& p) const { return timing_.rate.duration(p.wire_bytes); }
  bool empty() const { return inside_.empty(); }

 private:
  void leave();
  void fetch() const { inside_.fetch_next(); }
  void show(std::uint64_t depth, fs_t when);

  listener& listener_;
  const int number_;
  const stage_timing timing_;
  const site_id site_;
  fs_t free_at_ = 0;  // the entrance
  arrivals_with<stage_visit> inside_;
  timed_call due_;
  trace_signal<std::uint64_t> depth_trace_;
  trace_signal<stage_activity> activity_trace_;
};

}  // namespace heddle
