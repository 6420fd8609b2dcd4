// How threads of the kernel wait for an instant: by the agenda, as all else that is due. Threads
// that go on in one instant do so behind the calls that are due then, in the order in which they
// began to wait. The kernel's own queue would leave that order to chance: it is a heap, in which
// entries of one instant come in an order that depends on what else has been in it.
#pragma once

#include "platform/time/fs_time.hpp"

namespace heddle {

// The calling thread goes on at that instant; at the present one after a delta cycle. The agenda
// exists since before the simulation began.
void wait_until(fs_t when);

}  // namespace heddle
