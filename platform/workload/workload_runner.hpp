// Runs the workload: writes boot blocks, jobs and tensors into the memories, posts one job after
// the other, checks what comes out. All of that takes no simulated time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "platform/firmware/rank_core.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/workload/gemm_job.hpp"
#include "platform/workload/rank_memory.hpp"
#include "platform/workload/tensors.hpp"
#include "platform/workload/workload_config.hpp"
#include "platform/workload/workload_fit.hpp"
#include "platform/workload/workload_result.hpp"

namespace heddle {

class workload_runner final : public sc_core::sc_module {
 public:
  // Picks the ranks among the cores of the simulation; throws user_error when the workload does not
  // fit them. `run_directory` receives the results of `config.output`.
  workload_runner(simulation& sim, const workload_config& config, std::string run_directory);

  const std::vector<workload_result>& results() const { return results_; }
  std::uint64_t jobs() const;                   // so many results, when all is done
  std::vector<std::string> algorithms() const;  // as results name them
  std::string note() const;                     // the same, of what they contain; lines
  std::string remark() const;               // what a reader of the times has to know; may be empty
  std::uint64_t expected_work() const;      // sum of moved_bytes; 0 when the input files say it
  std::function<void()> on_start;           // of each job, at the first rank's mark
  std::function<void(fs_t length)> on_end;  // of each job, at the last rank's mark
  std::function<void(const workload_result&)> on_result;

 private:
  void start_of_simulation() override;
  void run();
  bool explains(std::uint64_t bytes) const;
  std::string shown_name(boot_algorithm algorithm) const;
  std::uint64_t messages() const;  // tensors that cross in one job
  std::vector<std::uint64_t> sizes() const;
  boot_block boot_block_of(const rank_core& core, std::size_t rank) const;
  rank_memory layout() const;
  void write_boot_block(rank_core& core, std::size_t rank);
  boot_job job_of(std::uint32_t number, std::uint64_t bytes) const;
  void check_jobs();
  void choose(boot_job job);
  void run_job(std::uint32_t number, std::uint64_t size);
  void write_job(const boot_job& job, const job_inputs& inputs);
  void write_gemm(const boot_job& job);
  void take_mark(rank_core& core, job_mark mark, std::uint32_t job, fs_t when);
  void begin_span();
  void end_span();
  void finish_job(const boot_job& job, const job_inputs& inputs);
  void check(workload_result& result, const job_inputs& inputs, std::size_t elements);
  void write_output(std::size_t rank, const job_inputs& inputs);

  simulation& sim_;
  workload_config config_;  // `algorithm` is that of the job at hand
  const std::string run_directory_;
  workload_cores cores_;
  std::vector<workload_result> results_;

  fs_t first_start_ = fs_never;
  fs_t last_end_ = 0;
  std::vector<fs_t> rank_times_;                          // start marks until the end marks come
  bool is_explained_ = false;                             // the job at hand
  bool is_chosen_ = false;                                // its algorithm, by `auto`
  std::optional<gemm_job> gemm_;                          // the job at hand is one
  energy_shares energy_before_;                           // its first start mark
  energy_shares energy_;                                  // from there to its last end mark
  std::uint64_t wire_bytes_before_ = 0, wire_bytes_ = 0;  // likewise
  cause last_end_why_;
  std::size_t ended_ = 0;
  std::size_t set_up_ = 0;
  sc_core::sc_event all_ended_, all_set_up_;
};

}  // namespace heddle
