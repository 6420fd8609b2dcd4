#include "platform/netlist/topology_expansion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/limits.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

bool has_key(const std::vector<yaml_entry>& entries, const std::string& key) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const yaml_entry& each) { return each.key == key; });
}

void add_missing(std::vector<yaml_entry>& entries, const std::vector<yaml_entry>& more) {
  // A unit that is a part has no type, and one with a type is no part.
  const bool is_chosen = has_key(entries, "type") || has_key(entries, "use");
  std::vector<yaml_entry> added;
  for (const yaml_entry& each : more)
    if (!has_key(entries, each.key) && !(is_chosen && (each.key == "type" || each.key == "use")))
      added.push_back(each);
  entries.insert(entries.end(), added.begin(), added.end());
}

}  // namespace

topology_expansion::topology_expansion(const yaml_node& node, const variables& known)
    : top_(node, "topology"), known_(known) {
  const topology_registry& kinds = topology_registry::instance();
  const yaml_node kind = expand_tree(top_.required("kind"), known);
  const topology_type& type = *kinds.find(as_choice(kind, "kind of topology", kinds.names()));
  const auto parameters = type.make_parameters();
  for (parameter_base* each : parameters->all())
    if (const auto value = top_.optional(each->name())) each->load(expand_tree(*value, known));
  read_parts(type.units, unit_parts_);
  read_parts(type.links, link_parts_);
  read_names("names", &part_values::name);
  read_names("port_names", &part_values::port_name);
  top_.finish();
  type.expand(*parameters, *this);
}

void topology_expansion::read_parts(const std::vector<topology_part>& parts,
                                    std::map<std::string, part_values>& into) {
  for (const topology_part& each : parts) {
    std::vector<yaml_entry> entries;
    source_place place = top_.node().place();
    for (const std::string& key : {each.key, each.base}) {
      const auto given = key.empty() ? std::nullopt : top_.optional(key);
      if (!given) continue;
      add_missing(entries, yaml_mapping(*given, key).node().entries());
      if (key == each.key) place = given->place();
    }
    into[each.key] = {each, each.key, "port", yaml_node::mapping(std::move(entries), place), {}};
  }
}

void topology_expansion::read_names(const char* key, std::string part_values::*name) {
  const auto node = top_.optional(key);
  if (!node) return;
  yaml_mapping names(expand_tree(*node, known_), key);
  for (auto& [part, values] : unit_parts_)
    if (const auto given = names.optional(part)) values.*name = as_text(*given);
  names.finish();
}

void topology_expansion::set_default(const std::string& part, const std::string& key,
                                     const std::string& value) {
  const auto found = unit_parts_.find(part);
  part_values& values = found != unit_parts_.end() ? found->second : link_parts_.at(part);
  values.defaults.push_back({key, place(), yaml_node::scalar(value, false, place())});
}

yaml_node topology_expansion::with_defaults(const part_values& part) const {
  std::vector<yaml_entry> entries = part.values.entries();
  add_missing(entries, part.defaults);
  return yaml_node::mapping(std::move(entries), part.values.place());
}

void topology_expansion::add_units(const std::string& part,
                                   const std::vector<std::uint64_t>& shape) {
  const part_values& values = unit_parts_.at(part);
  std::vector<yaml_entry> entries = with_defaults(values).entries();
  if (!has_key(entries, "type") && !has_key(entries, "use"))
    throw user_error(values.values.place(),
                     fmt::format("the topology needs a key '{}' ({}) with a `type` or a `use`",
                                 part, values.description.meaning));
  for (const yaml_entry& each : entries)
    if (each.key == "array" || each.key == "if")
      throw user_error(each.key_place,
                       fmt::format("the topology says how many there are of '{}'", part));
  std::uint64_t total = 1;
  std::vector<yaml_node> counts;
  for (const std::uint64_t each : shape) {
    if (each == 0 || each > static_cast<std::uint64_t>(most_repetitions) / total)
      throw user_error(place(), fmt::format("an array of 1 to {} units, not of {}",
                                            most_repetitions, fmt::join(shape, " x ")));
    total *= each;
    counts.push_back(yaml_node::scalar(std::to_string(each), false, place()));
  }
  if (!shape.empty())
    entries.push_back({"array", place(), yaml_node::sequence(std::move(counts), place())});
  units_.push_back(
      {values.name, place(), yaml_node::mapping(std::move(entries), values.values.place())});
}

generated_end topology_expansion::resolve(const topology_end& end) const {
  const part_values& part = unit_parts_.at(end.part);
  return {part.name,
          {end.indices.begin(), end.indices.end()},
          part.port_name,
          static_cast<std::int64_t>(end.port)};
}

void topology_expansion::add_link(const std::string& part, const topology_end& a,
                                  const topology_end& b) {
  if (links_.size() == most_links)
    throw user_error(place(), fmt::format("the topology has more than {} links", most_links));
  auto found = link_values_.find(part);
  if (found == link_values_.end())
    found =
        link_values_.emplace(part, expand_tree(with_defaults(link_parts_.at(part)), known_)).first;
  links_.push_back({resolve(a), resolve(b), &found->second});
}

void topology_expansion::suggest_section(const std::string& key, const std::string& value) {
  source_place origin = place();
  sections_.push_back({key, origin, parse_yaml_value(value, origin)});
}

void topology_expansion::refuse(const std::string& key, const std::string& message) const {
  const yaml_node* given = top_.node().find(key);
  throw user_error(given ? given->place() : place(), message);
}

}  // namespace heddle
