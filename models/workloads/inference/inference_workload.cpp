// The kind of workload that runs a language model sharded over the ranks, token by token.
#include <fmt/format.h>

#include <algorithm>

#include "models/workloads/check_firmware.hpp"
#include "models/workloads/collective/unused_keys.hpp"
#include "models/workloads/inference/inference_job.hpp"
#include "models/workloads/inference/sharded_decoder.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

class inference_workload final : public workload {
 public:
  explicit inference_workload(inference_config config) { setting_.config = std::move(config); }

  void fit(const workload_context& context) override;
  std::uint32_t jobs() const override {
    return static_cast<std::uint32_t>(config().reduce.algorithms.size() * config().steps.size());
  }
  std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) override {
    return std::make_unique<inference_job>(*context_, setting_, step_of(index), number);
  }
  std::vector<std::string> algorithms() const override { return config().reduce.algorithms; }
  std::string remark() const override;
  std::string note() const override;
  std::uint64_t operand_bytes() const override;

 private:
  const inference_config& config() const { return setting_.config; }
  inference_step step_of(std::uint32_t index) const {
    const std::size_t steps = config().steps.size();
    return {index / steps, config().steps[index % steps]};
  }
  void check_shards() const;
  void find_engines();
  void check_memories() const;
  void make_decoder();
  double compute_at(std::size_t step, double efficiency) const;

  inference_setting setting_;
  const workload_context* context_ = nullptr;
};

void inference_workload::check_shards() const {
  const std::uint64_t ranks = context_->cores.ranks.size();
  const decoder_model& model = config().model;
  const auto check = [&](std::uint64_t count, const char* what) {
    if (count % ranks != 0)
      throw user_error(config().model_place,
                       fmt::format("{} {} of {} cannot be divided evenly among {} ranks", count,
                                   what, model.name, ranks));
  };
  check(model.heads, "heads");
  check(model.kv_heads, "heads of keys and values");
  check(model.intermediate, "elements of the MLP");
}

// Rank r has the engine that its bus leads to.
void inference_workload::find_engines() {
  setting_.engines.clear();
  const auto& engines = context_->sim.service<kernel_engine_directory>().engines;
  for (const rank_core* each : context_->cores.ranks) {
    const std::vector<core_device>& devices = each->devices().all();
    const auto found = std::find_if(engines.begin(), engines.end(), [&](const kernel_engine* one) {
      return std::any_of(devices.begin(), devices.end(), [&](const core_device& device) {
        return device.registers == &one->registers();
      });
    });
    if (found == engines.end())
      throw user_error(config().place,
                       fmt::format("inference needs GPUs with a `kernel_engine`, {} has none",
                                   each->rank_path()));
    setting_.engines.push_back(*found);
  }
  setting_.rates = setting_.engines.front()->rates();
}

void inference_workload::check_memories() const {
  const memory_need need = memory_of(config().model, config().type, context_->cores.ranks.size(),
                                     config().batch, config().prefill, config().decode);
  for (const kernel_engine* each : setting_.engines) {
    if (need.all() <= each->capacity()) continue;
    throw user_error(
        config().model_place,
        fmt::format("{} does not fit: of each GPU's memory it needs {}, {} of them for weights, {} "
                    "for keys and values, and {} for activations; {} has {}",
                    config().model.name, format_bytes(need.all()), format_bytes(need.weights),
                    format_bytes(need.cache), format_bytes(need.activations), each->path(),
                    format_bytes(each->capacity())));
  }
}

// Real numbers are those of a small model: every rank's kernels are computed here.
void inference_workload::make_decoder() {
  if (!config().has_numerics) return;
  const source_place& place = config().numerics_place;
  const decoder_model& model = config().model;
  constexpr std::uint64_t most_weights = 1 << 24, most_rows = 4096;
  const std::uint64_t ranks = context_->cores.ranks.size();
  if (!context_->sim.settings().carries_data)
    throw user_error(place, "real numbers need `data: on`");
  if (config().type != weight_type::fp16)
    throw user_error(place, "real numbers are FP16: nothing here rounds to FP8");
  if (config().steps.front() != 0)
    throw user_error(place, "a token is decoded behind its prompt: `steps` needs prefill");
  if (model.layers * model.layer_weights() + 2 * model.vocabulary * model.hidden > most_weights ||
      config().batch * config().prefill > most_rows)
    throw user_error(place, fmt::format("real numbers are for models of up to {} weights and {} "
                                        "tokens: {} is larger",
                                        most_weights, most_rows, model.name));
  if (model.vocabulary % ranks != 0)
    throw user_error(place,
                     fmt::format("{} tokens of the vocabulary cannot be divided evenly among "
                                 "{} ranks",
                                 model.vocabulary, ranks));
  setting_.decoder = std::make_shared<sharded_decoder>(model, context_->sim.settings().seed, ranks,
                                                       config().batch);
}

void inference_workload::fit(const workload_context& context) {
  context_ = &context;
  const std::filesystem::path folder = context.sim.settings().folder;
  setting_.config.model = read_decoder_model(config().model_node, folder);
  check_shards();
  find_engines();
  check_firmware(context, "inference");
  check_memories();
  if (!config().kernels.empty()) {
    std::filesystem::path file = config().kernels;
    if (file.is_relative()) file = folder / file;
    setting_.measured = kernel_measurements(file);
  }
  make_decoder();
  warn_of_unused_keys(config().reduce, context);
  setting_.summary.expect(config().reduce.algorithms, config().steps.back() + 1);
  for (std::uint32_t index = 0; index < jobs(); ++index) {
    const inference_step step = step_of(index);
    if (step.number == 0 || step.number == config().decode)  // no other is larger
      inference_job(context, setting_, step, 0);
  }
}

std::string inference_workload::remark() const {
  const std::string times =
      setting_.measured.size() == 0
          ? "times of kernels by a roofline"
          : fmt::format("times of kernels measured ({} of {}), else by a roofline",
                        setting_.measured.size(), config().kernels);
  const std::string layers = config().simulates_all || setting_.decoder
                                 ? "; all layers simulated"
                                 : "; time: of the layers that were simulated, until they repeated";
  return times + layers + (config().has_numerics ? "" : "; numerics: none, so nothing to check");
}

double inference_workload::compute_at(std::size_t step, double efficiency) const {
  kernel_rates rates = setting_.rates;
  rates.efficiency = efficiency;
  decoder_kernels kernels = kernels_of(config().model, config().shape_of(step), config().type,
                                       context_->cores.ranks.size(), rates);
  setting_.measured.apply(kernels);
  const fs_t layer =
      time_of(kernels[INFERENCE_ATTENTION], rates) + time_of(kernels[INFERENCE_MLP], rates);
  return seconds(time_of(kernels[INFERENCE_BEGIN], rates) + config().model.layers * layer +
                 time_of(kernels[INFERENCE_END], rates));
}

std::string inference_workload::note() const {
  return setting_.summary.table() +
         setting_.summary.sensitivity(
             [this](std::size_t step, double efficiency) { return compute_at(step, efficiency); },
             setting_.rates.efficiency);
}

std::uint64_t inference_workload::operand_bytes() const {
  const std::uint64_t rows = config().batch * config().prefill;
  return 2 * rows * config().model.hidden * context_->cores.ranks.size();
}

HEDDLE_REGISTER_WORKLOAD(inference, {"inference",
                                     "runs a language model sharded over the ranks, token by token",
                                     "inference",
                                     {},
                                     [](yaml_mapping& mapping, const workload_settings& settings) {
                                       return std::make_unique<inference_workload>(
                                           read_inference(mapping, settings));
                                     }});

}  // namespace
}  // namespace heddle
