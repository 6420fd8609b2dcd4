// One gather: what firmware reads of it, its check, its laws and its figures.
#pragma once

#include <memory>

#include "models/workloads/gather/gather_config.hpp"
#include "models/workloads/gather/gather_memory_image.hpp"
#include "models/workloads/gather/gather_result.hpp"

namespace heddle {

struct gather_case {
  std::shared_ptr<const nonzero_source> matrix;
  std::uint32_t elements = 16;
  std::uint32_t features = 0;
  bool is_described = true;
};

gather_layout layout_of(const workload_context& context, const gather_case& what);

class gather_run final : public workload_job {
 public:
  gather_run(const workload_context& context, const gather_config& config,
             const gather_system& system, const gather_case& what, std::uint32_t number);

  void post() override;
  verdict check(const job_times& times) override;
  void describe(workload_result& result) const override;
  std::uint64_t bytes() const override { return UINT64_MAX; }  // nothing of it is explained

 private:
  gather_job job_of(std::uint32_t node) const;
  double everything() const;
  gather_machine machine(const gather_figures& figures) const;
  gather_figures figures() const;
  std::vector<double> times_of(const workload_result& result) const;
  gather_result result_at(const workload_result& result) const;
  std::string what() const;

  const workload_context& context_;
  const gather_config& config_;
  const gather_system& system_;
  const gather_case case_;
  const std::uint32_t number_, length_;
  const gather_layout layout_;
  gather_memory_image image_;
  gather_figures before_;
};

}  // namespace heddle
