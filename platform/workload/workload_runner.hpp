// Runs one workload of the netlist: posts its jobs one after the other, takes the marks of its
// ranks, has the results checked. All of that takes no simulated time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "platform/trace/trace_signal.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class workload_runner final : public sc_core::sc_module {
 public:
  // Jobs are numbered from `first_number` on. Throws user_error where the workload does not fit
  // the cores.
  workload_runner(const sc_core::sc_module_name& name, workload_context context,
                  const workload_kind& kind, std::unique_ptr<workload> what,
                  std::uint32_t first_number);

  const workload_settings& settings() const { return context_.settings; }
  const workload_cores& cores() const { return context_.cores; }
  const workload& what() const { return *what_; }
  // Where waveforms show its jobs, in a signal called `running`.
  std::string trace_path() const;
  const std::vector<workload_result>& results() const { return results_; }

  // It begins when these have ended, and not before its `start`.
  void follow(const workload_runner& earlier) { before_.push_back(&earlier); }

  std::function<void()> on_start;           // of each job, at the first rank's mark
  std::function<void(fs_t length)> on_end;  // of each job, at the last rank's mark
  std::function<void(const workload_result&)> on_result;
  std::function<void()> on_finished;  // all jobs are done

 private:
  void start_of_simulation() override;
  void run();
  void await_turn();
  void listen();
  void run_job(std::uint32_t index);
  void set_up(std::uint32_t number);
  bool explains(const workload_job& job) const;
  void take_setup_mark(job_mark mark);
  void take_mark(std::size_t rank, job_mark mark, fs_t when);
  void begin_span(fs_t when);
  void count_span();  // bytes and energy since it began
  workload_result untimed(std::uint32_t number) const;
  std::string title_of(const workload_job& job, std::uint32_t number) const;
  workload_result finish(workload_job& job, std::uint32_t number);

  workload_context context_;
  const workload_kind& kind_;
  std::unique_ptr<workload> what_;
  std::uint32_t first_number_;
  std::vector<const workload_runner*> before_;
  std::vector<workload_result> results_;
  bool is_finished_ = false;
  sc_core::sc_event finished_;

  trace_signal<std::string_view> running_trace_;  // title of the job, from start to end mark

  // The job at hand.
  std::string title_;
  job_times times_;
  std::size_t started_ = 0, ended_ = 0, set_up_ = 0;
  bool is_explained_ = false;
  cause last_end_why_;
  energy_shares energy_before_, energy_;                  // at its first start mark; since then
  std::uint64_t wire_bytes_before_ = 0, wire_bytes_ = 0;  // likewise
  sc_core::sc_event all_ended_, all_set_up_;
};

}  // namespace heddle
