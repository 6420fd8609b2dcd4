#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_arguments.hpp"
#include "platform/export/linker_script.hpp"
#include "platform/export/netlist_svd.hpp"
#include "platform/firmware/rank_core.hpp"
#include "platform/netlist/builder.hpp"
#include "platform/netlist/silent_cores.hpp"
#include "platform/registers/register_file.hpp"
#include "platform/text/quantity.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/unit/self_describing.hpp"

namespace heddle {
namespace {

struct show_options {
  netlist_arguments netlist;
  // What is written instead of printing; "": nothing.
  std::string svd, linker_script;
  std::string core;  // whose view it is; "": the first
};

// "gpu[0]" of "gpu[0].dma"
std::string owner_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? "" : path.substr(0, dot);
}

void show_units(const netlist_plan& plan) {
  std::printf("units\n");
  std::string shown_owner;
  for (const planned_unit& each : plan.units) {
    const std::string owner = owner_of(each.path);
    if (!owner.empty() && owner != shown_owner) std::printf("  %s\n", owner.c_str());
    shown_owner = owner;
    const std::string name = owner.empty() ? each.path : each.path.substr(owner.size() + 1);
    const std::string indented = std::string(owner.empty() ? 2 : 4, ' ') + name;
    const auto* described = dynamic_cast<const self_describing*>(each.parameters.get());
    const std::string summary = described ? "  " + described->summary() : "";
    std::printf("%-24s %s%s\n", indented.c_str(), each.type->name.c_str(), summary.c_str());
  }
}

void show_map(const netlist_plan& plan) {
  if (plan.ranges.empty()) return;
  std::printf("\naddress map\n");
  const planned_unit* bus = nullptr;
  for (const planned_range& each : plan.ranges) {
    if (each.bus != bus) std::printf("  %s\n", each.bus->path.c_str());
    bus = each.bus;
    if (each.is_default)
      std::printf("    %-41s %s\n", "everything else", each.to.text().c_str());
    else
      std::printf("    %#018llx..%#018llx    %-10s %s\n",
                  static_cast<unsigned long long>(each.base),
                  static_cast<unsigned long long>(each.base + each.size - 1),
                  format_bytes(each.size).c_str(), each.to.text().c_str());
  }
}

void show_links(const netlist_plan& plan) {
  if (plan.links.empty()) return;
  std::printf("\nlinks\n");
  for (const planned_link& each : plan.links) {
    std::string parameters;
    for (const parameter_base* one : each.parameters->all())
      parameters += fmt::format("  {} {}", one->name(), one->text());
    std::printf("  %-24s %-24s%s\n", each.a.text().c_str(), each.b.text().c_str(),
                parameters.c_str());
  }
}

std::string one_line(const yaml_node& node) {
  std::string text;
  if (node.is_mapping()) {
    for (const yaml_entry& each : node.entries())
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", each.key, one_line(each.value));
    return "{" + text + "}";
  }
  if (!node.is_sequence()) return node.text();
  for (const yaml_node& each : node.items()) text += (text.empty() ? "" : ", ") + one_line(each);
  return "[" + text + "]";
}

void show_sections(const netlist_plan& plan) {
  for (const auto& [key, section] : plan.sections) {
    std::printf("\n%s\n", key.c_str());
    if (!section.is_mapping()) std::printf("  %s\n", one_line(section).c_str());
    for (const yaml_entry& each : section.entries())
      std::printf("  %-24s %s\n", each.key.c_str(), one_line(each.value).c_str());
  }
}

void write(const std::string& path, const std::string& text, const std::string& core) {
  output_file file(path);
  file.write(text);
  file.commit();
  if (path != "/dev/stdout") std::printf("%s: as %s sees it\n", path.c_str(), core.c_str());
}

// What firmware of the core finds by hal_device().
void print_devices(const std::string& core, const core_devices& devices) {
  std::printf("devices of %s\n", core.c_str());
  if (devices.all().empty()) std::printf("  none\n");
  for (const core_device& each : devices.all())
    std::printf("  %-20s %3u  %#018llx  %s\n",
                std::string(each.registers->description().name).c_str(), each.instance,
                static_cast<unsigned long long>(each.base), each.registers->path().c_str());
}

void show_devices(netlist_plan& plan, const std::string& core) {
  const core_view view = view_of(plan, core);
  silence_cores(plan);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  const auto* const found = dynamic_cast<const rank_core*>(sim.find_unit(view.core->path));
  if (!found) throw user_error(view.core->place, view.core->path + " runs no firmware of ours");
  print_devices(view.core->path, found->devices());
}

// Descriptions of registers are known once the units are built; programs are not needed.
void write_views(netlist_plan& plan, const show_options& options) {
  const core_view view = view_of(plan, options.core);
  const std::string& core = view.core->path;
  if (!options.linker_script.empty()) write(options.linker_script, linker_script(plan, view), core);
  if (options.svd.empty()) return;
  silence_cores(plan);
  simulation sim(plan.settings);
  const built_system system(plan, sim);
  write(options.svd, netlist_svd(plan, view, sim), core);
}

int show(const show_options& options) {
  netlist_plan plan = plan_netlist(options.netlist.file, options.netlist.overrides());
  if (!options.svd.empty() || !options.linker_script.empty()) {
    check_named_outputs({plan.file},
                        {{"--svd", options.svd}, {"--linker-script", options.linker_script}});
    write_views(plan, options);
    return 0;
  }
  if (!options.core.empty()) {
    show_devices(plan, options.core);
    return 0;
  }
  std::printf("%s%s%s\n\n", plan.name.c_str(), plan.meaning.empty() ? "" : ": ",
              plan.meaning.c_str());
  show_units(plan);
  show_map(plan);
  show_links(plan);
  show_sections(plan);
  return 0;
}

}  // namespace

command_action declare_show(CLI::App& command) {
  const auto options = std::make_shared<show_options>();
  options->netlist.declare(command);
  command.add_option("--svd", options->svd,
                     "write the registers that a core sees to this file, as CMSIS-SVD");
  command.add_option("--linker-script", options->linker_script,
                     "write a linker script for firmware of a core to this file");
  command.add_option(
      "--core", options->core,
      "which core, the first if not given; alone: the devices that its firmware finds");
  return [options] { return show(*options); };
}

}  // namespace heddle
