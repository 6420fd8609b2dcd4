#include "platform/cli/reference_page.hpp"

#include <fmt/format.h>

#include <vector>

#include "platform/cli/markdown.hpp"
#include "platform/netlist/topology.hpp"
#include "platform/text/markup.hpp"
#include "platform/unit/registry.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

std::string table(const std::vector<std::string>& heading, const std::string& rows) {
  return rows.empty() ? "" : html_table(heading, rows);
}

std::string code(const std::string& text) {
  return "<code>" + markup_escaped(text) + "</code>";
}

std::string heading(const std::string& name, const std::string& meaning) {
  return fmt::format("<h3 id=\"{0}\">{0}</h3>\n<p>{1}</p>\n", markup_escaped(name),
                     markup_escaped(meaning));
}

std::string parameters_html(const parameter_set& set) {
  std::string rows;
  for (const parameter_base* each : set.all())
    rows += html_row({code(each->name()), markup_escaped(each->kind()),
                      markup_escaped(each->range()), code(each->text()),
                      markup_escaped(each->meaning()), markup_escaped(each->source())});
  return table({"parameter", "kind", "range", "default", "meaning", "default from"}, rows);
}

std::string parts_html(const char* title, const std::vector<topology_part>& parts) {
  std::string rows;
  for (const topology_part& each : parts)
    rows += html_row({code(each.key), markup_escaped(each.meaning)});
  return table({title, "meaning"}, rows);
}

}  // namespace

std::string units_html() {
  std::string html;
  const registry& types = registry::instance();
  for (const std::string& name : types.unit_type_names()) {
    const unit_type& type = *types.find_unit_type(name);
    html += heading(name, type.meaning) + parameters_html(*type.make_parameters());
    std::string rows;
    for (const port_description& each : type.ports)
      rows += html_row({code(each.name), markup_escaped(each.kind), markup_escaped(each.meaning)});
    html += table({"port", "kind", "meaning"}, rows);
    rows.clear();
    const auto statistics = type.make_statistics();
    for (const statistic* each : statistics->all())
      rows += html_row(
          {code(each->name()), unit_symbol(each->what()), markup_escaped(each->meaning())});
    html += table({"statistic", "unit", "meaning"}, rows) +
            markdown_html(type.registers_markdown, name);
  }
  return html;
}

std::string links_html() {
  std::string html;
  for (const link_type& each : registry::instance().link_types())
    html += heading(each.kind + " link", each.meaning) + parameters_html(*each.make_parameters());
  return html;
}

std::string topologies_html() {
  std::string html;
  const topology_registry& all = topology_registry::instance();
  for (const std::string& name : all.names()) {
    const topology_type& type = *all.find(name);
    html += heading(name, type.meaning) + parameters_html(*type.make_parameters()) +
            parts_html("units", type.units) + parts_html("links", type.links);
  }
  return html;
}

std::string workloads_html() {
  std::string rows, references;
  for (const workload_kind& each : workload_registry::instance().kinds()) {
    if (each.reference)
      references += "<h3>Algorithms of " + code(each.name) + "</h3>\n" +
                    markdown_html(each.reference(), each.name);
    std::string collectives;
    for (const std::string& one : each.collectives)
      collectives += (collectives.empty() ? "" : ", ") + code(one);
    rows += html_row({code(each.name), markup_escaped(each.meaning), collectives});
  }
  return table({"kind", "meaning", "collectives"}, rows) + references;
}

}  // namespace heddle
