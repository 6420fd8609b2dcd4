#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/netlist/topology.hpp"
#include "platform/text/suggest.hpp"
#include "platform/unit/registry.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

void show_parameters(const parameter_set& set) {
  if (set.all().empty()) return;
  std::printf("\nparameters\n");
  for (const parameter_base* each : set.all()) {
    const std::string range = each->range().empty() ? "" : ", " + each->range();
    std::printf("  %-18s %s%s, default %s\n", each->name().c_str(), each->kind().c_str(),
                range.c_str(), each->text().empty() ? "\"\"" : each->text().c_str());
    std::printf("  %-18s %s\n", "", each->meaning().c_str());
    std::printf("  %-18s default from: %s\n", "", each->source().c_str());
  }
}

void show_type(const unit_type& type) {
  std::printf("%s: %s\n", type.name.c_str(), type.meaning.c_str());
  show_parameters(*type.make_parameters());
  std::printf("\nports\n");
  for (const port_description& each : type.ports)
    std::printf("  %-18s %-18s %s\n", each.name.c_str(), each.kind.c_str(), each.meaning.c_str());
  const auto statistics = type.make_statistics();
  if (!statistics->all().empty()) std::printf("\nstatistics\n");
  for (const statistic* each : statistics->all())
    std::printf("  %-18s %-3s %s\n", each->name().c_str(), unit_symbol(each->what()),
                each->meaning().c_str());
  if (!type.registers_markdown.empty())
    std::printf("\nregisters\n%s", type.registers_markdown.c_str());
}

void show_parts(const char* title, const std::vector<topology_part>& parts) {
  std::printf("\n%s\n", title);
  for (const topology_part& each : parts)
    std::printf("  %-18s %s%s\n", each.key.c_str(), each.meaning.c_str(),
                each.base.empty() ? "" : (" (else as `" + each.base + "`)").c_str());
}

void show_topology(const topology_type& type) {
  std::printf("%s topology: %s\n", type.name.c_str(), type.meaning.c_str());
  show_parameters(*type.make_parameters());
  show_parts("units", type.units);
  show_parts("links", type.links);
}

void show_workload(const workload_kind& kind) {
  std::printf("%s workload: %s\n", kind.name.c_str(), kind.meaning.c_str());
  if (!kind.collectives.empty())
    std::printf("collectives: %s\n", fmt::format("{}", fmt::join(kind.collectives, ", ")).c_str());
  std::printf(
      "keys: \"Workload\" of yaml/REFERENCE.md, which `heddle docs DIR` writes as a page\n");
  if (kind.reference) std::printf("\n%s", kind.reference().c_str());
}

// "": lists all of them.
int show_models(const std::string& type) {
  const registry& types = registry::instance();
  const topology_registry& topologies = topology_registry::instance();
  if (type.empty()) {
    for (const std::string& name : types.unit_type_names())
      std::printf("%-16s %s\n", name.c_str(), types.find_unit_type(name)->meaning.c_str());
    for (const link_type& each : types.link_types())
      std::printf("%-16s %s\n", (each.kind + " link").c_str(), each.meaning.c_str());
    std::printf("\ntopologies\n");
    for (const std::string& name : topologies.names())
      std::printf("%-16s %s\n", name.c_str(), topologies.find(name)->meaning.c_str());
    std::printf("\nworkloads\n");
    for (const workload_kind& each : workload_registry::instance().kinds())
      std::printf("%-16s %s\n", each.name.c_str(), each.meaning.c_str());
    return 0;
  }
  if (const unit_type* found = types.find_unit_type(type)) {
    show_type(*found);
    return 0;
  }
  if (const topology_type* found = topologies.find(type)) {
    show_topology(*found);
    return 0;
  }
  if (const workload_kind* found = workload_registry::instance().find(type)) {
    show_workload(*found);
    return 0;
  }
  std::vector<std::string> names = types.unit_type_names();
  for (const workload_kind& each : workload_registry::instance().kinds())
    names.push_back(each.name);
  for (const std::string& each : topologies.names()) names.push_back(each);
  for (const link_type& each : types.link_types()) {
    names.push_back(each.kind + " link");
    if (type != names.back()) continue;
    std::printf("%s: %s\n", type.c_str(), each.meaning.c_str());
    show_parameters(*each.make_parameters());
    return 0;
  }
  throw user_error("unknown unit type '" + type + "'" + did_you_mean(type, names));
}

}  // namespace

command_action declare_models(CLI::App& command) {
  const auto type = std::make_shared<std::string>();
  command.add_option("TYPE", *type,
                     "a type of units, a topology, a kind of workload, or 'packet link' or 'flit "
                     "link' (default: lists all of them)");
  return [type] { return show_models(*type); };
}

}  // namespace heddle
