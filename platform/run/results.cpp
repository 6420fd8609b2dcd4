#include "platform/run/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "platform/netlist/effective.hpp"
#include "platform/poll/poll_ledger.hpp"
#include "platform/run/comparison.hpp"
#include "platform/run/json_stream.hpp"
#include "platform/services/extra_results.hpp"
#include "platform/services/latency_book.hpp"
#include "platform/services/link_directory.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

json as_json(const breakdown& path) {
  json parts = json::object();
  for (std::size_t i = 0; i < category_count; ++i)
    parts[name_of(static_cast<category>(i))] = seconds(path.parts[i]);
  return parts;
}

json as_json(const energy_shares& energy) {
  json parts = json::object();
  for (const energy_share& each : energy)
    parts[each.primitive] = {
        {"count", each.count}, {"unit", unit_symbol(each.what)}, {"energy_J", each.joules}};
  parts["total_J"] = total_joules(energy);
  return parts;
}

json as_json(const workload_result& r) {
  json row;
  if (!r.workload.empty()) row["workload"] = r.workload;
  row["name"] = r.name;
  row["algorithm"] = r.algorithm;
  if (r.is_chosen) row["chosen_by"] = "auto";
  row["ranks"] = r.ranks;
  row["bytes"] = r.bytes;
  if (r.size != format_bytes(r.bytes)) {  // in words of the kind, or none
    row["size"] = r.size.empty() ? "-" : r.size;
    row["size_heading"] = r.size_heading;
  }
  row["start_s"] = seconds(r.start);
  row["end_s"] = seconds(r.end);
  row["time_s"] = seconds(r.time());
  row["rank_time_s"] = json::array();
  for (const fs_t each : r.rank_times) row["rank_time_s"].push_back(seconds(each));
  row["hardware_s"] = seconds(r.hardware_time);
  row["synchronization_s"] = r.hardware_time > 0 ? seconds(r.time() - r.hardware_time) : 0;
  row["wire_bytes"] = r.wire_bytes;
  if (!r.shared_with.empty()) row["shared_with"] = r.shared_with;
  row["checked"] = r.outcome != verdict::not_checked;
  row["verified"] = r.outcome == verdict::verified;
  row["verdict"] = name_of(r.outcome);
  if (r.describe) r.describe(row);
  if (!r.energy.empty()) row["energy"] = as_json(r.energy);
  if (r.path) row["breakdown"] = as_json(*r.path);
  return row;
}

json as_json(const std::vector<traffic_summary>& networks) {
  json all = json::array();
  for (const traffic_summary& each : networks) {
    json one = {{"network", each.network},
                {"terminals", each.terminals},
                {"offered_flits_per_cycle", each.offered},
                {"accepted_flits_per_cycle", each.accepted},
                {"cycle_s", each.cycle_s},
                {"latency_s", each.latency},
                {"network_latency_s", each.network_latency},
                {"min_network_latency_s", each.min_network_latency},
                {"saturated", each.is_saturated}};
    if (each.has_hops) one["hops"] = each.hops;
    all.push_back(one);
  }
  return all;
}

json as_json(const std::vector<packet_traffic_summary>& networks) {
  json all = json::array();
  for (const packet_traffic_summary& each : networks)
    all.push_back({{"network", each.network},
                   {"terminals", each.terminals},
                   {"offered_Bps", each.offered},
                   {"accepted_Bps", each.accepted},
                   {"offered_share", each.offered_share},
                   {"accepted_share", each.accepted_share},
                   {"window_s", seconds(each.window)},
                   {"packets", each.packets},
                   {"reordered", each.reordered},
                   {"latency_s", each.latency},
                   {"latency_50_s", each.latency_50},
                   {"latency_99_s", each.latency_99},
                   {"max_latency_s", each.max_latency},
                   {"network_latency_s", each.network_latency},
                   {"min_network_latency_s", each.min_network_latency},
                   {"closed_loop", each.is_closed_loop},
                   {"saturated", each.is_saturated}});
  return all;
}

json latencies_of(const latency_book& book) {
  json all = json::object();
  for (const auto& [what, each] : book.all)
    if (each.count() > 0)
      all[what] = {{"count", each.count()},
                   {"min_s", seconds(each.least())},
                   {"p50_s", seconds(each.percentile(0.5))},
                   {"p90_s", seconds(each.percentile(0.9))},
                   {"p99_s", seconds(each.percentile(0.99))},
                   {"max_s", seconds(each.most())},
                   {"mean_s", each.mean() / static_cast<double>(fs_per_s)}};
  return all;
}

// Shares of the last collective, or of the run, in which wires, memories and engines worked.
void write_busy(json_stream& stats, const std::vector<busy_share>& shares) {
  stats.begin("busy");
  for (const busy_share& each : shares)
    if (each.share > 0) stats.member(each.name, each.share);
  stats.end();
}

json as_json(const statistic_set& counters) {
  json counted = json::object();
  for (const statistic* s : counters.all())
    counted[s->name()] = {{"value", s->is_time() ? json(s->si()) : json(s->raw())},
                          {"unit", unit_symbol(s->what())}};
  return counted;
}

// What units counted and what their operations cost.
void write_units(json_stream& stats, simulation& sim) {
  sim.service<sleeping_polls>().count();
  std::vector<std::string> with_energy;  // by path, as entered
  std::unordered_map<std::string, double> joules;
  for (const energy_entry& each : sim.service<energy_book>().entries()) {
    if (joules.count(each.unit) == 0) with_energy.push_back(each.unit);
    joules[each.unit] += each.joules();
  }
  const auto write = [&](const std::string& path, json counted) {
    const auto of_it = joules.find(path);
    if (of_it != joules.end()) counted["energy"] = {{"value", of_it->second}, {"unit", "J"}};
    stats.member(path, counted);
  };
  std::unordered_set<std::string> written;
  stats.begin("units");
  for (const unit* each : sim.units()) {
    if (!each->statistics()) continue;
    write(each->path(), as_json(*each->statistics()));
    if (!joules.empty()) written.insert(each->path());
  }
  for (const std::string& each : with_energy)
    if (written.count(each) == 0) write(each, json::object());
  stats.end();
}

void write_links(output_file& file, simulation& sim, double run_s) {
  file.write(
      "from,to,bandwidth_Bps,latency_s,packets,wire_bytes,payload_bytes,busy_s,utilization,"
      "credit_stalls,buffer_bytes\n");
  for (const link_record& each : sim.service<link_directory>().links) {
    const link_figures of = each.figures();
    const double busy_s = seconds(of.busy);
    file.write(fmt::format("{},{},{},{},{},{},{},{},{:.6f},{},{}\n", each.from->path(),
                           each.to->path(), each.bytes_per_second, seconds(each.latency),
                           of.packets, of.bytes, of.payload, busy_s, run_s > 0 ? busy_s / run_s : 0,
                           of.credit_stalls, each.buffer_bytes));
  }
}

void write_extra_results(simulation& sim, const run_report& report, const std::string& netlist) {
  const auto write = [&](const extra_result_context& run) {
    for (const auto& each : sim.service<extra_results>().writers) each(run);
  };
  if (report.loads.empty()) return write({report.directory, netlist, report.busiest, ""});
  for (const algorithm_load& each : report.loads) {
    const workload_result& last = report.results[each.result];
    write({report.directory,
           fmt::format("{}: {} by {}{}", netlist, last.name, last.algorithm, behind_name(last)),
           each.shares, report.loads.size() > 1 ? "_" + last.algorithm : ""});
  }
}

void write_statistics(output_file& file, const netlist_plan& plan, simulation& sim,
                      const run_report& report) {
  json stats;
  stats["netlist"] = plan.name;
  stats["seed"] = plan.settings.seed;
  stats["train"] = plan.settings.train;
  stats["simulated_s"] = report.simulated_s;
  stats["exit"] = report.exit_code;
  stats["collectives"] = json::array();  // also where there are none
  for (const workload_result& each : report.results) stats[each.array].push_back(as_json(each));
  if (!report.traffic.empty()) stats["traffic"] = as_json(report.traffic);
  if (!report.packet_traffic.empty()) stats["packet_traffic"] = as_json(report.packet_traffic);
  if (!report.failures.empty()) stats["failures"] = report.failures;
  if (!report.waiting.empty()) stats["waiting"] = report.waiting;
  if (report.failures.empty()) stats["bottleneck"] = report.bottleneck;
  json_stream stream(file);
  for (const auto& [key, value] : stats.items()) stream.member(key, value);
  write_busy(stream, report.busiest);
  stream.member("latency", latencies_of(sim.service<latency_book>()));
  write_units(stream, sim);
  stream.end();
  file.write("\n");
}

// In the order of the netlist.
std::vector<std::vector<workload_result>> by_workload(const std::vector<workload_result>& all) {
  std::vector<std::vector<workload_result>> groups;
  for (const workload_result& each : all) {
    if (groups.empty() || groups.back().front().workload != each.workload) groups.emplace_back();
    groups.back().push_back(each);
  }
  return groups;
}

// Of each workload, below its name where there are several.
std::string longest_of_each(const std::vector<workload_result>& results) {
  std::string text;
  for (const std::vector<workload_result>& each : by_workload(results)) {
    const std::string spans = longest_spans(each);
    if (!each.front().workload.empty() && !spans.empty()) text += each.front().workload + ":\n";
    text += spans;
  }
  return text;
}

}  // namespace

void write_text(const std::string& path, const std::string& text) {
  output_file file(path);
  file.write(text);
  file.commit();
}

std::string findings(const run_report& report, std::size_t most_waiting) {
  std::string text;
  for (const std::string& each : report.failures) text += "failed: " + each + "\n";
  const std::size_t shown = std::min(report.waiting.size(), most_waiting);
  for (std::size_t i = 0; i < shown; ++i) text += "  " + report.waiting[i] + "\n";
  if (shown < report.waiting.size())
    text += fmt::format("  and {} more wait: summary.txt of the run has them\n",
                        report.waiting.size() - shown);
  if (!report.violations.empty()) text += report.violations + "\n";
  const std::string traffic =
      traffic_table(report.traffic) + packet_traffic_table(report.packet_traffic);
  if (report.is_cut_short) text += traffic;
  if (!report.failures.empty() || !report.registers.empty()) return text;
  text += report.note;
  for (const std::string& each : report.remarks) text += each + "\n";
  for (const std::vector<workload_result>& each : by_workload(report.results)) {
    const std::string lines =
        law_line(each) + speed_up_table(each) + breakdown_table(each) + energy_table(each);
    if (!each.front().workload.empty() && !lines.empty()) text += each.front().workload + ":\n";
    text += lines;
  }
  text += traffic;
  constexpr std::size_t most_shown = 4;
  if (report.results.size() > 1) {
    const workload_result& last = report.results[report.last];
    text += fmt::format("busiest during the last {}{}{}:\n", last.name,
                        report.loads.size() > 1 ? " by " + last.label() : "", behind_name(last));
  } else {
    text += "busiest:\n";
  }
  for (std::size_t i = 0; i < std::min(most_shown, report.busiest.size()); ++i)
    if (report.busiest[i].share > 0)
      text +=
          fmt::format("  {:5.1f} %  {}\n", 100 * report.busiest[i].share, report.busiest[i].name);
  return text + report.bottleneck + "\n";
}

void write_results(const netlist_plan& plan, simulation& sim, const run_report& report,
                   const std::string& table) {
  const std::string base = report.directory + "/";
  output_file statistics(base + "stats.json"), links(base + "links.csv"),
      configuration(base + "config.yaml"), summary(base + "summary.txt");
  write_statistics(statistics, plan, sim, report);
  write_links(links, sim, report.simulated_s);
  write_effective_configuration(plan,
                                [&](const std::string& piece) { configuration.write(piece); });
  summary.write(table + (table.empty() ? "" : "\n") + findings(report));
  if (report.failures.empty()) summary.write(longest_of_each(report.results));
  if (!report.registers.empty()) summary.write("registers: " + report.registers + "\n");
  for (const std::string& each : report.refusals) summary.write(each + "\n");
  write_extra_results(sim, report, plan.name);
  // All files are on the disk before the first of them replaces that of an earlier run.
  for (output_file* each : {&statistics, &links, &configuration, &summary}) each->complete();
  for (output_file* each : {&statistics, &links, &configuration, &summary}) each->commit();
}

}  // namespace heddle
