#include "platform/workload/workload_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/traffic_directory.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/workload/job_board.hpp"
#include "platform/workload/tenancy.hpp"

namespace heddle {
namespace {

bool matches_any(const std::string& glob, const std::vector<std::string>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const std::string& path) { return glob_match(glob, path); });
}

// A glob names cores, or units that hold them: gpu[0..3] stands for gpu[0..3].*.
std::vector<std::string> globs_of_cores(const workload_settings& settings,
                                        const std::vector<std::string>& paths) {
  std::vector<std::string> globs;
  for (const std::string& glob : settings.ranks) {
    globs.push_back(matches_any(glob, paths) ? glob : glob + ".*");
    if (!matches_any(globs.back(), paths))
      throw user_error(
          settings.ranks_place,
          fmt::format("no core with firmware matches '{}'{}", glob,
                      settings.ranks.size() == 1 ? ": the workload has no ranks" : ""));
  }
  return globs;
}

// Ranks are numbered in the order of the globs.
workload_cores choose_cores(simulation& sim, const workload_settings& settings) {
  workload_cores chosen;
  std::vector<rank_core*> others;
  std::vector<std::string> paths;
  for (rank_core* core : sim.service<rank_directory>().cores) {
    if (!settings.setup.empty() && glob_match(settings.setup, core->rank_path())) {
      chosen.setup.push_back(core);
    } else {
      others.push_back(core);
      paths.push_back(core->rank_path());
    }
  }
  for (const std::size_t each : select_in_order(globs_of_cores(settings, paths), paths))
    chosen.ranks.push_back(others[each]);
  return chosen;
}

void check_cores(const workload_settings& settings, const workload_cores& cores) {
  if (!settings.setup.empty() && cores.setup.empty())
    throw user_error(settings.setup_place,
                     "no core with firmware matches '" + settings.setup + "'");
}

// nullptr where they have none in common.
const rank_core* common_core(const workload_cores& a, const workload_cores& b) {
  for (const auto* mine : {&a.ranks, &a.setup})
    for (const auto* other : {&b.ranks, &b.setup})
      for (const rank_core* each : *mine)
        if (std::find(other->begin(), other->end(), each) != other->end()) return each;
  return nullptr;
}

// Wires and energy are counted for the whole system.
void note_sharing(std::vector<workload_result>& results, const traffic_directory& traffic) {
  const bool has_traffic = !traffic.terminals.empty() || !traffic.packet_terminals.empty();
  for (workload_result& each : results) {
    std::vector<std::string>& others = each.shared_with;
    for (const workload_result& other : results) {
      const bool is_at_once = other.start < each.end && each.start < other.end;
      const bool is_known = std::find(others.begin(), others.end(), other.workload) != others.end();
      if (is_at_once && !is_known && other.workload != each.workload)
        others.push_back(other.workload);
    }
    if (has_traffic) others.emplace_back("synthetic traffic");
  }
}

}  // namespace

workload_set::workload_set(simulation& sim, const yaml_node& node, const std::string& run_directory)
    : sim_(sim) {
  std::vector<reading> all;
  if (!node.is_sequence()) {
    all.push_back(read(node, ""));
  } else {
    const std::size_t count = node.items().size();
    if (count == 0) throw user_error(node.place(), "expected a workload");
    for (const yaml_node& each : node.items())
      all.push_back(read(each, count > 1 ? fmt::format("workload[{}]", all.size()) : ""));
  }
  std::vector<workload_cores> cores;
  for (const reading& each : all) cores.push_back(each.cores);
  const std::vector<tenancy> tenants = tenancies_of(cores, sim.service<tenant_directory>());
  for (std::size_t i = 0; i < all.size(); ++i) add(std::move(all[i]), tenants[i], run_directory);
}

workload_set::reading workload_set::read(const yaml_node& node,
                                         const std::string& default_name) const {
  yaml_mapping mapping(node, "workload");
  const workload_kind& kind = workload_registry::instance().kind_of(mapping);
  workload_settings settings = read_workload_settings(mapping);
  if (settings.name.empty()) settings.name = default_name;
  std::unique_ptr<workload> what = kind.read(mapping, settings);
  mapping.finish();
  workload_cores cores = choose_cores(sim_, settings);
  check_cores(settings, cores);
  return {kind, std::move(settings), std::move(what), std::move(cores)};
}

void workload_set::add(reading said, const tenancy& tenant, const std::string& run_directory) {
  check_name(said.settings);
  check_tenancy(said.settings, said.cores, tenant, sim_.service<tenant_directory>());
  const std::string name =
      runners_.empty() ? "workload" : fmt::format("workload_{}", runners_.size());
  auto runner = std::make_unique<workload_runner>(
      name.c_str(),
      workload_context{sim_, std::move(said.settings), std::move(said.cores), run_directory,
                       tenant},
      said.kind, std::move(said.what), numbered_);
  order(*runner);
  numbered_ += runner->what().jobs();
  runner->on_finished = [this] { finish(); };
  runners_.push_back(std::move(runner));
}

// Called before the workload is made, because traces know it by its name.
void workload_set::check_name(const workload_settings& added) const {
  for (const auto& each : runners_)
    if (!added.name.empty() && added.name == each->settings().name)
      throw user_error(added.name_place, "two workloads are called " + added.name);
}

void workload_set::order(workload_runner& added) const {
  const workload_settings& own = added.settings();
  std::vector<std::string> names;
  bool is_found = own.after.empty();
  for (const auto& earlier : runners_) {
    const workload_settings& other = earlier->settings();
    names.push_back(other.name);
    const bool is_named = !own.after.empty() && own.after == other.name;
    is_found = is_found || is_named;
    const rank_core* const shared = common_core(added.cores(), earlier->cores());
    if (shared && !have_same_cores(added.cores(), earlier->cores()))
      throw user_error(
          own.ranks_place,
          fmt::format("{} takes part in two workloads with different ranks, and its firmware knows "
                      "one group: give both the same `ranks` and `setup`, or no core in common",
                      shared->rank_path()));
    if (shared && (own.channels != other.channels || own.ring_entries != other.ring_entries ||
                   own.timeout_ns != other.timeout_ns))
      throw user_error(
          own.place,
          "workloads with the same ranks have the same `channels`, `ring_entries` and `timeout`");
    if (shared || is_named) added.follow(*earlier);
  }
  if (!is_found)
    throw user_error(own.after_place, fmt::format("no workload above is called '{}'{}", own.after,
                                                  did_you_mean(own.after, names)));
}

// Cores whose workload is done wait with the others: the run ends as a whole.
void workload_set::finish() {
  if (++finished_ == runners_.size()) sim_.service<job_board>().close();
}

std::size_t workload_set::jobs() const {
  std::size_t sum = 0;
  for (const auto& each : runners_) sum += each->what().jobs();
  return sum;
}

std::size_t workload_set::done() const {
  std::size_t sum = 0;
  for (const auto& each : runners_) sum += each->results().size();
  return sum;
}

std::vector<workload_result> workload_set::results() const {
  std::vector<workload_result> all;
  for (const auto& each : runners_)
    all.insert(all.end(), each->results().begin(), each->results().end());
  note_sharing(all, sim_.service<traffic_directory>());
  return all;
}

std::uint64_t workload_set::expected_work() const {
  std::uint64_t sum = 0;
  for (const auto& each : runners_) {
    const std::uint64_t work = each->what().expected_work();
    if (work == 0) return 0;
    sum += work;
  }
  return sum;
}

std::string workload_set::note() const {
  std::string text;
  for (const auto& each : runners_)
    if (const std::string note = each->what().note(); text.find(note) == std::string::npos)
      text += note;
  return text;
}

}  // namespace heddle
