#include "platform/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <systemc>

#include "platform/services/interrupt_watch.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/kernel_run.hpp"
#include "platform/time/time_limits.hpp"

namespace heddle {
namespace {

run_end end_at(progress& shown, run_end how) {
  shown.clear();
  return how;
}

// Nothing happens before `until`. Where the user has named it, what is idle is so up to there;
// otherwise time stays where the last thing happened.
void pass_idle_time(fs_t until) {
  if (until != end_of_time && until > now_fs()) run_kernel_for(until - now_fs());
}

}  // namespace

progress::progress(bool is_quiet) : is_shown_on_terminal_(!is_quiet && isatty(STDERR_FILENO)) {}

void progress::show() {
  if (!is_shown_on_terminal_) return;
  const auto now = clock::now();
  if (now - last_ < std::chrono::milliseconds(500)) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const auto steps = static_cast<double>(sc_core::sc_delta_count() + time_moves());
  std::string line = fmt::format("\r\033[K{} simulated, {:.2f} M events/s",
                                 format_duration(now_fs()), steps / elapsed / 1e6);
  if (expected_ > 0 && done_ > 0) {
    const double share = static_cast<double>(done_) / static_cast<double>(expected_);
    line +=
        fmt::format(", {:.0f} % done, {:.0f} s left", 100 * share, elapsed * (1 - share) / share);
  }
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
  is_line_shown_ = true;
}

void progress::clear() {
  if (!is_line_shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  is_line_shown_ = false;
}

run_end simulate(progress& shown, const std::function<void()>& between, fs_t until) {
  const interrupt_watch watch;
  constexpr fs_t slice = 20 * fs_per_us;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  while (sc_core::sc_get_status() != sc_core::SC_STOPPED && sc_core::sc_pending_activity()) {
    const fs_t left = until - now_fs();
    const fs_t pause = to_fs(sc_core::sc_time_to_pending_activity());
    if (left < pause) {
      pass_idle_time(until);
      return end_at(shown, run_end::at_limit);
    }
    run_kernel_for(std::min(left, pause + slice), sc_core::SC_EXIT_ON_STARVATION);
    shown.show();
    if (between) between();
    if (watch.is_interrupted()) return end_at(shown, run_end::interrupted);
  }
  shown.clear();
  return run_end::by_itself;
}

}  // namespace heddle
