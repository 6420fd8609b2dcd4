// One GEMM: what firmware reads of it, its check and its figures.
#pragma once

#include "models/workloads/gemm/gemm_config.hpp"
#include "models/workloads/gemm/gemm_matrices.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

// All ranks have windows of that many bytes.
boot_job make_gemm_job(const gemm_config& config, boot_algorithm algorithm, std::uint32_t tile,
                       std::uint64_t ranks, std::uint64_t window_bytes, std::uint32_t number);

// Bytes of a rank's window that it takes.
std::uint64_t memory_of_gemm(const boot_job& job, std::uint64_t ranks);

class gemm_job final : public workload_job {
 public:
  gemm_job(const workload_context& context, const gemm_config& config, const boot_job& job);

  void post() override;
  verdict check(const job_times& times) override;
  void describe(workload_result& result) const override;
  std::uint64_t bytes() const override { return job_.elements * job_.element_bytes; }

 private:
  const workload_context& context_;
  const gemm_config& config_;
  const boot_job job_;
  const gemm_matrices matrices_;
  std::uint64_t max_ulp_ = 0;
};

}  // namespace heddle
