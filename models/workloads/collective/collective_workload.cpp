// The kind of workload that moves tensors between ranks: all-reduce and its relatives, barriers,
// point-to-point tests.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "models/workloads/check_firmware.hpp"
#include "models/workloads/collective/choose_algorithm.hpp"
#include "models/workloads/collective/collective_config.hpp"
#include "models/workloads/collective/collective_fit.hpp"
#include "models/workloads/collective/collective_job.hpp"
#include "models/workloads/collective/reference_table.hpp"
#include "models/workloads/collective/unused_keys.hpp"
#include "models/workloads/collective/wire_load.hpp"

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
  std::uint64_t operand_bytes() const override;

 private:
  // The files say how many bytes, where there are some.
  std::vector<std::uint64_t> sizes() const;
  void keep_each_title_once();
  bool is_ever_quantized(const std::string& asked) const;
  collective_case case_of(std::uint64_t bytes) const;

  collective_config config_;
  const workload_context* context_ = nullptr;
};

// Of a group of tiles.
std::uint64_t columns_of(const rank_groups& groups, std::uint64_t columns) {
  return groups.shape == group_shape::columns ? 1 : columns;
}

// Whether `auto` can take one of several: a point-to-point test has a single algorithm.
bool has_choice(boot_collective collective) {
  const auto& all = algorithm_registry::instance().all();
  return std::count_if(all.begin(), all.end(), [collective](const collective_algorithm& each) {
           return each.cost && each.does(collective);
         }) > 1;
}

// What the table of results calls the jobs that were asked for by that name.
std::string title_of(const std::string& asked, boot_collective collective) {
  if (asked == auto_algorithm && has_choice(collective)) return asked;
  const collective_algorithm* const behind =
      algorithm_behind(asked == auto_algorithm ? "ring" : asked, collective);
  return behind ? behind->name : asked;
}

std::vector<std::uint64_t> collective_workload::sizes() const {
  if (!config_.input.empty()) return {0};
  return config_.collective == BOOT_BARRIER ? std::vector{config_.bytes.front()} : config_.bytes;
}

collective_case collective_workload::case_of(std::uint64_t bytes) const {
  const rank_resources first = context_->cores.ranks.front()->resources();
  collective_case what;
  what.collective = config_.collective;
  what.type = config_.type;
  what.op = config_.op;
  what.groups = groups_among(config_, context_->cores);
  what.ranks = what.groups.size;
  what.columns = columns_of(what.groups, first.columns);
  what.root = config_.root;
  what.bytes = bytes;
  what.quant = config_.quant;
  what.may_quantize = config_.may_quantize;
  what.is_chained = config_.is_chained;
  what.sides = config_.sides;
  what.stripes = config_.stripes;
  what.pod = ranks_of_pods(*context_);
  what.payload_rate = payload_rate_of(context_->cores, context_->sim);
  what.has_memory_tile = first.memory != 0 && what.groups.shape == group_shape::all;
  return what;
}

void collective_workload::fit(const workload_context& context) {
  context_ = &context;
  check_ranks(config_, context.cores, context.sim);
  check_firmware(context, "collective");
  check_output(config_, context.directory);
  std::vector<std::uint64_t> all = sizes();
  if (!config_.input.empty())
    all = {elements_of_input(config_, context.cores.ranks.size()) * size_of(config_.type)};
  for (const std::uint64_t size : all)
    for (const std::string& each : config_.algorithms) {
      const collective_case what = case_of(size);
      fitting_job(config_, *choose_algorithm(each, what, config_, context.cores, context.sim).by,
                  what, context, 0);
    }
  keep_each_title_once();
  warn_of_unused_keys(config_, context);
}

// Names of algorithms that stand for the same one of this collective: what it does is run once.
void collective_workload::keep_each_title_once() {
  std::set<std::string> known;
  std::vector<std::string> kept;
  for (const std::string& each : config_.algorithms)
    if (known.insert(title_of(each, config_.collective)).second) kept.push_back(each);
  config_.algorithms = kept;
}

std::uint32_t collective_workload::jobs() const {
  return static_cast<std::uint32_t>(sizes().size() * config_.algorithms.size() * config_.repeat);
}

std::unique_ptr<workload_job> collective_workload::prepare(std::uint32_t index,
                                                           std::uint32_t number) {
  const std::size_t of_size = config_.algorithms.size() * config_.repeat;
  const std::uint64_t size = sizes()[index / of_size];
  const std::string& wanted = config_.algorithms[index % of_size / config_.repeat];
  job_inputs inputs;
  if (context_->sim.settings().carries_data || !config_.input.empty())  // files give the size
    inputs = make_inputs(config_, context_->cores.ranks.size(), size,
                         context_->sim.settings().seed + number);
  const collective_case what =
      case_of(config_.input.empty() ? size : inputs.elements * size_of(config_.type));
  chosen_algorithm chosen = choose_algorithm(wanted, what, config_, context_->cores, context_->sim);
  const bool is_chosen = wanted == auto_algorithm && has_choice(config_.collective);
  const boot_job job = fitting_job(config_, *chosen.by, what, *context_, number);
  return std::make_unique<collective_job>(*context_, config_, std::move(chosen), what, job,
                                          std::move(inputs), title_of(wanted, config_.collective),
                                          is_chosen);
}

std::vector<std::string> collective_workload::algorithms() const {
  std::vector<std::string> names;
  for (const std::string& each : config_.algorithms)
    names.push_back(title_of(each, config_.collective));
  return names;
}

// Whether what stands behind that name of an algorithm may quantize this collective.
bool collective_workload::is_ever_quantized(const std::string& asked) const {
  if (asked != auto_algorithm) {
    const collective_algorithm* const behind = algorithm_behind(asked, config_.collective);
    return behind && behind->is_quantized;
  }
  const auto& all = algorithm_registry::instance().all();
  return config_.may_quantize &&
         std::any_of(all.begin(), all.end(), [this](const collective_algorithm& each) {
           return each.is_quantized && each.does(config_.collective);
         });
}

std::string collective_workload::remark() const {
  if (std::none_of(config_.algorithms.begin(), config_.algorithms.end(),
                   [this](const std::string& each) { return is_ever_quantized(each); }))
    return {};
  return fmt::format(
      "scin_inq: {}-bit elements in blocks of {}; ranks quantize before and dequantize after the "
      "time shown",
      config_.quant.bits, config_.quant.block);
}

std::string collective_workload::note() const {
  const bool has_barrier_behind =
      context_->cores.ranks.front()->has("network_interface") && config_.collective != BOOT_BARRIER;
  if (!has_barrier_behind) return {};
  return "time: from the first rank's start mark to the last rank's end mark, when its own "
         "transfers are done or,\n"
         "  of a multicast, handed over to the network; the barrier after which all ranks may use "
         "the data comes on top\n"
         "energy: until all transfers are answered\n";
}

std::uint64_t collective_workload::expected_work() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t size : config_.bytes) sum += size * config_.repeat;
  return sum * messages_of(config_) * config_.algorithms.size();
}

std::uint64_t collective_workload::operand_bytes() const {
  const std::uint64_t ranks = context_->cores.ranks.size();
  if (!config_.input.empty())
    return elements_of_input(config_, ranks) * size_of(config_.type) * ranks;
  return *std::max_element(config_.bytes.begin(), config_.bytes.end()) * ranks;
}

HEDDLE_REGISTER_WORKLOAD(collective, {"collective",
                                      "moves and reduces tensors of all ranks",
                                      "collectives",
                                      collective_names(),
                                      [](yaml_mapping& mapping, const workload_settings& settings) {
                                        return std::make_unique<collective_workload>(
                                            read_collective(mapping, settings));
                                      },
                                      &algorithm_table,
                                      {{"bytes", "input"}}});

}  // namespace
}  // namespace heddle
