// One step of inference, the prompt or a decoded token, with all-reduces by one algorithm.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/gpu/kernels/kernel_engine.hpp"
#include "models/workloads/collective/choose_algorithm.hpp"
#include "models/workloads/inference/decoder_kernels.hpp"
#include "models/workloads/inference/inference_config.hpp"
#include "models/workloads/inference/inference_summary.hpp"
#include "models/workloads/inference/kernel_measurements.hpp"
#include "models/workloads/inference/step_recorder.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {

class sharded_decoder;

// What all steps of a workload share.
struct inference_setting {
  inference_config config;
  kernel_rates rates;
  std::vector<kernel_engine*> engines;  // by rank
  kernel_measurements measured;
  inference_summary summary;
  std::shared_ptr<sharded_decoder> decoder;  // real vectors; nullptr: none
};

// Which step, and by which algorithm.
struct inference_step {
  std::size_t algorithm = 0;  // of the netlist's list
  std::size_t number = 0;     // 0: prefill; else the decoded token, from 1 on
};

class inference_job final : public workload_job, private kernel_listener {
 public:
  // Throws user_error where the ranks cannot do it.
  inference_job(const workload_context& context, inference_setting& setting,
                const inference_step& step, std::uint32_t number);
  inference_job(const inference_job&) = delete;
  inference_job& operator=(const inference_job&) = delete;
  ~inference_job() override;  // nobody listens to the engines any more

  void post() override;
  verdict check(const job_times& times) override;
  void save() override;
  void describe(workload_result& result) const override;
  std::uint64_t bytes() const override { return shape_bytes_; }

 private:
  const inference_config& config() const { return setting_.config; }
  void find_room();
  void write_layers();
  step_figures figures(fs_t simulated) const;
  bool is_prefill() const { return step_.number == 0; }

  // Fields of stats.json (inference_result.cpp).
  std::string size_of_step() const;  // "prefill 512", "decode 513"
  void describe_step(workload_result& result) const;
  nlohmann::ordered_json shape_fields(const workload_result& result) const;
  nlohmann::ordered_json time_fields(const step_figures& own, double gain) const;
  nlohmann::ordered_json total_fields(const workload_result& result) const;

  // kernel_listener
  void list_begins(std::uint32_t rank, std::uint32_t tag, fs_t when) override;
  void kernel_ended(std::uint32_t rank, std::uint32_t tag, std::uint32_t index, fs_t begin,
                    fs_t end) override;
  void list_ended(std::uint32_t rank, std::uint32_t tag, fs_t when) override;

  // Real vectors (inference_numerics.cpp): sums from a rank's memory, partial sums into it.
  void take_sum(std::uint32_t rank);
  void write_partial(std::uint32_t rank, const std::vector<std::byte>& partial);
  void compute(std::uint32_t rank, std::uint32_t tag);

  const workload_context& context_;
  inference_setting& setting_;
  const inference_step step_;
  const decoder_step shape_;
  const std::uint64_t shape_bytes_;  // of an all-reduce
  decoder_kernels kernels_;
  chosen_algorithm chosen_;
  collective_case case_;
  boot_job reduce_{};
  inference_plan plan_{};
  step_recorder recorder_;
  // Of all wires, and of all units, when the last two layers began everywhere.
  struct meters {
    std::uint64_t wire_bytes = 0;
    double joules = 0;
  };
  meters before_, at_;
  struct numeric_result {
    double error = 0, bound = 0;
    std::uint64_t digest = 0;
  };
  numeric_result numeric_;
};

}  // namespace heddle
