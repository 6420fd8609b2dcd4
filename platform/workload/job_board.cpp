#include "platform/workload/job_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle {

std::uint32_t job_board::next(const rank_core& core, std::uint32_t last) {
  entry& own = entries_[&core];  // references to entries survive insertions
  own.is_idle = true;
  idles_.notify(sc_core::SC_ZERO_TIME);
  while (is_open_ && own.posted == last) sc_core::wait(changed_);
  own.is_idle = false;
  own.taken = is_open_ ? own.posted : no_job;
  own.has_started = own.has_ended = false;
  return own.taken;
}

std::string job_board::mistake(const entry& own, job_mark mark, std::uint32_t job) {
  const char* const which = mark == job_mark::start ? "start" : "end";
  if (own.taken == no_job)
    return fmt::format("marks the {} of job {}, but has none: hal_next_job() gives it", which, job);
  if (own.taken != job)
    return fmt::format("marks the {} of job {}, but has job {}", which, job, own.taken);
  if (mark == job_mark::start ? own.has_started : own.has_ended)
    return fmt::format("marks the {} of job {} once more", which, job);
  if (mark == job_mark::end && own.begins_with_start && !own.has_started)
    return fmt::format("marks the end of job {} before its start", job);
  if (mark == job_mark::start && own.has_ended)
    return fmt::format("marks the start of job {} after its end", job);
  return {};
}

std::string job_board::mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when) {
  if (!is_open_) return {};
  entry& own = entries_[&core];
  std::string wrong = mistake(own, mark, job);
  if (!wrong.empty()) return wrong;
  (mark == job_mark::start ? own.has_started : own.has_ended) = true;
  if (own.on_mark) own.on_mark(core, mark, job, when);
  return {};
}

void job_board::listen(const rank_core& core, mark_listener listener, bool begins_with_start) {
  entry& own = entries_[&core];
  own.on_mark = std::move(listener);
  own.begins_with_start = begins_with_start;
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
