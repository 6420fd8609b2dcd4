#include "platform/workload/workload_runner.hpp"

#include <utility>

#include "platform/explain/explanation.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/services/open_transfers.hpp"
#include "platform/services/run_control.hpp"
#include "platform/time/thread_wait.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/hardware_span.hpp"
#include "platform/workload/job_board.hpp"

namespace heddle {

workload_runner::workload_runner(const sc_core::sc_module_name& name, workload_context context,
                                 const workload_kind& kind, std::unique_ptr<workload> what,
                                 std::uint32_t first_number)
    : sc_module(name),
      context_(std::move(context)),
      kind_(kind),
      what_(std::move(what)),
      first_number_(first_number) {
  check_windows(context_);
  check_channels(context_);
  what_->fit(context_);
  running_trace_ = trace_scope(context_.sim.trace(), trace_path()).text("running");
  running_trace_.set("", 0);
  context_.sim.service<job_board>().open();
  sc_core::sc_spawn(
      [this] {
        try {
          run();
        } catch (const user_error&) {
          context_.sim.service<run_control>().reject(std::current_exception());
        }
      },
      "run");
}

std::string workload_runner::trace_path() const {
  return context_.settings.name.empty() ? "workload" : context_.settings.name;
}

void workload_runner::start_of_simulation() {
  write_boot_blocks(context_);
}

// Workloads with the same cores take turns: the marks are those of whose turn it is.
void workload_runner::listen() {
  job_board& board = context_.sim.service<job_board>();
  for (std::size_t rank = 0; rank < context_.cores.ranks.size(); ++rank)
    board.listen(*context_.cores.ranks[rank],
                 [this, rank](rank_core&, job_mark mark, std::uint32_t, fs_t when) {
                   take_mark(rank, mark, when);
                 });
  for (const rank_core* each : context_.cores.setup)
    board.listen(
        *each, [this](rank_core&, job_mark mark, std::uint32_t, fs_t) { take_setup_mark(mark); },
        /*begins_with_start=*/false);
}

void workload_runner::run() {
  await_turn();
  listen();
  for (std::uint32_t index = 0; index < what_->jobs(); ++index) run_job(index);
  is_finished_ = true;
  finished_.notify(sc_core::SC_ZERO_TIME);
  if (on_finished) on_finished();
}

void workload_runner::await_turn() {
  for (const workload_runner* each : before_)
    if (!each->is_finished_) sc_core::wait(each->finished_);
  if (now_fs() < context_.settings.start) wait_until(context_.settings.start);
}

// Explaining makes a run in trains of 32 a sixth slower, one packet by packet half as slow again,
// and that is worth it only while it is short.
bool workload_runner::explains(const workload_job& job) const {
  constexpr std::uint64_t short_job = 1 << 20;
  return context_.settings.is_explained.value_or(context_.sim.settings().train > 1 ||
                                                 job.bytes() <= short_job);
}

void workload_runner::set_up(std::uint32_t number) {
  if (context_.cores.setup.empty()) return;
  set_up_ = 0;
  context_.sim.service<job_board>().post(context_.cores.setup, number);
  sc_core::wait(all_set_up_);
}

void workload_runner::run_job(std::uint32_t index) {
  job_board& board = context_.sim.service<job_board>();
  const std::uint32_t number = first_number_ + index;
  const auto await_idle = [&] {
    board.await_idle(context_.cores.ranks);
    board.await_idle(context_.cores.setup);
  };
  await_idle();
  const std::unique_ptr<workload_job> job = what_->prepare(index, number);
  job->post();
  if (running_trace_.enabled()) title_ = title_of(*job, number);
  set_up(number);
  job->after_set_up();
  const std::size_t ranks = context_.cores.ranks.size();
  times_.starts.assign(ranks, 0);
  times_.ends.assign(ranks, 0);
  started_ = ended_ = 0;
  is_explained_ = explains(*job);
  last_end_why_ = {};
  board.post(context_.cores.ranks, number);
  sc_core::wait(all_ended_);
  if (const auto& transfers = context_.sim.service<open_transfers>(); !transfers.is_none()) {
    transfers.await_none();
    count_span();  // anew, with what was still on its way
  }
  if (job->outlasts_its_marks()) await_idle();
  results_.push_back(finish(*job, number));
  if (on_result) on_result(results_.back());
  context_.sim.service<run_control>().release();
}

// What ranks prepare before the first start mark is no part of the job.
void workload_runner::begin_span(fs_t when) {
  running_trace_.set(title_, when, now_fs());
  energy_before_ = context_.sim.service<energy_book>().shares();
  wire_bytes_before_ = context_.sim.service<link_directory>().wire_bytes();
  if (on_start) on_start();
}

void workload_runner::count_span() {
  energy_ = difference(context_.sim.service<energy_book>().shares(), energy_before_);
  wire_bytes_ = context_.sim.service<link_directory>().wire_bytes() - wire_bytes_before_;
}

void workload_runner::take_setup_mark(job_mark mark) {
  if (mark == job_mark::end && ++set_up_ == context_.cores.setup.size())
    all_set_up_.notify(sc_core::SC_ZERO_TIME);
}

void workload_runner::take_mark(std::size_t rank, job_mark mark, fs_t when) {
  rank_core& core = *context_.cores.ranks[rank];
  if (mark == job_mark::start) {
    times_.starts[rank] = when;
    if (started_++ == 0) begin_span(when);
    if (is_explained_) core.why() = cause::start(core.rank_site(), when);
    return;
  }
  times_.ends[rank] = when;
  last_end_why_.join(core.why());
  core.why() = {};
  if (++ended_ != context_.cores.ranks.size()) return;
  running_trace_.set("", times_.last_end(), now_fs());
  count_span();
  if (on_end) on_end(times_.last_end() - times_.first_start());
  context_.sim.service<run_control>().hold();  // until the result is there
  all_ended_.notify(sc_core::SC_ZERO_TIME);
}

workload_result workload_runner::untimed(std::uint32_t number) const {
  workload_result result;
  result.number = number;
  result.workload = context_.settings.name;
  result.array = kind_.array;
  result.ranks = static_cast<std::uint32_t>(context_.cores.ranks.size());
  result.rank_times.assign(context_.cores.ranks.size(), 0);
  return result;
}

std::string workload_runner::title_of(const workload_job& job, std::uint32_t number) const {
  workload_result result = untimed(number);
  job.describe(result);
  return result.title();
}

workload_result workload_runner::finish(workload_job& job, std::uint32_t number) {
  workload_result result = untimed(number);
  result.start = times_.first_start();
  result.end = times_.last_end();
  for (std::size_t rank = 0; rank < times_.starts.size(); ++rank)
    result.rank_times[rank] = times_.ends[rank] - times_.starts[rank];
  result.hardware_time = context_.sim.service<hardware_spans>().take(number);
  result.wire_bytes = wire_bytes_;
  result.energy = std::exchange(energy_, {});
  if (is_explained_)
    result.path = break_down(context_.sim.service<explanation>(), std::exchange(last_end_why_, {}),
                             result.start, result.end);
  if (context_.settings.is_checked) result.outcome = job.check(times_);
  job.save();
  job.describe(result);
  return result;
}

}  // namespace heddle
