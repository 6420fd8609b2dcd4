#include "platform/report/report_page.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "platform/explain/category.hpp"
#include "platform/report/html.hpp"
#include "platform/report/report_text.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/markup.hpp"

namespace heddle {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_drawn_links = 8192;

// What the map needs to know of units, from config.yaml: "types" tell switches from endpoints, "x"
// and "y" are places in a mesh.
json units_of(const std::string& configuration) {
  json types = json::object(), x = json::object(), y = json::object();
  std::istringstream rest(configuration);
  std::string unit;
  for (std::string line; std::getline(rest, line);) {
    if (line.rfind("  \"", 0) == 0 && line.size() > 5 && line.substr(line.size() - 2) == "\":")
      unit = line.substr(3, line.size() - 5);
    else if (line.rfind("    type: ", 0) == 0 && !unit.empty())
      types[unit] = line.substr(10);
    else if (line.rfind("    x: \"", 0) == 0)
      x[unit] = std::strtol(line.c_str() + 8, nullptr, 10);
    else if (line.rfind("    y: \"", 0) == 0)
      y[unit] = std::strtol(line.c_str() + 8, nullptr, 10);
  }
  return {{"types", types}, {"x", x}, {"y", y}};
}

json drawn_data(const report_run& run) {
  json links = json::array();  // of too many, no map can be read
  if (run.links.size() <= most_drawn_links)
    for (const report_link& each : run.links) links.push_back(each.cells);
  json data = {{"netlist", run.stats["netlist"]},      {"rows", json::array()},
               {"link_keys", run.link_keys},           {"links", links},
               {"units", units_of(run.configuration)}, {"record", run.record}};
  for (const report_row& each : run.rows()) {
    json row = *each.fields;
    row["path"] = each.path;
    row.erase("rank_time_s");
    data["rows"].push_back(row);
  }
  for (const char* key : {"busy", "latency"})
    if (run.stats.contains(key)) data[key] = run.stats[key];
  return data;
}

// What people call the categories of a critical path.
json category_texts() {
  json texts = json::object();
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto each = static_cast<category>(i);
    texts[name_of(each)] = text_of(each);
  }
  return texts;
}

std::string json_element(const char* id, const json& content) {
  return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
                     script_escaped(content.dump(-1, ' ', false, json::error_handler_t::replace)));
}

std::string picture(const char* what) {
  return fmt::format("<div class=\"picture {0}\" data-draw=\"{0}\"></div>\n", what);
}

// The parts of an article that unfold. What is empty is left out.
class sections {
 public:
  // Links to them name the run, counted from 0.
  explicit sections(std::size_t run) : run_(run) {}

  void add(const char* name, const char* title, const std::string& text, bool is_open) {
    if (text.empty()) return;
    const std::string id = fmt::format("{}-{}", name, run_);
    contents_ += fmt::format("<a href=\"#{}\">{}</a>\n", id, title);
    text_ +=
        fmt::format("<details class=\"section\" id=\"{}\"{}><summary>{}</summary>\n{}</details>\n",
                    id, is_open ? " open" : "", title, text);
  }

  std::string contents() const { return "<nav>" + contents_ + "</nav>\n"; }
  const std::string& text() const { return text_; }

 private:
  std::size_t run_;
  std::string contents_, text_;
};

std::string heading_of(const report_run& run) {
  std::string text = markup_escaped(run.stats["netlist"].get<std::string>());
  if (const auto last = run.last()) text += ": " + job_name_html(*last->fields);
  return text;
}

sections sections_of(const report_run& run, std::size_t index, const std::vector<report_run>& all) {
  const std::string latency = latency_html(run);
  sections made(index);
  made.add("jobs", "Jobs", jobs_html(run), run.rows().size() > 1);
  made.add("path", "Critical path", critical_path_html(run), true);
  made.add("latency", "Latency", latency.empty() ? "" : latency + picture("latency"), true);
  made.add("links", "Links", links_html(run), false);
  made.add("registers", "Registers written", registers_html(run), false);
  made.add("configuration", "Configuration, with the origin of each value",
           configuration_html(run, all), false);
  made.add("summary", "Summary", "<pre>" + markup_escaped(run.summary) + "</pre>", false);
  return made;
}

std::string article(const report_run& run, std::size_t index, const std::vector<report_run>& all) {
  const sections parts = sections_of(run, index, all);
  std::string html =
      fmt::format("<article data-run=\"{}\">\n<h1>{}</h1>\n", index, heading_of(run));
  html += verdict_html(run) + cards_html(run) + parts.contents();
  html += picture("path") + "<div class=\"overview\">" + picture("map") + picture("timeline") +
          "</div>\n";
  if (run.record.is_null())
    html +=
        "<p class=\"hint\">No time line: <code>heddle run --report FILE</code> records one.</p>\n";
  return html + parts.text() + "</article>\n";
}

std::string page_of(const std::vector<std::string>& directories) {
  std::vector<report_run> runs;
  for (const std::string& each : directories) runs.push_back(read_report_run(each));
  json data = json::array();
  for (const report_run& each : runs) data.push_back(drawn_data(each));
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>Heddle: " +
      markup_escaped(runs.front().stats["netlist"].get<std::string>()) +
      "</title>\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n" +
      report_style() + "</style></head><body>\n";
  if (runs.size() > 1)
    html += "<section class=\"comparison\">" + comparison_html(runs) + "</section>\n";
  html += fmt::format("<main class=\"{}\">\n", runs.size() > 1 ? "several" : "one");
  for (std::size_t i = 0; i < runs.size(); ++i) html += article(runs[i], i, runs);
  html += "</main>\n" + json_element("data", data) + json_element("categories", category_texts()) +
          "<script>\n" + report_script() + "</script>\n</body></html>\n";
  return html;
}

}  // namespace

std::string report_page(const std::vector<std::string>& directories) {
  try {
    return page_of(directories);
  } catch (const json::exception& error) {  // a value of another type than a run writes
    throw user_error(fmt::format("'{}' is not what a run writes: {}",
                                 fmt::join(directories, "', '"), error.what()));
  }
}

}  // namespace heddle
