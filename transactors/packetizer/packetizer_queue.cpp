// How many requests the queue of a port holds, counted packet by packet: a train enters the queue
// and leaves it as its packets would one by one.
#include <algorithm>

#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

// Whether packets of the last train still wait for room in the queue.
bool packetizer::is_entering() {
  if (!entering_.through) return false;
  if (waits_for_queue(*entering_.through, queue_limit_)) return true;
  entering_ = {};
  return false;
}

// When the port sends another packet after a train, the last packet of the train is taken to have
// left. Limitation: a train that still waits for credits is also taken for gone, though it is not.
void packetizer::note_start(const packet& sent) {
  if (!entering_.train)
    entering_ = {};
  else if (entering_.train == &sent)
    entering_.train = nullptr;
}

// Whether more requests wait for the port; issue_pending() is called when it is not so any more.
// Responses are not counted.
bool packetizer::waits_for_queue(side& of, std::uint32_t most) const {
  std::uint32_t whole = of.waiting.requests() + of.preparing_packets;
  // A train in front waits for credits until it is known when all of them come.
  if (whole > most && train_ > 1 && !of.wake.is_pending())
    whole -= of.waiting.requests_with_credits(of.port);
  if (whole > most) return true;  // until a train starts
  if (whole + of.leaving.packets - 1 <= most) return false;
  const fs_t now = now_fs();
  if (whole + of.leaving.left(now) <= most) return false;
  of.room.at(std::max(of.leaving.instant_of(most - whole), now + 1));
  return true;
}

}  // namespace heddle
