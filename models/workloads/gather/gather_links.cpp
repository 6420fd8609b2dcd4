#include "models/workloads/gather/gather_links.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {
namespace {

gather_link through(packet_switch& plain) {
  gather_link all{plain.path(), 0, 0};
  for (int i = 0; i < plain.port_count(); ++i) {
    const packet_port& port = plain.port_at(i);
    if (!port.peer()) continue;
    all.expected += port.peer()->counters().bytes.raw();
    all.counted += port.counters().bytes.raw();
  }
  return all;
}

bool is_of_gather(const unit& of, const gather_system& system) {
  if (dynamic_cast<const packet_switch*>(&of)) return true;
  const auto* const nic = dynamic_cast<const rig*>(&of);
  return nic && nic->number() < system.nodes.size() && system.nodes[nic->number()].nic == nic;
}

}  // namespace

std::vector<gather_link> links_of(const gather_system& system) {
  std::vector<gather_link> links;
  for (const tor* rack : system.racks)
    for (int port = 0; port < rack->port_count(); ++port) {
      const tor::link_bytes bytes = rack->bytes_at(port);
      links.push_back({rack->name_of_port(port) + ", in", bytes.in, bytes.counted_in});
      links.push_back({rack->name_of_port(port) + ", out", bytes.out, bytes.counted_out});
    }
  for (packet_switch* plain : system.plain_switches) links.push_back(through(*plain));
  return links;
}

std::uint64_t bytes_of_others(const gather_system& system) {
  std::uint64_t bytes = 0;
  for (packet_switch* each : system.switches)
    for (int i = 0; i < each->port_count(); ++i) {
      const packet_port& port = each->port_at(i);
      const packet_port* const far = port.peer();
      if (!far || is_of_gather(far->owner(), system)) continue;
      bytes += port.counters().bytes.raw() + far->counters().bytes.raw();
    }
  return bytes;
}

std::string broken_link(const std::vector<gather_link>& links) {
  const auto broken = std::find_if(links.begin(), links.end(), [](const gather_link& each) {
    return each.expected != each.counted;
  });
  if (broken == links.end()) return {};
  return fmt::format("{}: {} B by the formula, {} B on the link", broken->name, broken->expected,
                     broken->counted);
}

}  // namespace heddle
