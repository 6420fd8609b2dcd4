#include "platform/run/traffic_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace heddle {
namespace {

using terminal_list = std::vector<const traffic_terminal*>;

std::uint64_t sum(const terminal_list& terminals, const statistic* traffic_terminal::*what) {
  std::uint64_t total = 0;
  for (const traffic_terminal* each : terminals) total += (each->*what)->raw();
  return total;
}

traffic_summary summary_of(const std::string& network, const terminal_list& terminals) {
  const traffic_terminal& first = *terminals.front();
  const auto count = static_cast<double>(terminals.size());
  const double cycles = seconds(first.window) / seconds(first.cycle);
  traffic_summary found;
  found.network = network;
  found.terminals = terminals.size();
  found.cycle_s = seconds(first.cycle);
  for (const traffic_terminal* each : terminals) found.offered += each->offered / count;
  found.accepted =
      static_cast<double>(sum(terminals, &traffic_terminal::accepted)) / (count * cycles);
  const double offered_packets =
      found.offered * count * cycles / static_cast<double>(first.packet_flits);
  found.is_saturated = found.accepted < found.offered * (1 - share_by_chance(offered_packets));
  const std::uint64_t packets = sum(terminals, &traffic_terminal::packets);
  if (packets == 0) return found;
  const auto mean = [&](const statistic* traffic_terminal::*what) {
    return static_cast<double>(sum(terminals, what)) / static_cast<double>(packets);
  };
  found.latency = mean(&traffic_terminal::latency) * seconds(1);
  found.network_latency = mean(&traffic_terminal::network_latency) * seconds(1);
  fs_t smallest = fs_never;
  for (const traffic_terminal* each : terminals)
    if (each->packets->raw() > 0) smallest = std::min(smallest, each->min_network_latency->raw());
  found.min_network_latency = seconds(smallest);
  found.has_hops = first.hops != nullptr;
  if (found.has_hops) found.hops = mean(&traffic_terminal::hops);
  return found;
}

}  // namespace

std::string network_of(const std::string& unit) {
  static const std::regex index("\\[[0-9]+\\]");
  return std::regex_replace(unit, index, "[*]");
}

double share_by_chance(double packets) {
  constexpr double deviations = 4, least = 0.02;
  return packets > 0 ? std::max(least, deviations / std::sqrt(packets)) : 1;
}

std::vector<traffic_summary> summarize(const traffic_directory& traffic) {
  std::vector<std::pair<std::string, terminal_list>> networks;
  for (const traffic_terminal& each : traffic.terminals) {
    const std::string name = network_of(each.unit);
    const auto known = std::find_if(networks.begin(), networks.end(),
                                    [&](const auto& other) { return other.first == name; });
    if (known == networks.end())
      networks.push_back({name, {&each}});
    else
      known->second.push_back(&each);
  }
  std::vector<traffic_summary> found;
  for (const auto& [name, terminals] : networks) found.push_back(summary_of(name, terminals));
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
                        each.is_saturated ? "  saturated" : "");
  }
  return text +
         "  mean latency: from the creation of a packet to its last flit; in network, and the "
         "smallest: without\n"
         "  the wait in its source\n";
}

}  // namespace heddle
