// The kind of workload that gathers the properties that the nonzeros of a sparse matrix ask for
// (NetSparse). What computes with them derives from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/workloads/gather/gather_config.hpp"
#include "models/workloads/gather/gather_job.hpp"
#include "models/workloads/gather/gather_system.hpp"

namespace heddle {

class gather_workload : public workload {
 public:
  explicit gather_workload(gather_config config) : config_(std::move(config)) {}

  void fit(const workload_context& context) override;
  std::uint32_t jobs() const override;
  std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) override;
  std::vector<std::string> algorithms() const override;
  std::string note() const override;
  std::uint64_t expected_work() const override;

 protected:
  virtual std::unique_ptr<workload_job> make_job(const gather_case& what, std::uint32_t number);
  const workload_context& context() const { return *context_; }
  const gather_config& config() const { return config_; }
  const gather_system& system() const { return system_; }

 private:
  gather_case case_of(std::uint32_t elements, std::uint32_t features) const;
  void check_units() const;
  void check_switches() const;
  void check_case(const gather_case& what) const;
  void check_racks(const gather_case& what) const;
  void warn() const;

  gather_config config_;
  const workload_context* context_ = nullptr;
  gather_system system_;
  std::shared_ptr<const nonzero_source> matrix_;
};

}  // namespace heddle
