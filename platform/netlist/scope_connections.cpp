#include <fmt/format.h>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/iterate.hpp"
#include "platform/netlist/scope.hpp"
#include "platform/text/suggest.hpp"

namespace heddle {
namespace {

// "port" of "port[3]" and of "port[ports]".
std::string base_name(const std::string& name) {
  return name.substr(0, name.find('['));
}

std::string index_suffix(const endpoint_segment& segment) {
  std::string text;
  for (std::int64_t index : segment.indices) text += fmt::format("[{}]", index);
  return text;
}

const port_description* find_port(const unit_type& type, const std::string& port) {
  for (const port_description& each : type.ports)
    if (base_name(each.name) == base_name(port)) return &each;
  return nullptr;
}

endpoint_path parse_end(const yaml_node& node, const variables& known) {
  try {
    return parse_endpoint(as_text(node), known);
  } catch (const expression_error& error) {
    raise_inside(node, error);
  }
}

std::shared_ptr<const parameter_set> read_parameters(const link_type& type,
                                                     const yaml_node& written) {
  std::unique_ptr<parameter_set> read = type.make_parameters();
  yaml_mapping mapping(written, "link");
  mapping.optional("between");  // has been read, but an unknown key may be meant for it
  read->load(mapping);
  mapping.finish();
  return read;
}

}  // namespace

planned_end netlist_scope::resolve(const yaml_node& node, const variables& known) const {
  const yaml_node text = expand_tree(node, known);
  return resolve(parse_end(text, known), text.place());
}

planned_end netlist_scope::resolve(const endpoint_path& path, const source_place& place) const {
  if (path.segments.size() < 2)
    throw user_error(place, "expected unit.port, got '" + path.text() + "'");
  endpoint_path unit = path;
  const endpoint_segment port = unit.segments.back();
  unit.segments.pop_back();
  const std::string unit_path = path_of(unit.text());

  const auto sub = exports_of_.find(unit_path);
  if (sub != exports_of_.end()) {
    const auto inner = sub->second.find(port.name);
    if (inner != sub->second.end())
      return {inner->second.owner, inner->second.port.str() + index_suffix(port)};
    std::vector<std::string> names;
    for (const auto& [name, end] : sub->second) names.push_back(name);
    throw user_error(place, fmt::format("{} exports no '{}'{}", unit_path, port.name,
                                        did_you_mean(port.name, names)));
  }
  const planned_unit* found = plan_.find_unit(unit_path);
  if (!found) {
    std::vector<std::string> paths;
    for (const planned_unit& each : plan_.units) paths.push_back(each.path);
    for (const auto& [each, ignored] : exports_of_) paths.push_back(each);
    throw user_error(place, "no unit '" + unit_path + "'" + did_you_mean(unit_path, paths));
  }
  if (!find_port(*found->type, port.name)) {
    std::vector<std::string> names;
    for (const port_description& each : found->type->ports) names.push_back(base_name(each.name));
    throw user_error(place, fmt::format("{} ({}) has no port '{}'{}", unit_path, found->type->name,
                                        port.name, did_you_mean(port.name, names)));
  }
  return {found, port.name + index_suffix(port)};
}

// The port of a host may be one of many or the only one: its description says which.
planned_end netlist_scope::resolve(const generated_end& end, const source_place& place) const {
  planned_end found = resolve({{{end.unit, end.indices}, {end.port, {}}}}, place);
  const bool has_index = found.port.str().find('[') != std::string::npos;
  const std::string& described = find_port(*found.owner->type, found.port)->name;
  const bool is_one_of_many = !has_index && described.find('[') != std::string::npos;
  if (is_one_of_many)
    found.port = fmt::format("{}[{}]", found.port.str(), end.port_index);
  else if (end.port_index > 0)
    throw user_error(place, fmt::format("{} is one port; the topology needs port {} of it",
                                        found.text(), end.port_index));
  return found;
}

void netlist_scope::read_links(const yaml_node& node) {
  for (const yaml_node& item : as_list(node)) {
    const yaml_mapping checked(item, "link");
    const yaml_node link = without_keys(item, {"for", "if"});
    const yaml_node parameters = without_keys(link, {"between"});
    iterate(item, variables_, expansion_,
            [&](const variables& known) { add_link(link, parameters, known); });
  }
}

void netlist_scope::read_binds(const yaml_node& node) {
  for (const yaml_node& item : as_list(node)) {
    const yaml_mapping checked(item, "bind");
    const yaml_node bind = without_keys(item, {"for", "if"});
    iterate(item, variables_, expansion_, [&](const variables& known) { add_bind(bind, known); });
  }
}

void netlist_scope::add_link(const yaml_node& node, const yaml_node& parameters,
                             const variables& known) {
  yaml_mapping mapping(node, "link");
  const yaml_node between = mapping.required("between");
  if (!between.is_sequence() || between.items().size() != 2)
    throw user_error(between.place(), "`between` names two ports: [a.port[0], b.port[1]]");
  planned_link link;
  link.place = between.place();
  link.a = resolve(between.items()[0], known);
  link.b = resolve(between.items()[1], known);
  finish_link(link, expand_tree(parameters, known));
}

void netlist_scope::add_links(const topology_expansion& generated) {
  for (const generated_link& each : generated.links()) {
    planned_link link;
    link.place = generated.place();
    link.a = resolve(each.a, link.place);
    link.b = resolve(each.b, link.place);
    finish_link(link, *each.parameters);
  }
}

void netlist_scope::finish_link(planned_link& link, const yaml_node& parameters) {
  const std::string kind = find_port(*link.a.owner->type, link.a.port)->kind;
  link.type = registry::instance().find_link_type(kind);
  if (!link.type)
    throw user_error(link.place, fmt::format("{} is a {} port: join it under `binds`, not `links`",
                                             link.a.text(), kind));
  if (link.type != latest_link_.type || !parameters.is_same(latest_link_.written))
    latest_link_ = {link.type, parameters, read_parameters(*link.type, parameters)};
  link.parameters = latest_link_.read;
  expansion_.add(std::move(link));
}

void netlist_scope::add_bind(const yaml_node& node, const variables& known) {
  yaml_mapping mapping(node, "bind");
  planned_bind bind;
  const yaml_node from = mapping.required("from");
  bind.from = resolve(from, known);
  bind.to = resolve(mapping.required("to"), known);
  bind.place = from.place();
  mapping.finish();
  expansion_.add(bind);
}

void netlist_scope::read_map(const yaml_entry& entry) {
  const std::string path = path_of(entry.key);
  const planned_unit* const bus = plan_.find_unit(path);
  if (!bus) {
    std::vector<std::string> paths;
    for (const planned_unit& each : plan_.units) paths.push_back(each.path);
    throw user_error(entry.key_place, "no unit '" + path + "' to map" + did_you_mean(path, paths) +
                                          ": `map` names one bus, and `for` repeats its ranges");
  }
  for (const yaml_node& item : as_list(entry.value)) {
    const yaml_mapping checked(item, "map entry");
    const yaml_node range = without_keys(item, {"for", "if"});
    iterate(item, variables_, expansion_,
            [&](const variables& known) { add_range(*bus, range, known); });
  }
}

void netlist_scope::add_range(const planned_unit& bus, const yaml_node& node,
                              const variables& known) {
  yaml_mapping mapping(expand_tree(node, known), "map entry");
  planned_range range;
  range.bus = &bus;
  range.place = node.place();
  range.to = resolve(mapping.required("to"), known);
  if (const auto is_default = mapping.optional("default")) range.is_default = as_bool(*is_default);
  if (const auto absolute = mapping.optional("absolute")) range.is_absolute = as_bool(*absolute);
  if (!range.is_default) {
    range.base = static_cast<std::uint64_t>(as_integer(mapping.required("at"), 0));
    const yaml_node size = mapping.required("size");
    range.size = as_bytes(size);
    if (range.size == 0) throw user_error(size.place(), "an address range has at least one byte");
    if (range.base + range.size - 1 < range.base)
      throw user_error(size.place(), "the range ends beyond the 64-bit address space");
  }
  mapping.finish();
  expansion_.add(range);
}

void netlist_scope::read_exports(const yaml_node& node) {
  if (!node.is_mapping())
    throw user_error(node.place(), "exports is a mapping of outer names to inner ports");
  for (const yaml_entry& entry : node.entries())
    exports_[entry.key] = resolve(entry.value, variables_);
}

}  // namespace heddle
