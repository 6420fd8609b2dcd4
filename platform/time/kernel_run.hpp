// Running the kernel from outside, and moving its time from inside.
//
// The kernel's step from one instant to the next costs 50 ns: it takes an event out of its queue,
// triggers it, and runs a delta cycle for one process. While that process alone has something to
// do, it may as well go on by itself and say so: simulated time is then the same for everyone who
// asks, and a notification is relative to it as ever. That is what the agenda does.
//
// Limitations: instants that are reached so have no delta cycle of their own in sc_delta_count(),
// an event that was triggered before is still triggered() in them, sc_trace() does not look at
// plain variables, and sc_pause() is obeyed only when moving ends. Processes whose timed
// notifications the kernel keeps for one instant may run in another order than under sc_start():
// its queue is a heap (threads of Heddle wait by thread_wait.hpp). Who needs one of these calls
// sc_start().
#pragma once

#include <systemc>

#include "platform/time/fs_time.hpp"

namespace heddle {

// sc_start() for that time, and without an end. Time is moved from inside only in runs of these.
void run_kernel_for(fs_t span, sc_core::sc_starvation_policy policy = sc_core::SC_RUN_TO_TIME);
void run_kernel();

// Called by the agenda, for what runs by it see agenda::pass_to(). Moves simulated time to `later`,
// unless that is the end of the run or after it, anything else is due by then, the process is not
// in the first delta cycle of its instant, or the kernel is about to stop. The process goes on in
// the first delta cycle of `later`.
bool move_time(fs_t later);

// Time can be moved to any instant before that, as long as nobody touches the kernel meanwhile.
fs_t kernel_quiet_until();
void jump_to(fs_t later, std::uint64_t steps = 1);  // before that, as the last of so many instants

bool is_stopped();  // by sc_stop(), which ends the run with this instant

// How many instants were reached so. The kernel has counted no delta cycle for them.
std::uint64_t time_moves();

}  // namespace heddle
