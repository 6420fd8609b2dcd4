// Running the kernel from outside, and moving its time from inside.
//
// The kernel's step from one instant to the next costs 50 ns: it takes an event out of its queue,
// triggers it, and runs a delta cycle for one process. While that process alone has something to
// do, it may as well go on by itself and say so: simulated time is then the same for everyone who
// asks, and a notification is relative to it as ever. That is what the agenda does.
#pragma once

#include <systemc>

#include "platform/time/fs_time.hpp"

namespace heddle {

// sc_start() for that time, and without an end. Time is moved from inside only in runs of these.
void run_kernel_for(fs_t span, sc_core::sc_starvation_policy policy = sc_core::SC_RUN_TO_TIME);
void run_kernel();

// Called by a process: moves simulated time to `later`, unless that is behind the end of the run,
// something else is due until then, or the kernel is about to stop. The process goes on in a first
// delta cycle of that instant.
//
// Always refused where the simulation started with threads: those that wake in one instant leave
// the kernel's queue in an order that depends on what else was in it before.
bool move_time(fs_t later);

// How often time was moved: instants that are no delta cycles of the kernel.
std::uint64_t time_moves();

}  // namespace heddle
