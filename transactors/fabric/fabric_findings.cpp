// What the fabric finds out about links, besides mistakes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "platform/services/link_directory.hpp"
#include "platform/services/system_findings.hpp"
#include "platform/text/quantity.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/fabric/standstill.hpp"
#include "transactors/fabric/topology.hpp"

namespace heddle {
namespace {

constexpr std::size_t most_told = 8;      // of one kind
constexpr std::size_t most_switches = 4;  // of which equal paths are told

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_told; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most_told) text += fmt::format(" and {} more", names.size() - most_told);
  return text;
}

}  // namespace

void fabric::report_findings() {
  if (ports_.empty()) return;
  system_findings& told = ports_.front()->owner().sim().service<system_findings>();
  state_covering_buffers();
  warn_of_buffers(told);
  tell_open_ports(told);
  told.standstills.emplace_back([this] { return describe_deadlock(forwarders_); });
  told.afterwards.emplace_back([this] { return idle_links(); });
  told.afterwards.emplace_back([this] { return idle_paths(); });
}

// A link is busy all the time if its credits cover what can be sent until the first of them is
// back: both ways over the link, and how long the far end keeps a packet.
std::uint64_t fabric::covering_bytes(const packet_port& port) const {
  const double seconds_away =
      static_cast<double>(port.way() + port.latency() + port.peer()->holding()) / fs_per_s;
  constexpr double most = 0x1p62;
  const double under_way = seconds_away * static_cast<double>(port.rate().bytes_per_second());
  return largest_ + static_cast<std::uint64_t>(std::min(under_way, most));
}

void fabric::state_covering_buffers() const {
  for (link_record& each : ports_.front()->owner().sim().service<link_directory>().links)
    if (const auto* from = dynamic_cast<const packet_port*>(each.from))
      each.covering_bytes = covering_bytes(*from);
}

void fabric::warn_of_buffers(system_findings& told) const {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::string>> too_small;
  for (const packet_port* each : ports_) {
    const std::uint64_t needed = covering_bytes(*each);
    if (largest_ > 0 && each->buffer_bytes() < needed)
      too_small[{needed, each->buffer_bytes()}].push_back(each->path());
  }
  for (const auto& [sizes, paths] : too_small)
    told.warnings.push_back(fmt::format(
        "the links from {} may not be busy all the time: their receive buffers hold {}, "
        "and {} would cover bandwidth x round trip",
        joined(paths), format_bytes(sizes.second), format_bytes(sizes.first)));
}

void fabric::tell_open_ports(system_findings& told) const {
  for (topology::index at = 0; at < topology_->switches(); ++at) {
    std::vector<std::string> open;
    for (const port* each : topology_->unit_at(at).ports())
      if (dynamic_cast<const packet_port*>(each) && !each->is_bound()) open.push_back(each->name());
    if (open.empty()) continue;
    told.remarks.push_back(
        fmt::format("{} has open ports: {}", topology_->name_of(at), joined(open)));
  }
}

// Wires that carried nothing beside others to the same unit that did.
std::vector<std::string> fabric::idle_links() const {
  std::map<std::pair<const unit*, const unit*>, std::vector<const packet_port*>> bundles;
  for (const packet_port* each : ports_)
    bundles[{&each->owner(), &each->peer()->owner()}].push_back(each);
  std::set<std::string> lines;  // units lie in memory wherever they do
  for (const auto& [ends, wires] : bundles) {
    std::vector<std::string> idle;
    for (const packet_port* each : wires)
      if (each->counters().packets.raw() == 0) idle.push_back(each->name());
    if (idle.empty() || idle.size() == wires.size()) continue;
    lines.insert(fmt::format("{} of {} parallel links from {} to {} idled: {}", idle.size(),
                             wires.size(), ends.first->path(), ends.second->path(), joined(idle)));
  }
  return {lines.begin(), lines.end()};
}

// Neighbors of a switch to which nothing went, though packets chose among them and others.
std::vector<std::string> fabric::idle_paths() const {
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (topology::index at = 0; at < topology_->switches(); ++at) {
    const unit& here = topology_->unit_at(at);
    std::map<const unit*, std::uint64_t> packets;  // to each neighbor
    std::map<int, const unit*> behind;             // by port
    for (const packet_port* each : topology_->ports_of(here)) {
      behind[each->index()] = &each->peer()->owner();
      packets[behind[each->index()]] += each->counters().packets.raw();
    }
    std::set<const unit*> chosen;
    for (const std::vector<int>& ports : tables_.at(&here)->choices()) {
      const bool is_used = std::any_of(ports.begin(), ports.end(),
                                       [&](int port) { return packets[behind[port]] > 0; });
      for (const int port : ports)
        if (is_used) chosen.insert(behind[port]);
    }
    std::vector<std::string> idle;  // in the order of the ports
    for (const auto& [port, neighbor] : behind)
      if (packets[neighbor] == 0 && chosen.erase(neighbor) > 0) idle.push_back(neighbor->path());
    if (idle.empty()) continue;
    if (lines.size() == most_switches)
      ++more;
    else
      lines.push_back(fmt::format("{} of {} equal paths from {} idled: over {}", idle.size(),
                                  idle.size() + chosen.size(), here.path(), joined(idle)));
  }
  if (more > 0) lines.push_back(fmt::format("equal paths from {} more switches idled", more));
  return lines;
}

}  // namespace heddle
