#include "platform/netlist/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/iterate.hpp"
#include "platform/netlist/limits.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

constexpr int format_version = 1;

// Results go to out/NAME, and every table has the name on one line.
std::string checked_name(const yaml_node& node) {
  std::string name = as_text(node);
  const bool is_printed = std::none_of(name.begin(), name.end(), [](char c) {
    return c == '/' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
  });
  const bool is_blank = name.find_first_not_of(' ') == std::string::npos;
  if (is_blank || name[0] == '.' || !is_printed)
    throw user_error(node.place(),
                     "a name is one line without '/' that does not begin with '.': results go to "
                     "out/NAME");
  return name;
}

}  // namespace

netlist_scope::netlist_scope(netlist_expansion& expansion, std::string prefix, std::string file,
                             std::map<std::string, std::pair<expression_value, source_place>> given)
    : expansion_(expansion),
      plan_(expansion.plan()),
      prefix_(std::move(prefix)),
      file_(std::move(file)),
      given_(std::move(given)) {}

std::string netlist_scope::path_of(const std::string& local) const {
  return prefix_.empty() ? local : prefix_ + "." + local;
}

void netlist_scope::read_heading(yaml_mapping& top) {
  const yaml_node version = top.required("heddle");
  if (as_integer(version) != format_version)
    throw user_error(version.place(), "this Heddle reads netlists of version 1");
  name_ = checked_name(top.required("name"));
  if (const auto node = top.optional("meaning")) meaning_ = as_text(*node);
  if (const auto node = top.optional("params")) read_params(*node);
  for (const auto& [name, value] : given_)
    if (!variables_.count(name)) {
      std::vector<std::string> known;
      for (const auto& [each, ignored] : variables_) known.push_back(each);
      throw user_error(value.second, fmt::format("unknown key '{}': {} has no such parameter{}",
                                                 name, file_, did_you_mean(name, known)));
    }
}

void netlist_scope::read_params(const yaml_node& node) {
  if (!node.is_mapping()) throw user_error(node.place(), "params is a mapping of names to values");
  for (const yaml_entry& entry : node.entries()) {
    check_name("a parameter", entry.key, entry.key_place);
    const auto given = given_.find(entry.key);
    variables_[entry.key] =
        given != given_.end() ? given->second.first : expand_value(entry.value, variables_);
  }
}

void netlist_scope::read_body(yaml_mapping& top, const topology_expansion* generated) {
  if (generated)
    for (const yaml_entry& entry : generated->units()) read_unit(entry);
  if (const auto units = generated ? top.optional("units") : top.required("units")) {
    if (!units->is_mapping())
      throw user_error(units->place(), "units is a mapping of names to units");
    for (const yaml_entry& entry : units->entries()) read_unit(entry);
  }
  if (generated) add_links(*generated);
  if (const auto node = top.optional("links")) read_links(*node);
  if (const auto node = top.optional("binds")) read_binds(*node);
  if (const auto node = top.optional("map")) {
    if (!node->is_mapping()) throw user_error(node->place(), "map is a mapping of buses to ranges");
    for (const yaml_entry& entry : node->entries()) read_map(entry);
  }
  if (const auto node = top.optional("exports")) read_exports(*node);
}

void netlist_scope::read_unit(const yaml_entry& entry) {
  check_name("a unit", entry.key, entry.key_place);
  const yaml_mapping checked(entry.value, "unit '" + entry.key + "'");
  const yaml_node rest = without_keys(entry.value, {"array", "index", "if"});
  iterate_array(entry, variables_, expansion_,
                [&](const std::string& suffix, const variables& known) {
                  add_unit(entry.key + suffix, rest, known);
                });
}

void netlist_scope::add_unit(const std::string& local, const yaml_node& node,
                             const variables& known) {
  expansion_.count_step(node.place());
  const yaml_node expanded = expand_tree(node, known);
  yaml_mapping unit(expanded, "unit '" + local + "'");
  const auto type = unit.optional("type");
  const auto use = unit.optional("use");
  if (type.has_value() == use.has_value())
    throw user_error(node.place(), "unit '" + local + "' needs either a `type` or a `use`");
  const std::string path = path_of(local);
  if (type)
    add_typed(path, unit, *type);
  else
    add_used(path, unit, *use);
}

void netlist_scope::add_typed(const std::string& path, yaml_mapping& unit,
                              const yaml_node& type_name) {
  const auto& types = registry::instance();
  planned_unit planned;
  planned.path = path;
  planned.type = types.find_unit_type(as_text(type_name));
  if (!planned.type) as_choice(type_name, "unit type", types.unit_type_names());
  planned.parameters = planned.type->make_parameters();
  planned.parameters->load(unit);
  planned.place = unit.node().place();
  unit.finish();
  expansion_.add(std::move(planned));
}

void netlist_scope::add_used(const std::string& path, yaml_mapping& unit, const yaml_node& file) {
  if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) >= deepest_nesting)
    throw user_error(file.place(),
                     fmt::format("sub-netlists are nested more than {} deep: does one use itself?",
                                 deepest_nesting));
  std::map<std::string, std::pair<expression_value, source_place>> given;
  for (const yaml_entry& entry : unit.node().entries())
    if (entry.key != "use") given[entry.key] = {expand_value(entry.value, {}), entry.key_place};
  const netlist_expansion::used_file& used = expansion_.file(file, file_);
  netlist_scope inner(expansion_, path, used.path, std::move(given));
  yaml_mapping top(used.root, "sub-netlist");
  inner.read_heading(top);
  inner.read_body(top);
  top.finish();
  exports_of_[path] = std::move(inner.exports_);
}

}  // namespace heddle
