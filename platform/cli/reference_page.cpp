#include "platform/cli/reference_page.hpp"

#include <fmt/format.h>

#include <sstream>
#include <vector>

#include "platform/netlist/topology.hpp"
#include "platform/text/markup.hpp"
#include "platform/unit/registry.hpp"
#include "platform/workload/workload_kind.hpp"

namespace heddle {
namespace {

std::string row(const std::vector<std::string>& cells, const char* element = "td") {
  std::string html = "<tr>";
  for (const std::string& each : cells) html += fmt::format("<{0}>{1}</{0}>", element, each);
  return html + "</tr>\n";
}

std::string table(const std::vector<std::string>& heading, const std::string& rows) {
  return rows.empty() ? "" : "<table>\n" + row(heading, "th") + rows + "</table>\n";
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
    rows +=
        row({code(each->name()), markup_escaped(each->kind()), markup_escaped(each->range()),
             code(each->text()), markup_escaped(each->meaning()), markup_escaped(each->source())});
  return table({"parameter", "kind", "range", "default", "meaning", "default from"}, rows);
}

// What stands between backticks is code.
std::string inline_html(const std::string& text) {
  std::string html;
  bool is_code = false;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, '`'); is_code = !is_code)
    html += is_code ? code(part) : markup_escaped(part);
  return html;
}

// The generated tables are Markdown: rows of cells between bars, paragraphs around them.
std::string markdown_html(const std::string& text) {
  std::string html, rows;
  std::istringstream lines(text);
  const auto end_table = [&] {
    if (!rows.empty()) html += "<table>\n" + rows + "</table>\n";
    rows.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '|') {
      end_table();
      if (!line.empty()) html += "<p>" + inline_html(line) + "</p>\n";
      continue;
    }
    if (line.find_first_not_of("|-: ") == std::string::npos) continue;  // below the heading
    std::vector<std::string> cells;
    std::istringstream rest(line.substr(1));
    for (std::string cell; std::getline(rest, cell, '|');) cells.push_back(inline_html(cell));
    rows += row(cells, rows.empty() ? "th" : "td");
  }
  end_table();
  return html;
}

std::string parts_html(const char* title, const std::vector<topology_part>& parts) {
  std::string rows;
  for (const topology_part& each : parts)
    rows += row({code(each.key), markup_escaped(each.meaning)});
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
      rows += row({code(each.name), markup_escaped(each.kind), markup_escaped(each.meaning)});
    html += table({"port", "kind", "meaning"}, rows);
    rows.clear();
    const auto statistics = type.make_statistics();
    for (const statistic* each : statistics->all())
      rows += row({code(each->name()), unit_symbol(each->what()), markup_escaped(each->meaning())});
    html += table({"statistic", "unit", "meaning"}, rows) + markdown_html(type.registers_markdown);
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
      references +=
          "<h3>Algorithms of " + code(each.name) + "</h3>\n" + markdown_html(each.reference());
    std::string collectives;
    for (const std::string& one : each.collectives)
      collectives += (collectives.empty() ? "" : ", ") + code(one);
    rows += row({code(each.name), markup_escaped(each.meaning), collectives});
  }
  return table({"kind", "meaning", "collectives"}, rows) + references;
}

}  // namespace heddle
