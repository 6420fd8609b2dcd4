#include "platform/report/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "platform/explain/category_text.hpp"
#include "platform/report/html.hpp"
#include "platform/report/job_row.hpp"
#include "platform/text/format_seconds.hpp"
#include "platform/text/markup.hpp"
#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 1000;

std::string time_figure(const std::string& path, double s) {
  return html_figure(path, s, format_seconds(s));
}

std::string rate_figure(const std::string& path, double rate) {
  return html_figure(path, rate, format_bandwidth(rate));
}

std::string verified_text(const json& row) {
  if (row.value("verified", false)) return "verified";
  return row.value("checked", false) ? "wrong data" : "not checked";
}

std::string card(const char* name, const std::string& figure) {
  return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", figure, name);
}

std::string readable(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// The categories that took time, the largest first.
std::vector<std::pair<std::string, double>> parts_of(const json& collective) {
  std::vector<std::pair<std::string, double>> parts;
  if (!collective.contains("breakdown")) return parts;
  for (const auto& [name, s] : collective["breakdown"].items())
    if (s.get<double>() > 0) parts.emplace_back(name, s.get<double>());
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return parts;
}

std::string percent_figure(const std::string& part_path, double part, const std::string& whole_path,
                           double whole) {
  const double share = whole > 0 ? part / whole : 0;
  return html_figure(part_path + " / " + whole_path, share, fmt::format("{:.1f} %", 100 * share));
}

std::string count_figure(const std::string& path, double count) {
  return html_figure(path, count, fmt::format("{:.0f}", count));
}

// Where a category of that job spent its time, from report.json.
std::string places_of(const report_run& run, const report_row& of, const std::string& category) {
  if (!run.record.contains("paths")) return {};
  std::string rows;
  for (std::size_t i = 0; i < run.record["paths"].size(); ++i) {
    const json& path = run.record["paths"][i];
    if (path["row"] != of.path) continue;
    for (std::size_t k = 0; k < path["shares"].size(); ++k) {
      const json& share = path["shares"][k];
      if (share[0] != category) continue;
      const std::string base = fmt::format("record.paths[{}].shares[{}]", i, k);
      rows += html_row({markup_escaped(share[1].get<std::string>()),
                        time_figure(base + "[2]", share[2]),
                        percent_figure(base + "[2]", share[2], of.path + ".time_s",
                                       (*of.fields)["time_s"].get<double>()),
                        count_figure(base + "[3]", share[3].get<double>())});
    }
  }
  return rows.empty() ? "" : html_table({"where", "time", "of the path", "steps"}, rows);
}

// The last job of each algorithm that was explained.
std::vector<report_row> explained(const report_run& run) {
  std::vector<report_row> last;
  for (const report_row& each : run.rows()) {
    if (!each.fields->contains("breakdown")) continue;
    const auto is_same = [&](const report_row& other) {
      return other.fields->value("algorithm", "") == each.fields->value("algorithm", "") &&
             other.fields->value("workload", "") == each.fields->value("workload", "");
    };
    last.erase(std::remove_if(last.begin(), last.end(), is_same), last.end());
    last.push_back(each);
  }
  return last;
}

// "-" where a kind of workload does not tell it.
template <class Figure>
std::string cell_of(const report_row& row, const char* key, Figure figure) {
  if (!row.fields->contains(key) || !(*row.fields)[key].is_number()) return "-";
  return figure(row.path + "." + key, (*row.fields)[key].get<double>());
}

std::string size_figure(const std::string& path, double bytes) {
  return html_figure(path, bytes, format_bytes(static_cast<std::uint64_t>(bytes)));
}

// "left: allreduce" where there are several workloads.
std::string name_of(const json& row) {
  const std::string workload = row.value("workload", "");
  return (workload.empty() ? "" : workload + ": ") + row.value("name", "");
}

}  // namespace

std::string job_name_html(const json& row) {
  std::string text = name_of(row);
  const std::string algorithm = row.value("algorithm", "");
  if (!algorithm.empty()) text += " by " + algorithm;
  return markup_escaped(text);
}

namespace {

std::string link_cell(const std::string& key, std::size_t index, const std::string& text,
                      double value) {
  if (holds_names(key)) return markup_escaped(text);
  std::string shown = text;
  if (key == "bandwidth_Bps") shown = format_bandwidth(value);
  if (key == "latency_s" || key == "busy_s") shown = format_seconds(value);
  if (key == "utilization") shown = fmt::format("{:.1f} %", 100 * value);
  if (key == "buffer_bytes" || key == "wire_bytes" || key == "payload_bytes")
    shown = format_bytes(static_cast<std::uint64_t>(value));
  return html_figure(fmt::format("links[{}].{}", index, key), value, shown);
}

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream rest(text);
  for (std::string each; std::getline(rest, each);) lines.insert(each);
  return lines;
}

}  // namespace

std::string verdict_html(const report_run& run) {
  if (run.stats.contains("failures")) {
    std::string text;
    for (const json& each : run.stats["failures"])
      text += "failed: " + each.get<std::string>() + "\n";
    return "<p class=\"verdict failed\">" + markup_escaped(text) + "</p>\n";
  }
  return "<p class=\"verdict\">" + markup_escaped(run.stats.value("bottleneck", "")) + "</p>\n";
}

std::string cards_html(const report_run& run) {
  std::string cards;
  if (const auto last = run.last()) {
    const auto add = [&](const char* name, const char* key, auto figure) {
      if (last->fields->contains(key) && (*last->fields)[key].get<double>() > 0)
        cards += card(name, cell_of(*last, key, figure));
    };
    const json& fields = *last->fields;
    add("time", "time_s", time_figure);
    add("a rank's data", "bytes", size_figure);
    add("algorithm bandwidth", "algbw_Bps", rate_figure);
    add("bus bandwidth", "busbw_Bps", rate_figure);
    if (fields.value("ceiling_Bps", 0.0) > 0)
      cards += card("of the wires' ceiling",
                    percent_figure(last->path + ".algbw_Bps", fields["algbw_Bps"].get<double>(),
                                   last->path + ".ceiling_Bps", fields["ceiling_Bps"]));
    cards += card("result", verified_text(fields));
  }
  cards += card("simulated", time_figure("simulated_s", run.stats["simulated_s"]));
  return "<div class=\"cards\">" + cards + "</div>\n";
}

// In the words of the job's kind, or the bytes of its tensor.
std::string size_of(const report_row& job) {
  const json& fields = *job.fields;
  if (fields.contains("size")) return markup_escaped(fields["size"].get<std::string>());
  return cell_of(job, "bytes", size_figure);
}

std::string jobs_html(const report_run& run) {
  std::string rows;
  std::size_t shown = 0;
  for (const report_row& each : run.rows()) {
    if (++shown > most_rows) break;
    const json& fields = *each.fields;
    rows += html_row({markup_escaped(name_of(fields)), markup_escaped(algorithm_label(fields)),
                      cell_of(each, "ranks", count_figure),
                      markup_escaped(fields.value("dtype", "")), size_of(each),
                      cell_of(each, "time_s", time_figure), cell_of(each, "algbw_Bps", rate_figure),
                      cell_of(each, "busbw_Bps", rate_figure), verified_text(fields)});
  }
  if (rows.empty()) return {};
  return html_table(
      {"job", "algorithm", "ranks", "type", "size", "time", "algbw", "busbw", "result"}, rows);
}

std::string critical_path_html(const report_run& run) {
  std::string text;
  for (const report_row& each : explained(run)) {
    const json& fields = *each.fields;
    const double total = fields["time_s"];
    text += fmt::format("<h3>{}, {}</h3>\n", job_name_html(fields), size_of(each));
    for (const auto& [name, s] : parts_of(fields))
      text += fmt::format(
          "<details><summary><span class=\"name\">{}</span>{} <span class=\"share\">{}</span>"
          "</summary>\n{}</details>\n",
          text_of_category(name), time_figure(each.path + ".breakdown." + name, s),
          percent_figure(each.path + ".breakdown." + name, s, each.path + ".time_s", total),
          places_of(run, each, name));
  }
  return text;
}

std::string latency_html(const report_run& run) {
  if (!run.stats.contains("latency") || run.stats["latency"].empty()) return {};
  std::string rows;
  for (const auto& [what, one] : run.stats["latency"].items()) {
    const std::string base = "latency." + what + ".";
    std::vector<std::string> cells = {
        readable(what), html_figure(base + "count", one["count"], one["count"].dump())};
    for (const char* key : {"min_s", "p50_s", "p90_s", "p99_s", "max_s", "mean_s"})
      cells.push_back(time_figure(base + key, one[key]));
    rows += html_row(cells);
  }
  return html_table({"", "count", "min", "p50", "p90", "p99", "max", "mean"}, rows);
}

std::string links_html(const report_run& run) {
  std::vector<std::string> heading;
  for (const std::string& each : run.link_keys) heading.push_back(readable(each));
  const auto column = std::find(run.link_keys.begin(), run.link_keys.end(), "wire_bytes");
  const auto bytes = static_cast<std::size_t>(column - run.link_keys.begin());
  std::vector<std::size_t> order(run.links.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (column != run.link_keys.end())
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return run.links[a].numbers[bytes] > run.links[b].numbers[bytes];
    });
  std::string rows;
  for (std::size_t i = 0; i < std::min(most_rows, order.size()); ++i) {
    const report_link& link = run.links[order[i]];
    std::vector<std::string> cells;
    for (std::size_t k = 0; k < run.link_keys.size(); ++k)
      cells.push_back(link_cell(run.link_keys[k], order[i], link.cells[k], link.numbers[k]));
    rows += html_row(cells);
  }
  std::string text = html_table(heading, rows);
  if (order.size() > most_rows)
    text += fmt::format("<p>The {} links with the most bytes of {}; all are in links.csv.</p>\n",
                        most_rows, order.size());
  return text;
}

std::string registers_html(const report_run& run) {
  if (!run.record.contains("registers") || run.record["registers"].empty()) return {};
  std::string rows;
  const json& all = run.record["registers"];
  for (std::size_t i = 0; i < std::min(most_rows, all.size()); ++i)
    rows += html_row(
        {markup_escaped(all[i][0].get<std::string>()),
         count_figure(fmt::format("record.registers[{}][2]", i), all[i][2].get<double>()),
         count_figure(fmt::format("record.registers[{}][1]", i), all[i][1].get<double>())});
  return html_table({"register", "writes", "reads"}, rows);
}

std::string configuration_html(const report_run& run, const std::vector<report_run>& all) {
  std::vector<std::set<std::string>> others;
  for (const report_run& each : all)
    if (&each != &run) others.push_back(lines_of(each.configuration));
  constexpr std::size_t most_bytes = 1'000'000;
  std::string text;
  std::istringstream rest(run.configuration);
  for (std::string line; std::getline(rest, line);) {
    if (text.size() > most_bytes) {
      text += "...\nAll of it is in config.yaml.\n";
      break;
    }
    const bool differs = std::any_of(others.begin(), others.end(),
                                     [&](const auto& lines) { return lines.count(line) == 0; });
    text += differs ? "<mark>" + markup_escaped(line) + "</mark>\n" : markup_escaped(line) + "\n";
  }
  return "<pre>" + text + "</pre>\n";
}

namespace {

// Of a run. Its path begins with the number of the run.
struct compared_figure {
  std::string path;
  double value = 0;  // also where the run has none
};

// Of the last job.
compared_figure figure_of(const report_run& run, std::size_t number, const std::string& key) {
  std::string place = "/" + key;
  std::replace(place.begin(), place.end(), '.', '/');
  const json::json_pointer pointer(place);
  const auto last = run.last();
  compared_figure found{fmt::format("{}:{}.{}", number, last ? last->path : "", key)};
  if (last && last->fields->contains(pointer)) found.value = (*last->fields)[pointer].get<double>();
  return found;
}

std::string rate_in_flits(double flits_per_cycle) {
  return fmt::format("{:.4g}", flits_per_cycle);
}

// What networks of synthetic traffic tell.
struct traffic_figure {
  const char *networks, *key, *name;
  std::string (*text_of)(double);
};
constexpr traffic_figure traffic_figures[] = {
    {"packet_traffic", "accepted_Bps", "accepted", format_bandwidth},
    {"packet_traffic", "latency_s", "latency", format_seconds},
    {"packet_traffic", "latency_99_s", "p99 of the latency", format_seconds},
    {"traffic", "accepted_flits_per_cycle", "accepted, flits a cycle", rate_in_flits},
    {"traffic", "latency_s", "latency", format_seconds},
};

// nullptr where the run has not so many networks.
const json* network_of(const report_run& run, const char* networks, std::size_t index) {
  const auto all = run.stats.find(networks);
  return all != run.stats.end() && index < all->size() ? &(*all)[index] : nullptr;
}

std::string factor_html(const compared_figure& of, const compared_figure& first) {
  const double factor = of.value / first.value;
  return fmt::format(
      " <span class=\"share\">{}</span>",
      html_figure(of.path + " / " + first.path, factor, fmt::format("{:.3g} x", factor)));
}

// Of all runs, and factors against the first one; no row where none of them has the figure.
std::string comparison_row(const std::string& name, const std::vector<compared_figure>& figures,
                           std::string (*text_of)(double)) {
  if (std::all_of(figures.begin(), figures.end(),
                  [](const compared_figure& each) { return each.value <= 0; }))
    return {};
  std::vector<std::string> cells = {name};
  const compared_figure& first = figures.front();
  for (const compared_figure& own : figures) {
    std::string cell = own.value > 0 ? html_figure(own.path, own.value, text_of(own.value)) : "-";
    if (&own != &first && first.value > 0 && own.value > 0) cell += factor_html(own, first);
    cells.push_back(cell);
  }
  return html_row(cells);
}

// Figures of the last jobs under that key.
std::string row_of_jobs(const std::vector<report_run>& runs, const std::string& name,
                        const std::string& key, std::string (*text_of)(double)) {
  std::vector<compared_figure> figures;
  for (std::size_t i = 0; i < runs.size(); ++i) figures.push_back(figure_of(runs[i], i, key));
  return comparison_row(name, figures, text_of);
}

std::string row_of_traffic(const std::vector<report_run>& runs, const traffic_figure& of,
                           std::size_t index) {
  std::vector<compared_figure> figures;
  std::string name;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    figures.push_back({fmt::format("{}:{}[{}].{}", i, of.networks, index, of.key)});
    const json* const network = network_of(runs[i], of.networks, index);
    if (!network) continue;
    figures.back().value = network->value(of.key, 0.0);
    if (name.empty()) name = network->value("network", "") + ": " + of.name;
  }
  return comparison_row(markup_escaped(name), figures, of.text_of);
}

std::string rows_of_traffic(const std::vector<report_run>& runs) {
  std::size_t networks = 0;
  for (const report_run& each : runs)
    for (const traffic_figure& of : traffic_figures)
      while (network_of(each, of.networks, networks)) ++networks;
  std::string rows;
  for (std::size_t index = 0; index < networks; ++index)
    for (const traffic_figure& of : traffic_figures) rows += row_of_traffic(runs, of, index);
  return rows;
}

}  // namespace

std::string comparison_html(const std::vector<report_run>& runs) {
  std::vector<std::string> heading = {""};
  for (const report_run& each : runs) heading.push_back(markup_escaped(each.directory));
  std::string rows = row_of_jobs(runs, "time", "time_s", format_seconds) +
                     row_of_jobs(runs, "algorithm bandwidth", "algbw_Bps", format_bandwidth);
  std::set<std::string> seen;
  for (const report_run& each : runs) {
    const auto last = each.last();
    if (!last) continue;
    for (const auto& part : parts_of(*last->fields))
      if (seen.insert(part.first).second)
        rows += row_of_jobs(runs, text_of_category(part.first), "breakdown." + part.first,
                            format_seconds);
  }
  rows += rows_of_traffic(runs);
  return html_table(heading, rows);
}

}  // namespace heddle
