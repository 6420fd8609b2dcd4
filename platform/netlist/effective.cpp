#include "platform/netlist/effective.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

// Quoted wherever YAML could read the text as something else. Other bytes than those of control
// characters stand for themselves: UTF-8 stays readable.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + "\"";
}

void append(std::string& out, int indent, const parameter_set& set) {
  for (const parameter_base* each : set.all())
    out += fmt::format("{:{}}{}: {}  # {}\n", "", indent, each->name(), quoted(each->text()),
                       each->origin());
}

std::string origin_of(const netlist_plan& plan, const std::string& key) {
  const auto found = plan.origins.find(key);
  return found == plan.origins.end() ? "default" : found->second;
}

void append_tree(std::string& out, int indent, const std::string& key, const yaml_node& node);

void append_item(std::string& out, int indent, const yaml_node& item) {
  if (!item.is_mapping()) {
    out += fmt::format("{:{}}- {}\n", "", indent, quoted(item.text()));
    return;
  }
  out += fmt::format("{:{}}-\n", "", indent);
  for (const yaml_entry& entry : item.entries())
    append_tree(out, indent + 2, entry.key, entry.value);
}

void append_tree(std::string& out, int indent, const std::string& key, const yaml_node& node) {
  if (node.is_scalar()) {
    out += fmt::format("{:{}}{}: {}  # {}\n", "", indent, key, quoted(node.text()), node.origin());
  } else if (node.is_sequence()) {
    out += fmt::format("{:{}}{}:\n", "", indent, key);
    for (const yaml_node& item : node.items()) append_item(out, indent + 2, item);
  } else {
    out += fmt::format("{:{}}{}:\n", "", indent, key);
    for (const yaml_entry& entry : node.entries())
      append_tree(out, indent + 2, entry.key, entry.value);
  }
}

}  // namespace

void write_effective_configuration(const netlist_plan& plan,
                                   const std::function<void(const std::string&)>& write) {
  std::string out = fmt::format(
      "# Effective configuration of {}: every value, and where it comes from.\nname: {}\nfile: "
      "{}\n",
      plan.name, quoted(plan.name), quoted(plan.file));
  const auto append_setting = [&](const std::string& key, const std::string& value) {
    out += fmt::format("{}: {}  # {}\n", key, value, origin_of(plan, key));
  };
  append_setting("seed", std::to_string(plan.settings.seed));
  append_setting("train", std::to_string(plan.settings.train));
  append_setting("data", plan.settings.carries_data ? "on" : "off");
  append_setting("monitors", plan.settings.has_monitors ? "on" : "off");
  if (!plan.params.empty()) out += "params:\n";
  for (const auto& [name, value] : plan.params)
    out += fmt::format("  {}: {}  # {}\n", name, quoted(value), origin_of(plan, "params." + name));
  out += "units:\n";
  const auto hand_out = [&] {
    write(out);
    out.clear();
  };
  hand_out();
  for (const planned_unit& each : plan.units) {
    out += fmt::format("  {}:\n    type: {}\n", quoted(each.path), each.type->name);
    append(out, 4, *each.parameters);
    hand_out();
  }
  if (!plan.links.empty()) out += "links:\n";
  for (const planned_link& each : plan.links) {
    out += fmt::format("  - between: [{}, {}]\n", quoted(each.a.text()), quoted(each.b.text()));
    append(out, 4, *each.parameters);
    hand_out();
  }
  for (const auto& [key, section] : plan.sections) append_tree(out, 0, key, section);
  if (plan.workload) append_tree(out, 0, "workload", *plan.workload);
  hand_out();
}

}  // namespace heddle
