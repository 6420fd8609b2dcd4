// The kind of workload that runs mixture-of-experts layers.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "models/inc/dynamic/dynamic_multimem.hpp"
#include "models/workloads/check_firmware.hpp"
#include "models/workloads/moe/moe_job.hpp"
#include "models/workloads/moe/routing_file.hpp"
#include "platform/services/system_findings.hpp"

namespace heddle {
namespace {

class moe_workload final : public workload {
 public:
  explicit moe_workload(moe_config config) { setting_.config = std::move(config); }

  void fit(const workload_context& context) override;
  std::uint32_t jobs() const override {
    return static_cast<std::uint32_t>(config().schedules.size()) * config().repeat;
  }
  std::unique_ptr<workload_job> prepare(std::uint32_t index, std::uint32_t number) override {
    return std::make_unique<moe_job>(*context_, setting_,
                                     *config().schedules[index / config().repeat], number);
  }
  std::vector<std::string> algorithms() const override;
  std::string remark() const override;
  std::string note() const override;
  std::uint64_t operand_bytes() const override;
  std::uint64_t expected_work() const override {
    return jobs() * config().shape.vector_bytes() * config().shape.tokens;
  }

 private:
  const moe_config& config() const { return setting_.config; }
  void check_shape();
  void find_hubs();
  void check_sms() const;
  void warn_of_software_sms() const;
  void check_blocks() const;
  void find_packets(const packet_format& made);
  void find_switches();
  expert_routing routing() const;

  moe_setting setting_;
  const workload_context* context_ = nullptr;
};

void moe_workload::check_shape() {
  moe_shape& shape = setting_.config.shape;
  shape.gpus = static_cast<std::uint32_t>(context_->cores.ranks.size());
  if (shape.gpus < 2)
    throw user_error(config().place, "a mixture of experts needs two GPUs or more");
  if (shape.experts % shape.gpus != 0)
    throw user_error(config().shape_place,
                     fmt::format("{} experts cannot be divided evenly among {} GPUs", shape.experts,
                                 shape.gpus));
  if (shape.topk > shape.experts)
    throw user_error(config().shape_place,
                     fmt::format("topk {} of {} experts", shape.topk, shape.experts));
  if (shape.dispatches_fp8 && context_->sim.settings().carries_data)
    throw user_error(config().dtype_place,
                     "vectors of fp8 are not computed: only their bytes travel, with `data: off`");
  constexpr std::uint32_t most_tokens = 65536;
  if (shape.tokens > most_tokens / parts_of(config().pass))
    throw user_error(config().tokens_place,
                     fmt::format("{} tokens in each of {} passes: a GPU takes {} in all",
                                 shape.tokens, parts_of(config().pass), most_tokens));
  for (const moe_schedule* each : config().schedules)
    if (shape.tokens % each->chunks != 0)
      throw user_error(config().tokens_place,
                       fmt::format("{} divides the tokens into {} chunks: {} tokens cannot be",
                                   each->name, each->chunks, shape.tokens));
}

// Rank r is the GPU whose window is the r-th of all: hubs and switches number tokens and experts by
// windows.
void moe_workload::find_hubs() {
  setting_.hubs.clear();
  const auto& hubs = context_->sim.service<token_hub_directory>().hubs;
  for (const rank_core* each : context_->cores.ranks) {
    const auto found = std::find_if(hubs.begin(), hubs.end(), [&](const token_hub* hub) {
      return hub->base() == each->resources().window;
    });
    if (!each->has("token_hub") || found == hubs.end())
      throw user_error(
          config().place,
          fmt::format("moe_layer needs GPUs with a `token_hub`, {} has none", each->rank_path()));
    const auto rank = static_cast<std::uint32_t>(setting_.hubs.size());
    if (const std::uint64_t base = (*found)->base_of(rank); base != (*found)->base())
      throw user_error(
          context_->settings.ranks_place,
          fmt::format("rank {} of a moe_layer has its memory at {:#x}, where that of {} is at "
                      "{:#x}: name all GPUs from the first one on, in the order of their memories",
                      rank, base, each->rank_path(), (*found)->base()));
    setting_.hubs.push_back(*found);
  }
}

// Schedules by multicast leave `software_sms` to others.
void moe_workload::warn_of_software_sms() const {
  const auto& schedules = config().schedules;
  const bool is_used =
      std::any_of(schedules.begin(), schedules.end(), [](const moe_schedule* each) {
        return each->traffic == moe_traffic::copies && each->keeps_sms;
      });
  if (is_used || config().software_sms == moe_config().software_sms) return;
  context_->sim.service<system_findings>().warnings.emplace_back(
      "`software_sms` has no effect: no schedule sends copies by SMs");
}

// A layer on more SMs than the hub has would exceed the peak of its GPU.
void moe_workload::check_sms() const {
  const std::uint32_t used = std::accumulate(config().sms.begin(), config().sms.end(), 0U);
  const std::vector<rank_core*>& ranks = context_->cores.ranks;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    if (used > setting_.hubs[rank]->sms())
      throw user_error(config().sms_place,
                       fmt::format("`sms` are {} in all, the hub beside {} has {}", used,
                                   ranks[rank]->rank_path(), setting_.hubs[rank]->sms()));
  for (const moe_schedule* each : config().schedules)
    if (each->traffic == moe_traffic::copies && each->keeps_sms && config().software_sms >= used)
      throw user_error(config().sms_place,
                       fmt::format("{}: sending copies keeps {} SMs busy (`software_sms`), which "
                                   "leaves GEMMs none of {} (`sms`)",
                                   each->name, config().software_sms, used));
}

// Firmware has room for the counts of so many blocks.
void moe_workload::check_blocks() const {
  for (const moe_schedule* each : config().schedules) {
    const std::uint32_t blocks = each->chunks * config().shape.experts_per_gpu();
    if (each->traffic == moe_traffic::multicast && blocks > TOKEN_MOST_BLOCKS)
      throw user_error(config().shape_place,
                       fmt::format("{}: {} experts on a GPU in {} chunks are {} blocks, {} at most",
                                   each->name, config().shape.experts_per_gpu(), each->chunks,
                                   blocks, static_cast<int>(TOKEN_MOST_BLOCKS)));
  }
}

void moe_workload::find_packets(const packet_format& made) {
  setting_.smallest_header = std::min(setting_.smallest_header, made.header);
  setting_.largest_mtu = std::max(setting_.largest_mtu, made.mtu);
}

void moe_workload::find_switches() {
  setting_.range = 0;
  setting_.smallest_header = UINT32_MAX;
  setting_.largest_mtu = 0;
  for (const token_hub* each : setting_.hubs) find_packets(each->format());
  for (const unit* each : context_->sim.units()) {
    const auto* device = dynamic_cast<const dynamic_multimem*>(each);
    if (!device) continue;
    if (device->experts_per_gpu() != config().shape.experts_per_gpu())
      throw user_error(
          config().shape_place,
          fmt::format("{} sends {} experts to each GPU, the layer has {} on each", device->path(),
                      device->experts_per_gpu(), config().shape.experts_per_gpu()));
    if (device->gpus() < config().shape.gpus)
      throw user_error(config().place,
                       fmt::format("{} has `members: {}`, the layer has {} GPUs", device->path(),
                                   device->gpus(), config().shape.gpus));
    setting_.range = device->base();
    find_packets(device->format());
  }
  constexpr std::uint32_t most_gpus = 64;  // of an object of dynamic addresses: a bit each
  for (const moe_schedule* each : config().schedules)
    if (each->traffic == moe_traffic::multicast && config().shape.gpus > most_gpus)
      throw user_error(config().place, fmt::format("{}: {} GPUs at most, not {}", each->name,
                                                   most_gpus, config().shape.gpus));
  const bool is_needed =
      std::any_of(config().schedules.begin(), config().schedules.end(),
                  [](const moe_schedule* each) { return each->traffic != moe_traffic::copies; });
  if (is_needed && setting_.range == 0)
    throw user_error(config().place,
                     "no switch has a `dynamic_multimem`: only schedules that send copies run");
}

// Drawn, or read from a file.
expert_routing moe_workload::routing() const {
  const simulation_settings& run = context_->sim.settings();
  const moe_shape& shape = config().shape;
  if (config().routing_file.empty())
    return draw_routing(shape, expert_weights(config().routing, shape.experts, run.seed), run.seed);
  std::filesystem::path file = config().routing_file;
  if (file.is_relative()) file = run.folder / file;
  return read_routing(file, shape);
}

void moe_workload::fit(const workload_context& context) {
  context_ = &context;
  check_shape();
  check_blocks();
  find_hubs();
  check_firmware(context, "moe_layer");
  check_sms();
  warn_of_software_sms();
  find_switches();
  setting_.routing = routing();
  setting_.figures = figures_of(setting_.routing, config().shape);
  for (const moe_schedule* each : config().schedules) moe_job(context, setting_, *each, 0);
}

std::vector<std::string> moe_workload::algorithms() const {
  std::vector<std::string> names;
  for (const moe_schedule* each : config().schedules)
    if (std::find(names.begin(), names.end(), each->name) == names.end())
      names.push_back(each->name);
  return names;
}

std::string moe_workload::remark() const {
  const routing_figures& of = setting_.figures;
  return fmt::format(
      "a token has experts on {:.2f} other GPUs; the fullest expert has {:.2f} x, the "
      "fullest GPU {:.2f} x of the mean",
      of.distinct_gpus, of.expert_imbalance, of.gpu_imbalance);
}

std::string moe_workload::note() const {
  std::string text =
      "vectors: on the links, for each token, both directions of dispatch and combine together\n";
  if (parts_of(config().pass) > 1)
    text += "tokens: of each GPU, those of the forward and of the backward pass together\n";
  return text;
}

std::uint64_t moe_workload::operand_bytes() const {
  const moe_shape& shape = config().shape;
  const std::uint64_t vectors = std::uint64_t{shape.gpus} * shape.tokens * (2 + 2ULL * shape.topk);
  return vectors * shape.vector_bytes();
}

std::string reference() {
  std::string text = "| schedule | what |\n| --- | --- |\n";
  for (const moe_schedule& each : moe_schedules())
    text += fmt::format("| `{}` | {} |\n", each.name, each.meaning);
  return text;
}

HEDDLE_REGISTER_WORKLOAD(moe, {"moe_layer",
                               "dispatches tokens to experts on other GPUs and combines what they "
                               "return",
                               "moe_layers",
                               {},
                               [](yaml_mapping& mapping, const workload_settings& settings) {
                                 return std::make_unique<moe_workload>(read_moe(mapping, settings));
                               },
                               &reference});

}  // namespace
}  // namespace heddle
