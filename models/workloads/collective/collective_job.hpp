// One collective: its operands, what must come out, its figures.
#pragma once

#include "models/workloads/collective/choose_algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/collective/tensors.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class collective_job final : public workload_job {
 public:
  // is_chosen: by `auto`.
  collective_job(const workload_context& context, const collective_config& config,
                 chosen_algorithm chosen, const collective_case& what, const boot_job& job,
                 job_inputs inputs, std::string asked, bool is_chosen);

  void post() override;
  void after_set_up() override;
  verdict check(const job_times& times) override;
  void save() override;
  void describe(workload_result& result) const override;
  std::uint64_t bytes() const override { return job_.elements * job_.element_bytes; }
  // Tiles of a mesh meet once more behind the end mark: what their DMA engines count as completed
  // may still be on its way.
  bool outlasts_its_marks() const override {
    return chosen_.by->is_quantized || chosen_.by->ranks == rank_rule::tiles_of_a_mesh;
  }

 private:
  verdict check_order(const job_times& times) const;
  bool is_at_a_rate(const workload_result& result) const;
  // Whether it took as long as wires take at least; otherwise the run fails.
  bool is_possible(const job_times& times) const;
  void give_job_to(rank_core& core) const;
  void note_fallback() const;

  const workload_context& context_;
  const collective_config& config_;
  chosen_algorithm chosen_;
  collective_case case_;
  boot_job job_;
  const job_inputs inputs_;
  const std::string asked_;  // the name in the table of results
  const bool is_chosen_;
  fs_t posted_ = 0;
  rank_comparison found_;
};

// Tensors that cross in one job.
std::uint64_t messages_of(const collective_config& config);

}  // namespace heddle
