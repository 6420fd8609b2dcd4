#include "platform/run/traffic_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/run/terminal_groups.hpp"

namespace heddle {
namespace {

using group = terminal_group<traffic_terminal>;

fs_t window_of(const traffic_terminal& of, const run_extent& run) {
  const fs_t to = run.end_of_window(of.from + of.window);
  return to > of.from ? to - of.from : 0;
}

double cycles_in_window(const traffic_terminal& of, const run_extent& run) {
  return seconds(window_of(of, run)) / seconds(of.cycle);
}

// Whether packets of the second half of the window took longer than those of the first because
// queues grow: by more than one part in 200 of the time between, and by more than chance makes of
// so many packets whose latency scatters as much as its mean.
bool latency_grows(const group& of, const run_extent& run) {
  window_halves sum;
  for (const traffic_terminal* each : of.terminals)
    for (std::size_t half = 0; half < 2; ++half) {
      sum.packets[half] += each->halves->packets[half];
      sum.latency[half] += each->halves->latency[half];
    }
  if (sum.packets[0] == 0 || sum.packets[1] == 0) return false;
  const auto mean = [&](std::size_t half) {
    return sum.latency[half] / static_cast<double>(sum.packets[half]);
  };
  const double growth = mean(1) - mean(0);
  const double between = static_cast<double>(window_of(*of.terminals.front(), run)) / 2;
  const double fewest = static_cast<double>(std::min(sum.packets[0], sum.packets[1]));
  const double share = std::max(0.2, 4 * std::sqrt(2 / fewest));
  return growth > between / 200 && growth > mean(0) * share;
}

// True: all terminals measure during the same cycles.
bool has_one_window(const group& of) {
  const traffic_terminal& first = *of.terminals.front();
  return of.all_alike([&](const traffic_terminal& each) {
    return each.from == first.from && each.window == first.window && each.cycle == first.cycle;
  });
}

// Flits a cycle and terminal.
double accepted_of(const group& of, const run_extent& run) {
  const auto count = static_cast<double>(of.terminals.size());
  const traffic_terminal& first = *of.terminals.front();
  if (has_one_window(of) && window_of(first, run) > 0)
    return static_cast<double>(of.sum(&traffic_terminal::accepted)) /
           (count * cycles_in_window(first, run));
  double accepted = 0;
  for (const traffic_terminal* each : of.terminals)
    if (window_of(*each, run) > 0)
      accepted += static_cast<double>(each->accepted->raw()) / count / cycles_in_window(*each, run);
  return accepted;
}

// Of terminals that exchange traffic with each other alone: some send what others take.
bool is_saturated(const group& of, const run_extent& run) {
  if (!has_one_window(of)) return false;
  const double cycles = cycles_in_window(*of.terminals.front(), run);
  double offered = 0, offered_packets = 0;  // flits, and packets, in the window
  for (const traffic_terminal* each : of.terminals) {
    offered += each->offered * cycles;
    offered_packets += each->offered * cycles / static_cast<double>(each->packet_flits);
  }
  const auto accepted = static_cast<double>(of.sum(&traffic_terminal::accepted));
  return accepted < offered * (1 - share_by_chance(offered_packets)) || latency_grows(of, run);
}

// Means over all packets, of which there is at least one.
void add_latencies(const group& of, traffic_summary& found) {
  const auto packets = static_cast<double>(of.sum(&traffic_terminal::packets));
  const auto mean = [&](auto what) { return static_cast<double>(of.sum(what)) / packets; };
  found.latency = seconds_of(mean(&traffic_terminal::latency));
  found.network_latency = seconds_of(mean(&traffic_terminal::network_latency));
  fs_t smallest = fs_never;
  for (const traffic_terminal* each : of.terminals)
    if (each->packets->raw() > 0) smallest = std::min(smallest, each->min_network_latency->raw());
  found.min_network_latency = seconds(smallest);
  found.has_hops = of.terminals.front()->hops != nullptr;
  if (found.has_hops) found.hops = mean(&traffic_terminal::hops);
}

// `partners`: the group, and all that exchange traffic with it.
traffic_summary summary_of(const group& of, const group& partners, const run_extent& run) {
  const auto count = static_cast<double>(of.terminals.size());
  traffic_summary found;
  found.network = of.network;
  found.terminals = of.terminals.size();
  found.cycle_s = seconds(of.terminals.front()->cycle);
  for (const traffic_terminal* each : of.terminals) found.offered += each->offered / count;
  found.has_one_window = has_one_window(of);
  found.accepted = accepted_of(of, run);
  found.missing = why_nothing(run, window_of(*of.terminals.front(), run),
                              partners.sum(&traffic_terminal::packets),
                              partners.sum(&traffic_terminal::accepted));
  found.is_saturated = found.offered > 0 && found.missing.empty() && is_saturated(partners, run);
  if (of.sum(&traffic_terminal::packets) > 0) add_latencies(of, found);
  return found;
}

}  // namespace

std::vector<traffic_summary> summarize(const traffic_directory& traffic, const run_extent& run) {
  std::vector<traffic_summary> found;
  const std::vector<group> groups = by_network(traffic.terminals);
  const std::vector<group> partners = with_partners(groups);
  for (std::size_t i = 0; i < groups.size(); ++i)
    found.push_back(summary_of(groups[i], partners[i], run));
  return found;
}

std::string traffic_table(const std::vector<traffic_summary>& networks) {
  if (networks.empty()) return {};
  std::size_t width = std::string("terminals").size();
  for (const traffic_summary& each : networks) width = std::max(width, each.network.size());
  std::string text = fmt::format(
      "synthetic traffic: load in flits a terminal and cycle, latency in cycles\n"
      "{:>{}}  {:>5}  {:>7}  {:>8}  {:>12}  {:>10}  {:>8}  {:>5}\n",
      "terminals", width + 2, "", "offered", "accepted", "mean latency", "in network", "smallest",
      "hops");
  for (const traffic_summary& each : networks) {
    const auto in_cycles = [&](double s) {
      return each.latency > 0 ? fmt::format("{:.1f}", s / each.cycle_s) : std::string("-");
    };
    text += fmt::format("{:>{}}  {:>5}  {:>7.3f}  {:>8.3f}  {:>12}  {:>10}  {:>8}  {:>5}{}\n",
                        each.network, width + 2, each.terminals, each.offered, each.accepted,
                        in_cycles(each.latency), in_cycles(each.network_latency),
                        in_cycles(each.min_network_latency),
                        each.has_hops ? fmt::format("{:.2f}", each.hops) : "-",
                        !each.missing.empty()  ? "  " + each.missing
                        : !each.has_one_window ? "  windows differ"
                        : each.is_saturated    ? "  saturated"
                                               : "");
  }
  return text +
         "  mean latency: from the creation of a packet to its last flit; in network, and the "
         "smallest: without\n"
         "  the wait in its source\n";
}

}  // namespace heddle
