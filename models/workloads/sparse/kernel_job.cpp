#include "models/workloads/sparse/kernel_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "models/sparse/kernel_result.hpp"
#include "models/sparse/property_values.hpp"
#include "models/sparse/software_baselines.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/quantity.hpp"
#include "transactors/gather/gather_directory.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t own_rows_seed = 0x5dd3;  // X of SDDMM has numbers of its own

// Properties that are computed when they are asked for, each once.
class computed_properties final {
 public:
  computed_properties(std::uint64_t seed, std::uint32_t elements)
      : seed_(seed), elements_(elements) {}
  const float* operator()(std::uint64_t index) {
    std::vector<float>& property = found_[index];
    if (property.empty()) {
      property.resize(elements_);
      property_values(seed_, index)
          .fill(reinterpret_cast<std::byte*>(property.data()), elements_ * sizeof(float));
    }
    return property.data();
  }

 private:
  std::uint64_t seed_;
  std::uint32_t elements_;
  std::unordered_map<std::uint64_t, std::vector<float>> found_;
};

// What the kernel adds to the row of its gather. Law: speed-up = traffic reduction x utilization.
struct kernel_figures {
  std::vector<std::pair<std::string, kernel_times>> engines;
  double gathering_imbalance = 1;
  double saopt = 0;  // s, communication alone; 0: not asked for
};

nlohmann::ordered_json json_of(const kernel_times& times, double gathered) {
  nlohmann::ordered_json of = {{"end_to_end_s", times.end_to_end},
                               {"compute_s", times.compute},
                               {"one_node_s", times.one_node},
                               {"speed_up", times.speed_up()},
                               {"speed_up_no_communication", times.one_node / times.compute},
                               {"speed_up_suopt", times.one_node / times.suopt},
                               {"of_ideal", times.compute / times.end_to_end},
                               {"communication_over_compute", gathered / times.compute},
                               {"tail", times.tail},
                               {"tail_gathered_s", times.tail_gathered}};
  if (times.saopt > 0) of["speed_up_saopt"] = times.one_node / times.saopt;
  return of;
}

void write_json(const kernel_figures& figures, nlohmann::ordered_json& row) {
  const auto gathered = row["time_s"].get<double>();
  row["kernel"] = json_of(figures.engines.front().second, gathered);
  for (const auto& [name, times] : figures.engines) row["engines"][name] = json_of(times, gathered);
  row["gathering_imbalance"] = figures.gathering_imbalance;
  if (figures.saopt == 0) return;
  row["saopt_s"] = figures.saopt;
  row["over_saopt"] = figures.saopt / gathered;
}

}  // namespace

kernel_job::kernel_job(const workload_context& context, const gather_config& gather,
                       const kernel_config& kernel, const gather_system& system,
                       const gather_case& what, std::uint32_t number)
    : context_(context),
      config_(gather),
      kernel_(kernel),
      system_(system),
      case_(what),
      layout_(layout_of(context, what)),
      seed_(context.sim.settings().seed + number),
      gather_(context, gather, system, what, number),
      ready_(system.nodes.size()) {
  for (std::uint32_t node = 0; node < ready_.size(); ++node)
    ready_[node].resize((what.matrix->nonzeros_of(node) + gather.batch - 1) / gather.batch);
  context.sim.service<gather_directory>().on_batch = [this](std::uint32_t node,
                                                            std::uint64_t indices, fs_t when) {
    note_batch(node, indices, when);
  };
}

kernel_job::~kernel_job() {
  context_.sim.service<gather_directory>().on_batch = nullptr;
}

void kernel_job::post() {
  gather_.post();
}

// A batch that failed and was gathered again counts from the last time.
void kernel_job::note_batch(std::uint32_t node, std::uint64_t indices, fs_t when) {
  const std::uint64_t lists = system_.nodes[node].core->resources().window + layout_.indices;
  const std::uint64_t batch = (indices - lists) / sizeof(column_index) / config_.batch;
  ready_[node].at(batch) = when;
}

std::string kernel_job::mistake_of(std::uint32_t node) const {
  rank_core& core = *system_.nodes[node].core;
  const std::uint64_t window = core.resources().window;
  const row_partition& owners = case_.matrix->columns();
  const std::uint64_t bytes = property_bytes(case_.elements);
  std::vector<float> property(case_.elements);
  gathered_properties of;
  of.arrived = [&, property](std::uint64_t index) mutable {
    const std::uint64_t place = owners.owner(index) == node
                                    ? layout_.properties + (index - owners.first_row(node)) * bytes
                                    : layout_.destination + index * bytes;
    core.debug_read(window + place, property.data(), bytes);
    return static_cast<const float*>(property.data());
  };
  of.owners = computed_properties(seed_, case_.elements);
  of.own_rows = computed_properties(seed_ ^ own_rows_seed, case_.elements);
  return kernel_mistake(*case_.matrix, node, kernel_.kernel, case_.elements, of);
}

verdict kernel_job::check(const job_times& times) {
  verdict outcome = gather_.check(times);
  // Described memories have compared each property as it came.
  if (outcome != verdict::verified || case_.is_described) return outcome;
  for (std::uint32_t node = 0; node < system_.nodes.size(); ++node) {
    const std::string mistake = mistake_of(node);
    if (mistake.empty()) continue;
    outcome = verdict::failed;
    context_.sim.service<run_control>().fail(fmt::format(
        "{}: {}: {}", name_of(kernel_.kernel), system_.nodes[node].core->rank_path(), mistake));
  }
  return outcome;
}

batch_seconds kernel_job::ready_since(fs_t start) const {
  batch_seconds ready(ready_.size());
  for (std::size_t node = 0; node < ready.size(); ++node)
    for (const fs_t each : ready_[node])
      ready[node].push_back(each > start ? seconds(each - start) : 0);
  return ready;
}

void kernel_job::describe(workload_result& result) const {
  gather_.describe(result);
  result.name = name_of(kernel_.kernel);
  result.subject = fmt::format("{} of {}, {} nodes, {}", result.name, case_.matrix->name(),
                               system_.nodes.size(), kernel_.engines.front().name);
  const auto add_cells = [&](std::string computed, std::string one_node, std::string ideal) {
    result.cells.push_back({"computed", 10, std::move(computed)});
    result.cells.push_back({"1 node", 9, std::move(one_node)});
    result.cells.push_back({"ideal", 9, std::move(ideal)});
  };
  if (result.time() == 0) return add_cells("-", "-", "-");
  const nonzero_source& matrix = *case_.matrix;
  const batch_seconds ready = ready_since(result.start);
  const double suopt =
      suopt_seconds(matrix.columns().rows(), matrix.nodes(), property_bytes(case_.elements));
  kernel_figures figures;
  figures.gathering_imbalance = gathering_imbalance(ready);
  std::vector<double> saopt;
  if (kernel_.compares_saopt) saopt = saopt_seconds(structure_of(matrix), kernel_.software);
  for (const double each : saopt) figures.saopt = std::max(figures.saopt, each);
  for (const compute_engine& engine : kernel_.engines)
    figures.engines.emplace_back(
        engine.name, kernel_times_of(ready,
                                     seconds_of_batches(matrix, config_.batch, case_.elements,
                                                        kernel_.kernel, engine),
                                     suopt, saopt));
  const kernel_times& times = figures.engines.front().second;
  const auto in_fs = [](double s) { return static_cast<std::uint64_t>(s * 1e15); };
  add_cells(format_duration(in_fs(times.end_to_end)), fmt::format("{:.1f} x", times.speed_up()),
            fmt::format("{:.1f} x", times.one_node / times.compute));
  result.describe = [figures, before = result.describe](nlohmann::ordered_json& row) {
    if (before) before(row);
    write_json(figures, row);
  };
}

}  // namespace heddle
