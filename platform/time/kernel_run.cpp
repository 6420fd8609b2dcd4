#include "platform/time/kernel_run.hpp"

#include <algorithm>
#include <cassert>

namespace heddle {
namespace {

const sc_core::sc_simcontext* kernel = nullptr;
fs_t end_of_run = 0;  // of the present one
std::uint64_t moves = 0;

class run_until {
 public:
  explicit run_until(fs_t end) {
    kernel = sc_core::sc_get_curr_simcontext();
    end_of_run = end;
  }
  run_until(const run_until&) = delete;
  run_until& operator=(const run_until&) = delete;
  ~run_until() { end_of_run = 0; }
};

// Whether the kernel is about to do something else in this instant. It counts the delta cycles of
// an instant: from another than the first, the next instant would begin with the count of this one.
bool is_busy_now() {
  return kernel->sim_status() != sc_core::SC_SIM_OK || kernel->delta_count_at_current_time() != 0 ||
         kernel->pending_activity_at_current_time();
}

}  // namespace

void run_kernel_for(fs_t span, sc_core::sc_starvation_policy policy) {
  const run_until bounded(now_fs() + span);
  sc_core::sc_start(to_sc_time(span), policy);
}

void run_kernel() {
  const run_until unbounded(fs_never);
  sc_core::sc_start();
}

// What is due at the end of a run belongs to the next one, as under sc_start().
bool move_time(fs_t later) {
  if (later >= end_of_run) return false;
  assert(later > now_fs());
  if (is_busy_now()) return false;
  sc_core::sc_time due;
  if (kernel->next_time(due) && to_fs(due) <= later) return false;
  jump_to(later);
  return true;
}

fs_t kernel_quiet_until() {
  if (is_busy_now()) return 0;
  sc_core::sc_time due;
  return kernel->next_time(due) ? std::min(to_fs(due), end_of_run) : end_of_run;
}

// The kernel hands out its own time, an object that is not constant.
void jump_to(fs_t later, std::uint64_t steps) {
  const_cast<sc_core::sc_time&>(kernel->time_stamp()) = to_sc_time(later);
  moves += steps;
}

bool is_stopped() {
  return sc_core::sc_get_curr_simcontext()->sim_status() != sc_core::SC_SIM_OK;
}

std::uint64_t time_moves() {
  return moves;
}

}  // namespace heddle
