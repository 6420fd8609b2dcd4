#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_language.hpp"
#include "platform/netlist/topology.hpp"
#include "platform/text/suggest.hpp"
#include "platform/unit/registry.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

// The reference names every kind that comes with Heddle; it knows no other.
bool is_in_reference(const workload_kind& kind) {
  return netlist_language().find("`" + kind.name + "`") != std::string::npos;
}

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
      "keys: %s\"Workload\" of yaml/REFERENCE.md, which `heddle docs DIR` writes as a page%s\n",
      is_in_reference(kind) ? "" : "those of all workloads are in ",
      is_in_reference(kind) ? "" : "; its own are those that the source of the kind reads");
  if (kind.reference) std::printf("\n%s", kind.reference().c_str());
}

void list_models() {
  const registry& types = registry::instance();
  for (const std::string& name : types.unit_type_names())
    std::printf("%-16s %s\n", name.c_str(), types.find_unit_type(name)->meaning.c_str());
  for (const link_type& each : types.link_types())
    std::printf("%-16s %s\n", (each.kind + " link").c_str(), each.meaning.c_str());
  const topology_registry& topologies = topology_registry::instance();
  std::printf("\ntopologies\n");
  for (const std::string& name : topologies.names())
    std::printf("%-16s %s\n", name.c_str(), topologies.find(name)->meaning.c_str());
  std::printf("\nworkloads\n");
  for (const workload_kind& each : workload_registry::instance().kinds())
    std::printf("%-16s %s\n", each.name.c_str(), each.meaning.c_str());
}

void show_link(const link_type& type) {
  std::printf("%s link: %s\n", type.kind.c_str(), type.meaning.c_str());
  show_parameters(*type.make_parameters());
}

// Candidates for what a mistyped name means.
std::vector<std::string> all_names() {
  std::vector<std::string> names = registry::instance().unit_type_names();
  for (const workload_kind& each : workload_registry::instance().kinds())
    names.push_back(each.name);
  for (const std::string& each : topology_registry::instance().names()) names.push_back(each);
  for (const link_type& each : registry::instance().link_types())
    names.push_back(each.kind + " link");
  return names;
}

// False: nothing has that name.
bool show_model(const std::string& name) {
  if (const unit_type* unit = registry::instance().find_unit_type(name)) {
    show_type(*unit);
    return true;
  }
  if (const topology_type* topology = topology_registry::instance().find(name)) {
    show_topology(*topology);
    return true;
  }
  if (const workload_kind* workload = workload_registry::instance().find(name)) {
    show_workload(*workload);
    return true;
  }
  for (const link_type& each : registry::instance().link_types()) {
    if (name != each.kind + " link") continue;
    show_link(each);
    return true;
  }
  return false;
}

// "": lists all of them.
int show_models(const std::string& name) {
  if (name.empty())
    list_models();
  else if (!show_model(name))
    throw user_error("unknown unit type '" + name + "'" + did_you_mean(name, all_names()));
  return 0;
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
