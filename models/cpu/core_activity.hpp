// What a core does at this moment, natively or by instructions: in waves, and for the hang report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "platform/time/fs_time.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/workload/job_board.hpp"

namespace heddle {

class core_activity {
 public:
  enum class state { idle, run, poll, interrupt, job, finished, fault };

  explicit core_activity(const trace_scope& scope)
      : state_trace_(scope.state<state>(
            "activity", {"IDLE", "RUN", "POLL", "WAIT_IRQ", "WAIT_JOB", "FINISHED", "FAULT"})),
        function_trace_(scope.text("function")),
        job_trace_(scope.text_label("job")) {}

  void show(state now) { state_trace_.set(now, now_fs()); }
  // Counted from 0; no job: the text is empty.
  void show_job(std::uint32_t job) {
    if (!job_trace_.enabled()) return;
    job_trace_.set(job == job_board::no_job ? std::string() : std::to_string(job), now_fs());
  }
  // The function that the program is in: whoever follows the program sets it.
  trace_signal<std::string_view> function() const { return function_trace_; }

  // Between these the core waits, for what the text says.
  void begin_wait(state now, std::string for_what) {
    waiting_for_ = std::move(for_what);
    show(now);
  }
  void end_wait() {
    show(state::run);
    waiting_for_.clear();
  }
  // What the program logs; the last of it often says why the program ends.
  void note_log(std::string text) { last_log_ = std::move(text); }
  // "; the last that it logged: timeout 0x1", or nothing.
  std::string last_words() const {
    return last_log_.empty() ? "" : "; the last that it logged: " + last_log_;
  }

  // A wait that is part of running, for posted writes. "": it is over.
  void set_waiting_for(std::string what) { waiting_for_ = std::move(what); }
  const std::string& waiting_for() const { return waiting_for_; }  // "": it does not wait

 private:
  std::string waiting_for_, last_log_;
  trace_signal<state> state_trace_;
  trace_signal<std::string_view> function_trace_;
  trace_signal<std::string_view> job_trace_;
};

}  // namespace heddle
