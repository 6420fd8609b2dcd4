#include "platform/time/kernel_run.hpp"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <vector>

namespace heddle {
namespace {

const sc_core::sc_simcontext* kernel = nullptr;
fs_t end_of_run = 0;  // of the present one
std::uint64_t moves = 0;
bool expects_threads = false;  // while it runs

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

bool have_threads(const std::vector<sc_core::sc_object*>& objects) {
  return std::any_of(objects.begin(), objects.end(), [](const sc_core::sc_object* each) {
    const std::string_view kind = each->kind();
    return kind == "sc_thread_process" || kind == "sc_cthread_process" ||
           have_threads(each->get_child_objects());
  });
}

bool have_threads() {
  static const bool started_with_threads = have_threads(sc_core::sc_get_top_level_objects());
  return started_with_threads || expects_threads;
}

// Threads that wake in one instant leave the kernel's queue in an order that depends on what else
// was in it meanwhile. So the notification is put in and, cancelled, taken out again, which the
// kernel does when it is asked for its next instant.
void pass_through_queue(sc_core::sc_event& notified, fs_t delay) {
  notified.notify(to_sc_time(delay));
  notified.cancel();
  sc_core::sc_time behind;
  kernel->next_time(behind);
}

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
bool move_time(fs_t later, sc_core::sc_event& notified, fs_t last_cancelled) {
  const fs_t now = now_fs();
  if (later >= end_of_run) return false;
  assert(later > now);
  const bool has_threads = have_threads();
  if (has_threads && last_cancelled > now) return false;
  if (is_busy_now()) return false;
  sc_core::sc_time due;
  if (kernel->next_time(due)) {
    if (to_fs(due) <= later) return false;
    if (has_threads) pass_through_queue(notified, later - now);
  }
  jump_to(later);
  return true;
}

// Where there are threads, the kernel's queue takes part in every move.
fs_t kernel_quiet_until() {
  if (have_threads() || is_busy_now()) return 0;
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

void expect_threads() {
  expects_threads = true;
}

std::uint64_t time_moves() {
  return moves;
}

}  // namespace heddle
