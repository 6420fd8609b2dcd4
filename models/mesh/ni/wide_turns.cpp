#include "models/mesh/ni/wide_turns.hpp"

#include <algorithm>

namespace heddle {

void wide_turns::transmit(cycle_t now) {
  const due_flits& waiting = links_.waiting(wide);
  const bool has_due = !waiting.empty() && waiting.next() <= now;
  const cycle_t write = requests_.next_write();
  const bool has_write = write <= now;
  if (has_write) count_late_beats(write);
  if (has_due || has_write) {
    if (!links_.has_credit(wide, now)) return;
    if (has_write && (is_write_next_ || !has_due)) {
      requests_.send_beat(now);
      is_write_next_ = false;
    } else {
      links_.send_due(wide, now);
      is_write_next_ = true;
      target_.link_has_room(now);
    }
  }
  links_.wake_for_next(wide, now);
  const cycle_t next = requests_.next_write();
  if (next != never) tile_.clock.wake(std::max(now + 1, next));
  if (requests_.is_write_begun() && next > now + 1) late_since_ = std::min(late_since_, now + 1);
}

void wide_turns::count_late_beats(cycle_t came) {
  if (late_since_ == never) return;
  tile_.counters.beat_waits += came - late_since_;
  late_since_ = never;
}

}  // namespace heddle
