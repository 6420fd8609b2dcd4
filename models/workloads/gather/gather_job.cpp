#include "models/workloads/gather/gather_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/workloads/gather/farthest_request.hpp"
#include "platform/services/run_control.hpp"
#include "platform/workload/boot_image.hpp"

namespace heddle {
namespace {

std::vector<result_cell> cells_of(const gather_result& figures) {
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  const auto of_received = [](double factor, const char* unit) {
    return factor > 0 ? fmt::format("{:.1f}{}", factor, unit) : "-";  // a node that received none
  };
  return {{"over SUOpt", 10, fmt::format("{:.2f} x", figures.table.speed_up)},
          {"goodput", 8, percent(figures.table.goodput)},
          {"line", 8, percent(figures.table.utilization)},
          {"traffic", 9, of_received(figures.table.traffic_reduction, " x")},
          {"left out", 8, percent(figures.filtered)},
          {"PRs", 5, of_received(figures.requests_a_packet, "")},
          {"hits", 7, percent(figures.hit_rate)},
          {"tail", 5, fmt::format("{}", figures.tail)}};
}

}  // namespace

gather_layout layout_of(const workload_context& context, const gather_case& what) {
  const rank_memory layout = memory_of(context.cores);
  return layout_of(*what.matrix, property_bytes(what.elements), layout.data, layout.alignment);
}

gather_run::gather_run(const workload_context& context, const gather_config& config,
                       const gather_system& system, const gather_case& what, std::uint32_t number)
    : context_(context),
      config_(config),
      system_(system),
      case_(what),
      number_(number),
      length_(property_bytes(what.elements)),
      layout_(layout_of(context, what)),
      image_(system, *case_.matrix, length_, layout_, context.sim.settings().seed + number,
             what.is_described) {}

gather_job gather_run::job_of(std::uint32_t node) const {
  gather_job job{};
  job.number = number_;
  job.features = case_.features | (config_.clears_inside ? GATHER_CLEAR_INSIDE : 0) |
                 (config_.caches_all ? GATHER_CACHE_ALL : 0);
  job.kernel = number_ & 0xff;
  job.nodes = case_.matrix->nodes();
  job.rows_per_node = case_.matrix->columns().rows_per_node();
  job.indices = layout_.indices;
  job.nonzeros = case_.matrix->nonzeros_of(node);
  job.properties = layout_.properties;
  job.destination = layout_.destination;
  job.length = length_;
  job.batch = config_.batch;
  job.delay = config_.delay;
  job.switch_delay = config_.switch_delay;
  job.watchdog_ns = config_.watchdog_ns;
  job.clients = config_.clients == 0 ? 0 : UINT32_MAX >> (32 - config_.clients);
  return job;
}

void gather_run::post() {
  const std::uint64_t offset = memory_of(context_.cores).job;
  const auto write = [&](rank_core& core, const gather_job& job) {
    core.debug_write(core.resources().window + offset, &job, sizeof job);
  };
  for (std::uint32_t node = 0; node < system_.nodes.size(); ++node)
    write(*system_.nodes[node].core, job_of(node));
  for (rank_core* each : context_.cores.setup) write(*each, job_of(0));
  image_.write();
  before_ = figures_of(system_);
}

// SUOpt sends each node the properties of all others.
double gather_run::everything() const {
  const auto nodes = static_cast<double>(system_.nodes.size());
  return static_cast<double>(case_.matrix->columns().rows()) * (nodes - 1) / nodes *
         static_cast<double>(length_);
}

gather_machine gather_run::machine(const gather_figures& figures) const {
  gather_machine machine = machine_of(system_, config_.clients);
  const rig& nic = *system_.nodes.front().nic;
  const concatenator_settings& together = nic.concatenation();
  const std::uint64_t room = std::min(requests_in_mtu(gather_packet::read, nic.mtu(), length_),
                                      requests_in_mtu(gather_packet::response, nic.mtu(), length_));
  // So few requests fill no packet, and each waits until its packet expires.
  if (together.is_enabled && together.pool == 0 && figures.sum().issued < room)
    machine.waits = 2 * seconds(together.delay * together.cycle);
  return machine;
}

// Since post().
gather_figures gather_run::figures() const {
  gather_figures figures = difference(figures_of(system_), before_);
  note_farthest(figures, system_, machine(figures), length_);
  figures.asked.clear();
  return figures;
}

std::string gather_run::what() const {
  return fmt::format("gather of {}, K = {}, {}", case_.matrix->name(), case_.elements,
                     name_of_features(case_.features));
}

verdict gather_run::check(const job_times& times) {
  run_control& control = context_.sim.service<run_control>();
  gather_expectation expected;
  for (std::uint32_t node = 0; node < system_.nodes.size(); ++node)
    expected.nonzeros.push_back(case_.matrix->nonzeros_of(node));
  expected.length = length_;
  expected.is_concatenated = (case_.features & GATHER_NIC_CONCAT) != 0;
  expected.is_received_concatenated = (case_.features & (GATHER_NIC_CONCAT | GATHER_SWITCH)) != 0;
  expected.seconds = seconds(times.last_end() - times.first_start());
  expected.everything = everything();
  const gather_figures done = figures();
  expected.machine = machine(done);
  const std::string broken = broken_law(done, expected);
  if (!broken.empty()) {
    control.fail(what() + ": " + broken);
    return verdict::failed;
  }
  if (!context_.sim.settings().carries_data) return verdict::not_checked;
  verdict outcome = verdict::verified;
  for (std::uint32_t node = 0; node < system_.nodes.size(); ++node) {
    const std::string mistake = image_.mistake_of(node);
    if (mistake.empty()) continue;
    outcome = verdict::failed;
    control.fail(fmt::format("{}: {}: {}", what(), system_.nodes[node].core->rank_path(), mistake));
  }
  return outcome;
}

// By node: ranks may have another order.
std::vector<double> gather_run::times_of(const workload_result& result) const {
  std::vector<double> times;
  for (const gather_node& node : system_.nodes)
    for (std::size_t rank = 0; rank < result.rank_times.size(); ++rank)
      if (context_.cores.ranks[rank] == node.core)
        times.push_back(seconds(result.rank_times[rank]));
  return times;
}

gather_result gather_run::result_at(const workload_result& result) const {
  gather_result_inputs inputs;
  inputs.figures = figures();
  inputs.seconds = seconds(result.time());
  inputs.everything = everything();
  inputs.length = length_;
  inputs.machine = machine(inputs.figures);
  inputs.is_concatenated = (case_.features & (GATHER_NIC_CONCAT | GATHER_SWITCH)) != 0;
  inputs.times = times_of(result);
  return result_of(inputs);
}

void gather_run::describe(workload_result& result) const {
  result.name = "gather";
  result.algorithm = name_of_features(case_.features);
  result.bytes = length_;
  result.work = case_.matrix->nonzeros();
  result.size = fmt::format("K = {}", case_.elements);
  result.size_phrase = result.size;
  result.size_heading = "property";
  result.subject =
      fmt::format("gather of {}, {} nodes", case_.matrix->name(), system_.nodes.size());
  // A gather of no nonzeros takes no time. Its table has the same columns, with nothing in them.
  std::optional<gather_result> figures;
  if (result.time() > 0) figures = result_at(result);
  result.cells = cells_of(figures ? *figures : gather_result());
  if (!figures)
    for (result_cell& each : result.cells) each.text = "-";
  result.describe = [figures, matrix = case_.matrix->name(), elements = case_.elements,
                     features = case_.features,
                     scale = config_.scale](nlohmann::ordered_json& row) {
    row["matrix"] = matrix;
    row["scale"] = scale;
    row["k"] = elements;
    row["features"] = name_of_features(features);
    if (figures) write_json(*figures, row);
  };
}

}  // namespace heddle
