#include "platform/netlist/scope.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/netlist/expand.hpp"
#include "platform/netlist/iterate.hpp"
#include "platform/netlist/planner.hpp"
#include "platform/text/suggest.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

constexpr int format_version = 1;
constexpr std::size_t deepest_nesting = 16;

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

}  // namespace

netlist_scope::netlist_scope(netlist_plan& plan, std::string prefix, std::string file,
                             std::map<std::string, std::pair<expression_value, source_place>> given)
    : plan_(plan), prefix_(std::move(prefix)), file_(std::move(file)), given_(std::move(given)) {}

std::string netlist_scope::path_of(const std::string& local) const {
  return prefix_.empty() ? local : prefix_ + "." + local;
}

void netlist_scope::read_heading(yaml_mapping& top) {
  const yaml_node version = top.required("heddle");
  if (as_integer(version) != format_version)
    throw user_error(version.place(), "this Heddle reads netlists of version 1");
  name_ = as_text(top.required("name"));
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
    const auto given = given_.find(entry.key);
    variables_[entry.key] =
        given != given_.end() ? given->second.first : expand_value(entry.value, variables_);
  }
}

void netlist_scope::read_body(yaml_mapping& top) {
  const yaml_node units = top.required("units");
  if (!units.is_mapping()) throw user_error(units.place(), "units is a mapping of names to units");
  for (const yaml_entry& entry : units.entries()) read_unit(entry);
  if (const auto node = top.optional("links")) read_links(*node);
  if (const auto node = top.optional("binds"))
    for (const yaml_node& item : as_list(*node)) {
      yaml_mapping mapping(item, "bind");
      iterate(mapping, variables_, [&](const variables& known) { add_bind(item, known); });
    }
  if (const auto node = top.optional("map")) {
    if (!node->is_mapping()) throw user_error(node->place(), "map is a mapping of buses to ranges");
    for (const yaml_entry& entry : node->entries()) read_map(entry);
  }
  if (const auto node = top.optional("exports")) read_exports(*node);
}

void netlist_scope::read_unit(const yaml_entry& entry) {
  yaml_mapping mapping(entry.value, "unit '" + entry.key + "'");
  const auto count_node = mapping.optional("array");
  if (!count_node) return add_unit(entry.key, entry.value, variables_);
  const std::int64_t count = expand_integer(*count_node, variables_);
  if (count < 1 || count > 4096)
    throw user_error(count_node->place(),
                     fmt::format("expected an array of 1 to 4096 units, got {}", count));
  const auto index_node = mapping.optional("index");
  const std::string index = index_node ? as_text(*index_node) : "i";
  if (variables_.count(index))
    throw user_error(index_node ? index_node->place() : entry.key_place,
                     "index '" + index + "' hides a parameter of that name");
  for (std::int64_t i = 0; i < count; ++i) {
    variables known = variables_;
    known[index] = i;
    add_unit(fmt::format("{}[{}]", entry.key, i), entry.value, known);
  }
}

void netlist_scope::add_unit(const std::string& local, const yaml_node& node,
                             const variables& known) {
  const yaml_node expanded = expand_tree(without_key(without_key(node, "array"), "index"), known);
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
  const std::string name = as_choice(type_name, "unit type", types.unit_type_names());
  planned_unit planned;
  planned.path = path;
  planned.type = types.find_unit_type(name);
  planned.parameters = planned.type->make_parameters();
  planned.parameters->load(unit);
  planned.place = unit.node().place();
  unit.finish();
  plan_.add_unit(std::move(planned));
}

void netlist_scope::add_used(const std::string& path, yaml_mapping& unit, const yaml_node& file) {
  if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '.')) >= deepest_nesting)
    throw user_error(file.place(),
                     "sub-netlists are nested more than 16 deep: does one use itself?");
  std::map<std::string, std::pair<expression_value, source_place>> given;
  for (const yaml_entry& entry : unit.node().entries())
    if (entry.key != "use") given[entry.key] = {expand_value(entry.value, {}), entry.key_place};
  const std::string found = find_netlist(as_text(file), file_);
  yaml_node root;
  try {
    root = parse_yaml_file(found);
  } catch (const user_error& error) {
    if (error.place().line > 0) throw;
    throw user_error(file.place(), error.what());
  }
  netlist_scope inner(plan_, path, found, std::move(given));
  yaml_mapping top(root, "sub-netlist");
  inner.read_heading(top);
  inner.read_body(top);
  top.finish();
  exports_of_[path] = std::move(inner.exports_);
}

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
      return {inner->second.unit, inner->second.port + index_suffix(port)};
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
  return {unit_path, port.name + index_suffix(port)};
}

void netlist_scope::read_links(const yaml_node& node) {
  for (const yaml_node& item : as_list(node)) {
    yaml_mapping mapping(item, "link");
    iterate(mapping, variables_, [&](const variables& known) { add_link(item, known); });
  }
}

void netlist_scope::add_link(const yaml_node& node, const variables& known) {
  yaml_mapping mapping(without_key(node, "for"), "link");
  const yaml_node between = mapping.required("between");
  if (!between.is_sequence() || between.items().size() != 2)
    throw user_error(between.place(), "`between` names two ports: [a.port[0], b.port[1]]");
  planned_link link;
  link.place = between.place();
  link.a = resolve(between.items()[0], known);
  link.b = resolve(between.items()[1], known);
  const std::string kind = find_port(*plan_.find_unit(link.a.unit)->type, link.a.port)->kind;
  link.type = registry::instance().find_link_type(kind);
  if (!link.type)
    throw user_error(between.place(), fmt::format("{} is a {} port: join it under `binds`, not "
                                                  "`links`",
                                                  link.a.text(), kind));
  link.parameters = link.type->make_parameters();
  const yaml_node expanded = expand_tree(without_key(without_key(node, "for"), "between"), known);
  yaml_mapping rest(expanded, "link");
  rest.optional("between");
  link.parameters->load(rest);
  rest.finish();
  plan_.links.push_back(std::move(link));
}

void netlist_scope::add_bind(const yaml_node& node, const variables& known) {
  yaml_mapping mapping(without_key(node, "for"), "bind");
  planned_bind bind;
  const yaml_node from = mapping.required("from");
  bind.from = resolve(from, known);
  bind.to = resolve(mapping.required("to"), known);
  bind.place = from.place();
  mapping.finish();
  plan_.binds.push_back(std::move(bind));
}

void netlist_scope::read_map(const yaml_entry& entry) {
  const std::string bus = path_of(entry.key);
  if (!plan_.find_unit(bus)) throw user_error(entry.key_place, "no unit '" + bus + "' to map");
  for (const yaml_node& item : as_list(entry.value)) {
    yaml_mapping mapping(item, "map entry");
    iterate(mapping, variables_, [&](const variables& known) { add_range(bus, item, known); });
  }
}

void netlist_scope::add_range(const std::string& bus, const yaml_node& node,
                              const variables& known) {
  yaml_mapping mapping(expand_tree(without_key(node, "for"), known), "map entry");
  planned_range range;
  range.bus = bus;
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
  plan_.ranges.push_back(std::move(range));
}

void netlist_scope::read_exports(const yaml_node& node) {
  if (!node.is_mapping())
    throw user_error(node.place(), "exports is a mapping of outer names to inner ports");
  for (const yaml_entry& entry : node.entries())
    exports_[entry.key] = resolve(entry.value, variables_);
}

}  // namespace heddle
