#include "models/workloads/collective/collective_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/workloads/collective/collective_bounds.hpp"
#include "models/workloads/collective/collective_fit.hpp"
#include "models/workloads/collective/make_job.hpp"
#include "models/workloads/collective/reduction_order.hpp"
#include "models/workloads/collective/signal_way.hpp"
#include "platform/services/run_control.hpp"
#include "platform/tensor/npy.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/quantity.hpp"
#include "platform/workload/boot_image.hpp"

namespace heddle {
namespace {

// No signal from one rank to another is faster; 0 where the ranks are joined by buses alone.
fs_t shortest_wire(const link_directory& net) {
  fs_t shortest = fs_never;
  for (const link_record& each : net.links) shortest = std::min(shortest, each.latency);
  return net.links.empty() ? 0 : shortest;
}

// "4 groups of ", "4 rows of "; "" where all ranks work together.
std::string groups_text(const rank_groups& groups) {
  const char* const names[] = {"", "groups", "rows", "columns"};
  if (groups.shape == group_shape::all) return {};
  return fmt::format("{} {} of ", groups.count, names[static_cast<std::size_t>(groups.shape)]);
}

// In results, behind "fallback: ".
const char* name_of_report(std::uint64_t report) {
  switch (report) {
    case BOOT_REPORT_NO_AGGREGATOR:
      return "no aggregator";
    case BOOT_REPORT_GROUPS:
      return "groups";
    case BOOT_REPORT_BUFFER:
      return "buffer";
    case BOOT_REPORT_ORDER:
      return "order of ranks";
    case BOOT_REPORT_SELF_TEST:
      return "self-test";
    case BOOT_REPORT_TIERS:
      return "several switches";
    case BOOT_REPORT_SIZE:
      return "size of the network";
    case BOOT_REPORT_WINDOW:
      return "longer than the aggregators' windows";
    default:
      return "unknown";
  }
}

}  // namespace

std::uint64_t messages_of(const collective_config& config) {
  if (config.collective == BOOT_P2P_BANDWIDTH) return config.iterations;
  return config.collective == BOOT_P2P_LATENCY ? 2 * config.iterations : 1;
}

collective_job::collective_job(const workload_context& context, const collective_config& config,
                               chosen_algorithm chosen, const collective_case& what,
                               const boot_job& job, job_inputs inputs, std::string asked,
                               bool is_chosen)
    : context_(context),
      config_(config),
      chosen_(std::move(chosen)),
      case_(what),
      job_(job),
      inputs_(std::move(inputs)),
      asked_(std::move(asked)),
      is_chosen_(is_chosen) {}

void collective_job::give_job_to(rank_core& core) const {
  const std::uint64_t at = core.resources().window + memory_of(context_.cores).job;
  core.debug_write(at, &job_, sizeof job_);
}

void collective_job::post() {
  posted_ = now_fs();
  const std::uint64_t no_report = BOOT_REPORT_OK;
  const std::uint64_t report = memory_of(context_.cores).job + BOOT_REPORT_OFFSET;
  for (rank_core* each : context_.cores.setup) {
    give_job_to(*each);
    each->debug_write(each->resources().window + report, &no_report, sizeof no_report);
  }
  note_fallback();
  for (std::size_t rank = 0; rank < context_.cores.ranks.size(); ++rank) {
    rank_core& core = *context_.cores.ranks[rank];
    give_job_to(core);
    if (!inputs_.by_rank.empty() && context_.sim.settings().carries_data)
      core.debug_write(core.resources().window + job_.data, inputs_.by_rank[rank].data(),
                       inputs_.by_rank[rank].size());
  }
}

// Where the hardware cannot do the job, the ranks get another algorithm.
void collective_job::after_set_up() {
  if (!chosen_.by->limit) return;
  for (rank_core* each : context_.cores.setup) {
    std::uint64_t report = BOOT_REPORT_OK;
    each->debug_read(each->resources().window + memory_of(context_.cores).job + BOOT_REPORT_OFFSET,
                     &report, sizeof report);
    if (report == BOOT_REPORT_OK) continue;
    chosen_ = {&software_for(case_, config_, context_.cores, context_.sim), name_of_report(report)};
    job_ = fitting_job(config_, *chosen_.by, case_, context_, job_.number);
    for (rank_core* rank : context_.cores.ranks) give_job_to(*rank);
    return note_fallback();
  }
}

void collective_job::note_fallback() const {
  if (chosen_.fallback.empty() || config_.fails_to_software) return;
  context_.sim.service<run_control>().fail(
      fmt::format("{} of {} B: the hardware leaves it to software ({}), which `fallback: error` "
                  "does not allow",
                  name_of(config_.collective), bytes(), chosen_.fallback));
}

// A rank may leave a barrier when it knows that the last one of its group has come to it.
verdict collective_job::check_order(const job_times& times) const {
  const rank_groups& groups = case_.groups;
  const fs_t wire = groups.size > 1 ? shortest_wire(context_.sim.service<link_directory>()) : 0;
  std::vector<fs_t> last(groups.count, 0);
  for (std::size_t rank = 0; rank < times.starts.size(); ++rank) {
    fs_t& of_group = last[groups.group_of(rank)];
    of_group = std::max(of_group, times.starts[rank]);
  }
  for (std::size_t rank = 0; rank < times.ends.size(); ++rank) {
    const fs_t came = last[groups.group_of(rank)];
    if (times.ends[rank] >= came + wire) continue;
    context_.sim.service<run_control>().fail(fmt::format(
        "wrong order: barrier: rank {} ({}) left it at {}, but the last rank came at "
        "{}, and no wire takes less than {}",
        rank, context_.cores.ranks[rank]->rank_path(), format_duration(times.ends[rank]),
        format_duration(came), format_duration(wire)));
    return verdict::failed;
  }
  return verdict::verified;
}

bool collective_job::is_possible(const job_times& times) const {
  const link_directory& net = context_.sim.service<link_directory>();
  const bool is_one_rank = case_.ranks < 2;
  collective_bounds bounds;
  const bool is_by_ranks = chosen_.by->is_software();
  if (!is_one_rank)
    bounds.shortest_way =
        std::max(shortest_wire(net), shortest_signal_way(context_, case_, is_by_ranks));
  bounds.ceiling_Bps = ceiling_of(*chosen_.by, case_, context_.cores, context_.sim);
  const std::string why =
      impossibility(bytes() * messages_of(config_), times.last_end() - times.first_start(), bounds);
  if (why.empty()) return true;
  context_.sim.service<run_control>().fail(fmt::format("impossible: {} of {} B by {}: {}",
                                                       name_of(config_.collective), bytes(),
                                                       chosen_.by->name, why));
  return false;
}

verdict collective_job::check(const job_times& times) {
  if (config_.collective == BOOT_BARRIER) return check_order(times);
  if (!is_possible(times)) return verdict::failed;
  if (!context_.sim.settings().carries_data) return verdict::not_checked;
  const rank_groups& groups = case_.groups;
  std::vector<collective_case> cases(groups.count, case_);
  std::vector<expectation> wanted;
  for (std::size_t group = 0; group < groups.count; ++group) {
    cases[group].order = order_of_reductions(context_, *chosen_.by, case_, job_, posted_, group);
    wanted.emplace_back(*chosen_.by, cases[group], inputs_, group);
  }
  expected_tensor expected;
  expected.what = fmt::format("{} of {} B", name_of(config_.collective), bytes());
  expected.type = config_.type;
  expected.data = job_.data;
  if (wanted.front().is_whole_sum())
    expected.reference = [&](std::size_t begin, std::size_t count, double* values) {
      wanted.front().exact_sum(begin, count, values);
    };
  expected.for_rank = [&](std::size_t rank) {
    return wanted[groups.group_of(rank)].for_rank(groups.place_of(rank));
  };
  found_ = compare_ranks(context_, expected);
  return found_.outcome;
}

void collective_job::save() {
  if (config_.output.empty() || !context_.sim.settings().carries_data) return;
  for (std::size_t rank = 0; rank < context_.cores.ranks.size(); ++rank) {
    std::string name = config_.output;
    if (const std::size_t begin = name.find("{r}"); begin != std::string::npos)
      name.replace(begin, 3, std::to_string(rank));
    npy_array array;
    array.type = config_.type;
    array.shape = inputs_.shape;
    array.data.resize(inputs_.elements * size_of(config_.type));
    rank_core& core = *context_.cores.ranks[rank];
    core.debug_read(core.resources().window + job_.data, array.data.data(), array.data.size());
    write_npy(std::filesystem::path(context_.directory) / name, array);
  }
}

// Software of one rank has nothing to send. In-network hardware takes its tensor to a switch and
// back all the same, or returns at once, too.
bool collective_job::is_at_a_rate(const workload_result& result) const {
  return case_.ranks > 1 || (!chosen_.by->is_software() && result.time() > 0);
}

void collective_job::describe(workload_result& result) const {
  const link_directory& net = context_.sim.service<link_directory>();
  const bool has_size = config_.collective != BOOT_BARRIER;
  result.name = name_of(config_.collective);
  result.algorithm = chosen_.by->name;
  if (!chosen_.fallback.empty())
    result.algorithm += fmt::format(" (fallback: {})", chosen_.fallback);
  result.is_chosen = is_chosen_;
  result.asked = asked_;
  result.bytes = bytes();
  result.work = result.bytes * messages_of(config_);
  result.subject = fmt::format("{}, {}{}{}{}", result.name, groups_text(case_.groups),
                               counted(case_.groups.size, "rank"),
                               has_size ? fmt::format(", {}", name_of(config_.type)) : "",
                               case_.adds() ? fmt::format(" {}", name_of(config_.op)) : "");
  if (has_size) result.size = result.size_phrase = format_bytes(result.bytes);
  const double algbw =
      result.time() > 0 ? static_cast<double>(result.work) / seconds(result.time()) : 0;
  const double busbw = algbw * bus_factor(config_.collective, static_cast<double>(case_.ranks));
  const double ceiling = ceiling_of(*chosen_.by, case_, context_.cores, context_.sim);
  result.of_bound = ceiling > 0 ? algbw / ceiling : 0;
  result.law = chosen_.by->law ? chosen_.by->law(case_, net) : 0;
  result.cells = {
      {"algbw", 10, has_size && is_at_a_rate(result) ? format_bandwidth(algbw) : "-"},
      {"busbw", 10, has_size && case_.ranks > 1 ? format_bandwidth(busbw) : "-"},
      {"of ceiling", 10, ceiling > 0 ? fmt::format("{:.1f} %", 100 * result.of_bound) : "-"}};
  const bool is_latency = config_.collective == BOOT_P2P_LATENCY;
  const fs_t message = result.time() / messages_of(config_);
  if (is_latency)
    result.cells.insert(result.cells.begin(), {"a message", 10, format_duration(message)});
  const std::string type(name_of(config_.type)), op(name_of(config_.op));
  result.describe = [=, groups = case_.groups.count, law = result.law, max_ulp = found_.max_ulp,
                     relative = found_.relative_error](nlohmann::ordered_json& row) {
    row["dtype"] = type;
    row["op"] = op;
    if (groups > 1) row["groups"] = groups;
    if (is_latency) row["message_s"] = seconds(message);
    row["algbw_Bps"] = algbw;
    row["busbw_Bps"] = busbw;
    row["ceiling_Bps"] = ceiling;
    row["law_s"] = law;
    row["max_ulp"] = max_ulp;
    row["relative_error"] = relative;
  };
}

}  // namespace heddle
