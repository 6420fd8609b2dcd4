#include "platform/workload/job_board.hpp"

#include <algorithm>

namespace heddle {

std::uint32_t job_board::next(const rank_core& core, std::uint32_t last) {
  entry& own = entries_[&core];  // references to entries survive insertions
  own.is_idle = true;
  idles_.notify(sc_core::SC_ZERO_TIME);
  while (is_open_ && own.posted == last) sc_core::wait(changed_);
  own.is_idle = false;
  return is_open_ ? own.posted : no_job;
}

void job_board::mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
  const auto found = entries_.find(&core);
  if (found != entries_.end() && found->second.on_mark)
    found->second.on_mark(core, mark, job, when);
}

void job_board::listen(const rank_core& core, mark_listener listener) {
  entries_[&core].on_mark = std::move(listener);
}

void job_board::await_idle(const std::vector<rank_core*>& cores) {
  const auto is_idle = [this](const rank_core* each) { return entries_[each].is_idle; };
  while (!std::all_of(cores.begin(), cores.end(), is_idle)) sc_core::wait(idles_);
}

void job_board::post(const std::vector<rank_core*>& cores, std::uint32_t job) {
  for (const rank_core* each : cores) entries_[each].posted = job;
  changed_.notify(sc_core::SC_ZERO_TIME);
}

void job_board::close() {
  is_open_ = false;
  changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace heddle
