#include "platform/run/packet_traffic_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/run/terminal_groups.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

using group = terminal_group<packet_terminal>;

void add_latencies(const group& of, packet_traffic_summary& found) {
  const auto mean = [&](const summed_time* packet_terminal::*what) {
    return seconds_of(of.sum(what) / static_cast<double>(found.packets));
  };
  latency_histogram all;
  fs_t smallest = fs_never, smallest_in_network = fs_never, largest = 0;
  for (const packet_terminal* each : of.terminals) {
    if (each->measured->raw() == 0) continue;
    all.merge(*each->latencies);
    smallest = std::min(smallest, each->min_latency->raw());
    smallest_in_network = std::min(smallest_in_network, each->min_network_latency->raw());
    largest = std::max(largest, each->max_latency->raw());
  }
  found.latency = mean(&packet_terminal::latency);
  found.network_latency = mean(&packet_terminal::network_latency);
  found.min_network_latency = seconds(smallest_in_network);
  found.max_latency = seconds(largest);
  found.latency_50 = seconds(std::clamp(all.quantile(0.5), smallest, largest));
  found.latency_99 = seconds(std::clamp(all.quantile(0.99), smallest, largest));
}

// Bytes a second, of each terminal in its window.
double sum_of_own_rates(const group& of, const run_extent& run) {
  double sum = 0;
  for (const packet_terminal* each : of.terminals) {
    const fs_t to = run.end_of_window(each->to);
    if (to > each->from)
      sum += static_cast<double>(each->window_bytes->raw()) / seconds(to - each->from);
  }
  return sum;
}

// True: all terminals measure during the same time.
bool has_one_window(const group& of) {
  const packet_terminal& first = *of.terminals.front();
  return of.all_alike(
      [&](const packet_terminal& each) { return each.from == first.from && each.to == first.to; });
}

// Of terminals that exchange traffic with each other alone: some send what others take.
bool is_saturated(const group& of, const run_extent& run) {
  const packet_terminal& first = *of.terminals.front();
  if (!has_one_window(of)) return false;
  const double window = seconds(run.end_of_window(first.to) - first.from);
  double offered = 0, offered_packets = 0;
  for (const packet_terminal* each : of.terminals) {
    if (each->is_closed_loop) return false;
    offered += each->offered;
    offered_packets += each->offered * window / each->wire_bytes;
  }
  const double accepted = static_cast<double>(of.sum(&packet_terminal::window_bytes)) / window;
  return accepted < offered * (1 - share_by_chance(offered_packets));
}

// `partners`: the group, and all that exchange traffic with it.
packet_traffic_summary summary_of(const group& of, const group& partners, const run_extent& run) {
  const packet_terminal& first = *of.terminals.front();
  packet_traffic_summary found;
  found.network = of.network;
  found.terminals = of.terminals.size();
  found.is_closed_loop = first.is_closed_loop;
  const fs_t to = run.end_of_window(first.to);
  found.window = to > first.from ? to - first.from : 0;
  double links = 0;
  for (const packet_terminal* each : of.terminals) {
    links += each->link;
    found.offered += each->offered;
  }
  found.offered_share = found.offered / links;
  found.reordered = of.sum(&packet_terminal::reordered);
  found.packets = of.sum(&packet_terminal::measured);
  found.missing = why_nothing(run, found.window, partners.sum(&packet_terminal::measured),
                              partners.sum(&packet_terminal::window_bytes));
  if (found.window == 0) return found;
  found.has_one_window = has_one_window(of);
  found.accepted =
      static_cast<double>(of.sum(&packet_terminal::window_bytes)) / seconds(found.window);
  if (!found.has_one_window) found.accepted = sum_of_own_rates(of, run);
  found.accepted_share = found.accepted / links;
  found.is_saturated = found.offered > 0 && found.missing.empty() && is_saturated(partners, run);
  if (found.packets > 0) add_latencies(of, found);
  return found;
}

std::string in_time(double s) {
  return s > 0 ? format_seconds(s) : "-";
}

}  // namespace

std::vector<packet_traffic_summary> summarize_packets(const traffic_directory& traffic,
                                                      const run_extent& run) {
  std::vector<packet_traffic_summary> found;
  const std::vector<group> groups = by_network(traffic.packet_terminals);
  const std::vector<group> partners = with_partners(groups);
  for (std::size_t i = 0; i < groups.size(); ++i)
    found.push_back(summary_of(groups[i], partners[i], run));
  return found;
}

std::string packet_traffic_table(const std::vector<packet_traffic_summary>& networks) {
  if (networks.empty()) return {};
  std::size_t width = std::string("terminals").size();
  for (const packet_traffic_summary& each : networks) width = std::max(width, each.network.size());
  std::string text = fmt::format(
      "synthetic traffic: load of all terminals on the wire, and its share of their links\n"
      "{:>{}}  {:>5}  {:>10}  {:>7}  {:>10}  {:>7}  {:>12}  {:>9}  {:>9}  {:>9}\n",
      "terminals", width + 2, "", "offered", "", "accepted", "", "mean latency", "median",
      "99 of 100", "largest");
  for (const packet_traffic_summary& each : networks) {
    text += fmt::format(
        "{:>{}}  {:>5}  {:>10}  {:>5.1f} %  {:>10}  {:>5.1f} %  {:>12}  {:>9}  {:>9}  {:>9}{}\n",
        each.network, width + 2, each.terminals, format_bandwidth(each.offered),
        100 * each.offered_share, format_bandwidth(each.accepted), 100 * each.accepted_share,
        in_time(each.latency), in_time(each.latency_50), in_time(each.latency_99),
        in_time(each.max_latency),
        !each.missing.empty()  ? "  " + each.missing
        : !each.has_one_window ? "  windows differ"
        : each.is_saturated    ? "  saturated"
        : each.is_closed_loop  ? "  closed loop"
                               : "");
    if (each.reordered > 0)
      text += fmt::format("{:>{}}  {} arrived behind later ones\n", "", width + 2,
                          counted(each.reordered, "packet"));
  }
  return text + "  latency: from the creation of a packet to its last byte\n";
}

}  // namespace heddle
