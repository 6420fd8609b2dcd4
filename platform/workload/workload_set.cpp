#include "platform/workload/workload_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/services/traffic_directory.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/workload/job_board.hpp"

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

bool are_same(const workload_cores& a, const workload_cores& b) {
  return a.ranks == b.ranks && a.setup == b.setup;
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
  if (!node.is_sequence()) {
    add(sim, node, run_directory, false);
    return;
  }
  if (node.items().empty()) throw user_error(node.place(), "expected a workload");
  for (const yaml_node& each : node.items()) add(sim, each, run_directory, node.items().size() > 1);
}

void workload_set::add(simulation& sim, const yaml_node& node, const std::string& run_directory,
                       bool is_one_of_several) {
  yaml_mapping mapping(node, "workload");
  const workload_kind& kind = workload_registry::instance().kind_of(mapping);
  workload_settings settings = read_workload_settings(mapping);
  if (settings.name.empty() && is_one_of_several)
    settings.name = fmt::format("workload[{}]", runners_.size());
  std::unique_ptr<workload> what = kind.read(mapping, settings);
  mapping.finish();
  check_name(settings);
  const workload_cores cores = choose_cores(sim, settings);
  check_cores(settings, cores);
  const std::string name =
      runners_.empty() ? "workload" : fmt::format("workload_{}", runners_.size());
  auto runner = std::make_unique<workload_runner>(
      name.c_str(), workload_context{sim, settings, cores, run_directory}, kind, std::move(what),
      numbered_);
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
    if (shared && !are_same(added.cores(), earlier->cores()))
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
