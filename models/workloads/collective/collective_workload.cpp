// The kind of workload that moves tensors between ranks: all-reduce and its relatives, barriers,
// point-to-point tests.
#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/collective/collective_fit.hpp"
#include "models/workloads/collective/collective_job.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "platform/workload/boot_image.hpp"
#include "sw/collectives/select.h"

namespace heddle {
namespace {

class collective_workload final : public workload {
 public:
  explicit collective_workload(collective_config config) : config_(std::move(config)) {}

  void fit(const workload_context& context) override;
  std::uint32_t jobs() const override;
  std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) override;
  std::vector<std::string> algorithms() const override;
  std::string remark() const override;
  std::string note() const override;
  std::uint64_t expected_work() const override;

 private:
  // The files say how many bytes, where there are some.
  std::vector<std::uint64_t> sizes() const;
  boot_job job_of(boot_algorithm algorithm, std::uint32_t number, std::uint64_t bytes) const;

  collective_config config_;
  const workload_context* context_ = nullptr;
};

std::vector<std::uint64_t> collective_workload::sizes() const {
  if (!config_.input.empty()) return {0};
  return config_.collective == BOOT_BARRIER ? std::vector{config_.bytes.front()} : config_.bytes;
}

// With the algorithm that does it; throws user_error where these ranks cannot.
boot_job collective_workload::job_of(boot_algorithm algorithm, std::uint32_t number,
                                     std::uint64_t bytes) const {
  const workload_cores& cores = context_->cores;
  collective_config config = config_;
  config.algorithm = algorithm;
  const auto make = [&] {
    return make_job(config, cores.ranks.size(), cores.ranks.front()->resources().window_bytes,
                    number, bytes);
  };
  boot_job job = make();
  const boot_block boot = boot_block_of(*cores.ranks.front(), 0, *context_);
  job.algorithm = select_algorithm(&boot, &job);
  config.algorithm = static_cast<boot_algorithm>(job.algorithm);
  if (!is_algorithm_for(job.algorithm, config.collective))
    throw user_error(config.algorithm_place, fmt::format("no algorithm of these ranks does {}: "
                                                         "it needs in-switch accelerators",
                                                         name_of(config.collective)));
  check_job(config, cores, job);
  return job;
}

void collective_workload::fit(const workload_context& context) {
  context_ = &context;
  check_hardware(config_, context.cores);
  config_.columns = context.cores.ranks.front()->resources().columns;
  if (!config_.input.empty()) return;
  for (const std::uint64_t size : sizes())
    for (const boot_algorithm each : config_.algorithms) job_of(each, 0, size);
}

std::uint32_t collective_workload::jobs() const {
  return static_cast<std::uint32_t>(sizes().size() * config_.algorithms.size() * config_.repeat);
}

std::unique_ptr<workload_job> collective_workload::prepare(std::uint32_t index,
                                                           std::uint32_t number) {
  const std::size_t of_size = config_.algorithms.size() * config_.repeat;
  const std::uint64_t size = sizes()[index / of_size];
  const boot_algorithm wanted = config_.algorithms[index % of_size / config_.repeat];
  job_inputs inputs;
  if (context_->sim.settings().carries_data || !config_.input.empty())  // files give the size
    inputs = make_inputs(config_, context_->cores.ranks.size(), size,
                         context_->sim.settings().seed + number);
  const boot_job job = job_of(
      wanted, number, config_.input.empty() ? size : inputs.elements * size_of(config_.type));
  collective_config config = config_;
  config.algorithm = static_cast<boot_algorithm>(job.algorithm);
  const bool is_chosen = wanted == BOOT_AUTO && moves_data(&job);
  return std::make_unique<collective_job>(*context_, config, job, std::move(inputs), is_chosen);
}

std::vector<std::string> collective_workload::algorithms() const {
  std::vector<std::string> names;
  for (const boot_algorithm each : config_.algorithms) {
    const std::string name = shown_name(config_.collective, each);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string collective_workload::remark() const {
  const bool may_quantize =
      config_.may_quantize ||
      std::count(config_.algorithms.begin(), config_.algorithms.end(), BOOT_SCIN_INQ) > 0;
  if (!may_quantize) return {};
  return fmt::format(
      "scin_inq: {}-bit elements in blocks of {}; ranks quantize before and dequantize after the "
      "time shown",
      config_.quant.bits, config_.quant.block);
}

std::string collective_workload::note() const {
  const bool has_barrier_behind =
      std::any_of(config_.algorithms.begin(), config_.algorithms.end(), is_on_mesh) &&
      config_.collective != BOOT_BARRIER;
  if (!has_barrier_behind) return {};
  return "time: from the first rank's start mark to the last rank's end mark, when its own "
         "transfers are done;\n"
         "  the barrier after which all ranks may use the data comes on top\n";
}

std::uint64_t collective_workload::expected_work() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : config_.bytes) sum += size * config_.repeat;
  return sum * messages_of(config_) * config_.algorithms.size();
}

HEDDLE_REGISTER_WORKLOAD(collective, {"collective", "moves and reduces tensors of all ranks",
                                      "collectives", collective_names(),
                                      [](yaml_mapping& mapping, const workload_settings& settings) {
                                        return std::make_unique<collective_workload>(
                                            read_collective(mapping, settings));
                                      }});

}  // namespace
}  // namespace heddle
