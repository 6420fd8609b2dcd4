// Ends a run in which synthetic traffic goes on beside firmware that hangs. Without traffic such a
// run ends because nothing happens any more; here nothing but traffic must have happened for a
// while: no statistic of any unit has changed, other than of terminals and of switches.
//
// Terminals ask when they send, so the watch has no event of its own, and a run in which traffic
// stands still, too, ends as any other.
#pragma once

#include <cstdint>
#include <vector>

#include "platform/time/fs_time.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

// One per run: simulation::service<progress_watch>().
class progress_watch {
 public:
  // The shortest limit counts. All units are there.
  void start(const unit& terminal, fs_t limit);
  bool is_due(fs_t now) const { return now >= due_; }
  void look(fs_t now);

 private:
  std::uint64_t work_done() const;

  simulation* sim_ = nullptr;
  fs_t limit_ = fs_never, due_ = fs_never;
  std::vector<const unit*> watched_;
  std::uint64_t last_ = 0;  // work done when it looked
};

}  // namespace heddle
