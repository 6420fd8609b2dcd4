#include "platform/netlist/planner.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/installed_files.hpp"
#include "platform/netlist/read_netlist.hpp"
#include "platform/netlist/scope.hpp"
#include "platform/netlist/section.hpp"
#include "platform/text/suggest.hpp"
#include "platform/trace/glob.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/override.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

std::vector<std::string> top_keys() {
  std::vector<std::string> keys = {"heddle",    "name",    "meaning",  "params",   "seed",
                                   "train",     "data",    "monitors", "units",    "links",
                                   "binds",     "map",     "exports",  "workload", "trace",
                                   "contracts", "topology"};
  for (const section_type& each : section_types()) keys.push_back(each.key);
  return keys;
}

std::string section_of(const std::string& path) {
  return path.substr(0, path.find_first_of(".["));
}

bool concerns_file(const std::string& path) {
  const std::vector<std::string> keys = top_keys();
  return std::find(keys.begin(), keys.end(), section_of(path)) != keys.end();
}

// A key may be set in a section that the netlist does not have.
yaml_node with_key(const yaml_node& root, const netlist_override& set) {
  const std::string section = section_of(set.path);
  const bool begins_section =
      set.path[section.size()] == '.' && !set.value.empty() && !root.find(section);
  const yaml_node& tree = begins_section ? with_override(root, section, "{}") : root;
  return with_override(tree, set.path, set.value);
}

// Whether the override is of a section that the netlist does not have itself, and a topology may
// suggest.
bool concerns_suggestion(const yaml_node& root, const netlist_override& set) {
  const std::string section = section_of(set.path);
  const auto& types = section_types();
  return !root.find(section) && std::any_of(types.begin(), types.end(),
                                            [&](const auto& each) { return each.key == section; });
}

// Setting a parameter that the netlist does not have would do nothing.
void require_known_parameter(const yaml_node& root, const std::string& path) {
  if (path.rfind("params.", 0) != 0) return;
  const std::string name = path.substr(7);
  const yaml_node* params = root.find("params");
  if (params && params->find(name)) return;
  const std::vector<std::string> known = params ? params->keys() : std::vector<std::string>{};
  throw user_error({"--set " + path, 0, 0},
                   "the netlist has no parameter '" + name + "'" + did_you_mean(name, known));
}

// No value gives the parameter its default back.
void set_parameter(const planned_unit& unit, parameter_base& parameter,
                   const std::optional<yaml_node>& value, const source_place& place) {
  if (value) {
    parameter.load(*value);
    return;
  }
  const auto defaults = unit.type->make_parameters();
  for (const parameter_base* each : defaults->all())
    if (each->name() == parameter.name())
      parameter.load(yaml_node::scalar(each->text(), true, place));
}

// Applies overrides of unit parameters; one that matches nothing is a mistake.
void override_units(netlist_plan& plan, const std::vector<netlist_override>& overrides,
                    const variables& known_variables) {
  for (const netlist_override& each : overrides) {
    if (concerns_file(each.path)) continue;
    const source_place place{"--set " + each.path, 0, 0};
    const std::size_t dot = each.path.rfind('.');
    if (dot == std::string::npos)
      throw user_error(place, "names no key of the netlist" + did_you_mean(each.path, top_keys()));
    const std::string pattern = each.path.substr(0, dot);
    const std::string name = each.path.substr(dot + 1);
    std::optional<yaml_node> value;
    if (!each.value.empty())
      value = expand_tree(parse_yaml_value(each.value, place), known_variables);
    bool is_used = false;
    std::vector<std::string> known;
    for (planned_unit& unit : plan.units) {
      if (!glob_match(pattern, unit.path)) continue;
      for (parameter_base* parameter : unit.parameters->all()) {
        known.push_back(parameter->name());
        if (parameter->name() != name) continue;
        set_parameter(unit, *parameter, value, place);
        is_used = true;
      }
    }
    if (is_used) continue;
    if (!known.empty())
      throw user_error(place, "no such parameter '" + name + "'" + did_you_mean(name, known));
    std::vector<std::string> paths = top_keys();
    for (const planned_unit& unit : plan.units) paths.push_back(unit.path);
    throw user_error(place, "no unit matches '" + pattern + "'" + did_you_mean(pattern, paths));
  }
}

void read_settings(yaml_mapping& top, const variables& known, netlist_plan& plan) {
  simulation_settings& settings = plan.settings;
  const auto find = [&](const char* key) {
    std::optional<yaml_node> node = top.optional(key);
    if (!node) return node;
    plan.origins[key] = node->origin();
    return std::optional(expand_tree(*node, known));
  };
  const auto is_on = [&](const char* key, bool fallback) {
    const auto node = find(key);
    return node ? as_choice(*node, key, {"on", "off"}) == "on" : fallback;
  };
  if (const auto node = find("seed")) settings.seed = as_unsigned(*node);
  if (const auto node = find("train"))
    settings.train = static_cast<std::uint32_t>(as_integer(*node, 1, 4096));
  settings.carries_data = is_on("data", true);
  settings.has_monitors = is_on("monitors", false);
}

contract_severity read_severity(const yaml_node& node) {
  const std::string name = as_choice(node, "severity", {"log", "error", "fatal"});
  if (name == "log") return contract_severity::log;
  return name == "error" ? contract_severity::error : contract_severity::fatal;
}

// contracts: log, or {default: log, buffers: off, units: {"gpu[*].dma": fatal}}
void read_contracts(const yaml_node& node, netlist_plan& plan) {
  contract_settings& contracts = plan.settings.contracts;
  if (!node.is_mapping()) {
    contracts.usual = read_severity(node);
    return;
  }
  yaml_mapping mapping(node, "contracts");
  if (const auto usual = mapping.optional("default")) contracts.usual = read_severity(*usual);
  if (const auto buffers = mapping.optional("buffers"))
    plan.watches_buffers = as_choice(*buffers, "buffers", {"on", "off"}) == "on";
  const auto units = mapping.optional("units");
  mapping.finish();
  if (!units) return;
  if (!units->is_mapping())
    throw user_error(units->place(), "units is a mapping of globs to severities");
  for (const yaml_entry& each : units->entries()) {
    std::vector<std::string> paths;
    bool is_used = false;
    for (const planned_unit& unit : plan.units) {
      paths.push_back(unit.path);
      is_used = is_used || glob_match(each.key, unit.path);
    }
    if (!is_used)
      throw user_error(each.key_place,
                       "no unit matches '" + each.key + "'" + did_you_mean(each.key, paths));
    contracts.units.emplace_back(each.key, read_severity(each.value));
  }
}

// What the netlist is called and what it means, its variables, and where each parameter comes from.
void note_heading(const netlist_scope& scope, const yaml_node& tree, netlist_plan& plan) {
  plan.name = scope.name();
  plan.meaning = scope.meaning();
  for (const auto& [name, value] : scope.variables_in_scope())
    plan.params.emplace_back(name, value_text(value));
  if (const yaml_node* params = tree.find("params"))
    for (const yaml_entry& each : params->entries())
      plan.origins["params." + each.key] = each.value.origin();
}

bool gives_another(const yaml_node& section, const std::string& key, const std::string& value) {
  const yaml_node* suggested = section.find(key);
  return suggested && as_text(*suggested) != value;
}

// A section that the netlist does not have itself: what the topology suggests (nullptr: nothing)
// with the keys that are set for this run.
std::optional<yaml_node> section_of_run(const section_type& type, const yaml_node* suggested,
                                        const std::vector<netlist_override>& overrides) {
  std::vector<netlist_override> own;
  for (const netlist_override& each : overrides)
    if (section_of(each.path) == type.key) own.push_back(each);
  const std::string chooser = type.key + "." + type.chooser;
  const bool holds =
      suggested && std::none_of(own.begin(), own.end(), [&](const netlist_override& each) {
        return each.path == chooser && gives_another(*suggested, type.chooser, each.value);
      });
  std::vector<yaml_entry> entries;
  if (holds) entries.push_back({type.key, suggested->place(), *suggested});
  yaml_node tree = yaml_node::mapping(std::move(entries), {});
  for (const netlist_override& each : own) tree = with_key(tree, each);
  const yaml_node* section = tree.find(type.key);
  return section ? std::optional<yaml_node>(*section) : std::nullopt;
}

void add_suggested(const yaml_node& root, const topology_expansion* topology,
                   const std::vector<netlist_override>& overrides, const variables& known,
                   netlist_plan& plan) {
  for (const section_type& type : section_types()) {
    if (root.find(type.key)) continue;  // what the netlist says itself holds
    const yaml_node* suggested = nullptr;
    if (topology)
      for (const yaml_entry& each : topology->sections())
        if (each.key == type.key) suggested = &each.value;
    if (const auto section = section_of_run(type, suggested, overrides))
      plan.sections.emplace(type.key, expand_tree(*section, known));
  }
}

// Reads the sections that the planner hands on as they are.
void read_sections(yaml_mapping& top, const variables& known, netlist_plan& plan) {
  if (const auto node = top.optional("workload")) plan.workload = expand_tree(*node, known);
  if (const auto node = top.optional("trace")) plan.trace = expand_tree(*node, known);
  for (const section_type& each : section_types())
    if (const auto node = top.optional(each.key))
      plan.sections.emplace(each.key, expand_tree(*node, known));
}

}  // namespace

const parameter_base* find_parameter(const planned_unit& unit, const std::string& name) {
  for (const parameter_base* each : unit.parameters->all())
    if (each->name() == name) return each;
  return nullptr;
}

source_place place_of(const std::string& parameter, const planned_unit& of) {
  const parameter_base* const found = find_parameter(of, parameter);
  return found && !found->is_default() ? source_place{found->origin(), 0, 0} : of.place;
}

const planned_unit* netlist_plan::find_unit(const std::string& path) const {
  const auto found = unit_at_.find(path);
  return found == unit_at_.end() ? nullptr : found->second;
}

const yaml_node* netlist_plan::find_section(const std::string& key) const {
  const auto found = sections.find(key);
  return found == sections.end() ? nullptr : &found->second;
}

void netlist_plan::add_unit(planned_unit added) {
  added.index = units.size();
  const planned_unit& kept = units.emplace_back(std::move(added));
  unit_at_.emplace(kept.path, &kept);
}

netlist_override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw user_error("--set " + text + ": expected path=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string find_netlist(const std::string& name, const std::string& beside) {
  namespace fs = std::filesystem;
  const fs::path given(name);
  std::vector<fs::path> tried = {beside.empty() ? given : fs::path(beside).parent_path() / given};
  for (const std::string& folder : netlist_folders()) tried.push_back(fs::path(folder) / given);
  std::error_code unreadable;  // is told by whoever reads it
  for (const fs::path& each : tried)
    if (fs::is_regular_file(each, unreadable)) return each.string();
  return tried.front().string();
}

netlist_plan plan_netlist(const std::string& file, const std::vector<netlist_override>& overrides) {
  const std::string found = find_netlist(file, "");
  return plan_netlist(read_netlist(file, found), found, overrides);
}

netlist_plan plan_netlist(const yaml_node& root, const std::string& file,
                          const std::vector<netlist_override>& overrides) {
  yaml_node tree = root;
  for (const netlist_override& each : overrides) require_known_parameter(root, each.path);
  for (const netlist_override& each : overrides)
    if (concerns_file(each.path) && !concerns_suggestion(root, each)) tree = with_key(tree, each);

  netlist_plan plan;
  plan.file = file;
  plan.settings.folder = std::filesystem::path(file).parent_path().string();
  yaml_mapping top(tree, "netlist");
  netlist_expansion expansion(plan);
  netlist_scope scope(expansion, "", file, {});
  scope.read_heading(top);
  note_heading(scope, tree, plan);
  read_settings(top, scope.variables_in_scope(), plan);
  read_sections(top, scope.variables_in_scope(), plan);
  const auto contracts = top.optional("contracts");
  std::optional<topology_expansion> topology;
  if (const auto node = top.optional("topology"))
    topology.emplace(*node, scope.variables_in_scope());
  add_suggested(root, topology ? &*topology : nullptr, overrides, scope.variables_in_scope(), plan);
  scope.read_body(top, topology ? &*topology : nullptr);
  top.finish();
  if (contracts) read_contracts(expand_tree(*contracts, scope.variables_in_scope()), plan);
  override_units(plan, overrides, scope.variables_in_scope());
  return plan;
}

}  // namespace heddle
