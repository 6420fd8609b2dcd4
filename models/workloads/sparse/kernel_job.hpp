// A sparse kernel on top of a gather: what it computes, when it ends, and its figures.
#pragma once

#include "models/sparse/kernel_times.hpp"
#include "models/workloads/gather/gather_job.hpp"
#include "models/workloads/sparse/kernel_config.hpp"

namespace heddle {

class kernel_job final : public workload_job {
 public:
  kernel_job(const workload_context& context, const gather_config& gather,
             const kernel_config& kernel, const gather_system& system, const gather_case& what,
             std::uint32_t number);
  ~kernel_job() override;
  kernel_job(const kernel_job&) = delete;
  kernel_job& operator=(const kernel_job&) = delete;

  void post() override;
  verdict check(const job_times& times) override;
  void describe(workload_result& result) const override;
  std::uint64_t bytes() const override { return gather_.bytes(); }

 private:
  void note_batch(std::uint32_t node, std::uint64_t indices, fs_t when);
  std::string mistake_of(std::uint32_t node) const;
  batch_seconds ready_since(fs_t start) const;

  const workload_context& context_;
  const gather_config& config_;
  const kernel_config& kernel_;
  const gather_system& system_;
  const gather_case case_;
  const gather_layout layout_;
  const std::uint64_t seed_;
  gather_run gather_;
  std::vector<std::vector<fs_t>> ready_;  // by node and batch
};

}  // namespace heddle
