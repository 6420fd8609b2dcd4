#include "platform/claims/claim.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <tuple>

#include "platform/netlist/installed_files.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

double read_tolerance(const yaml_node& node) {
  const std::string text = as_text(node);
  if (text.empty() || text.back() != '%')
    throw user_error(node.place(), "expected a tolerance such as 2%");
  return as_double(yaml_node::scalar(text.substr(0, text.size() - 1), false, node.place())) / 100;
}

claim_sets sets_of(const yaml_node& node) {
  claim_sets sets;
  for (const yaml_entry& entry : node.entries()) sets.emplace_back(entry.key, as_text(entry.value));
  return sets;
}

claim_sets read_sets(yaml_mapping& mapping) {
  const auto n = mapping.optional("set");
  return n ? sets_of(*n) : claim_sets{};
}

// What a claim and each of its cases may say: a case says what differs, or adds sets.
void read_run(yaml_mapping& mapping, claim_run& run) {
  if (const auto n = mapping.optional("ours")) run.ours = as_text(*n);
  if (const auto n = mapping.optional("study")) {
    run.study = as_text(*n);
    run.study_place = n->place();
  }
  if (const auto n = mapping.optional("netlist")) run.netlist = as_text(*n);
  for (auto& each : read_sets(mapping)) run.sets.push_back(std::move(each));
}

claim_run read_over(const yaml_node& node, const claim_run& first, const claim_sets& common) {
  yaml_mapping mapping(node, "over");
  claim_run second = first;
  second.sets = common;
  read_run(mapping, second);
  mapping.finish();
  return second;
}

// {key: [value of the first point, of the second, ...], ...}
std::vector<claim_sets> read_each(const yaml_node& node) {
  std::vector<claim_sets> points;
  for (const yaml_entry& entry : node.entries()) {
    const std::vector<yaml_node> values = as_list(entry.value);
    if (!points.empty() && points.size() != values.size())
      throw user_error(entry.value.place(), "every key has as many values as the first");
    points.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      points[i].emplace_back(entry.key, as_text(values[i]));
  }
  if (points.empty()) throw user_error(node.place(), "expected keys with a value for each run");
  return points;
}

void read_points(yaml_mapping& mapping, claim_case& one) {
  one.points = {{}};
  one.best_of = {{}};
  if (const auto n = mapping.optional("best_of")) {
    one.best_of.clear();
    for (const yaml_node& each : as_list(*n)) one.best_of.push_back(sets_of(each));
  }
  const auto take = mapping.optional("take");
  if (!take) return;
  one.take = as_choice(*take, "take", {"slope", "geomean", "smallest", "largest"});
  one.points = read_each(mapping.required("each"));
  if (one.take != "slope") return;
  const yaml_node at = mapping.required("at");
  for (const yaml_node& each : as_list(at)) one.at.push_back(as_double(each));
  if (one.at.size() != one.points.size() || one.at.size() < 2)
    throw user_error(at.place(), "a slope needs two runs or more, and `at` a value for each");
}

void read_aside(yaml_mapping& mapping, claim_case& one) {
  for (const char* const why : {"analytic", "reading"})
    if (const auto n = mapping.optional(why)) one.aside = as_bool(*n) ? why : "";
}

claim_case read_case(const yaml_node& node, const claim_case& common) {
  yaml_mapping mapping(node, "case");
  claim_case one = common;
  if (const auto n = mapping.optional("name")) one.name = as_text(*n);
  one.source = as_double(mapping.required("source"));
  if (const auto n = mapping.optional("scale")) one.scale = as_double(*n);
  if (const auto n = mapping.optional("reason")) one.reason = as_text(*n);
  read_aside(mapping, one);
  read_run(mapping, one.run);
  if (one.run.ours.empty()) mapping.required("ours");
  if (one.run.study.empty() && one.run.netlist.empty()) mapping.required("netlist");
  if (const auto n = mapping.optional("over")) one.over = read_over(*n, one.run, common.run.sets);
  read_points(mapping, one);
  mapping.finish();
  return one;
}

claim read_claim(const yaml_node& node) {
  yaml_mapping mapping(node, "claim");
  claim one;
  one.id = as_text(mapping.required("id"));
  one.kind =
      as_choice(mapping.required("kind"), "kind", {"law", "hardware", "simulated", "reported"});
  one.where = as_text(mapping.required("where"));
  if (const auto n = mapping.optional("not_built")) {
    one.not_built = as_text(*n);
    mapping.finish();
    return one;
  }
  one.unit = as_text(mapping.required("unit"));
  one.tolerance = read_tolerance(mapping.required("tolerance"));
  if (const auto n = mapping.optional("bound"))
    one.limit = as_choice(*n, "bound", {"at least", "at most"}) == "at least"
                    ? claim::bound::at_least
                    : claim::bound::at_most;
  if (const auto n = mapping.optional("reason")) one.reason = as_text(*n);
  if (const auto n = mapping.optional("mechanism")) one.mechanism = as_text(*n);
  claim_case common;
  read_aside(mapping, common);
  if (const auto n = mapping.optional("scale")) common.scale = as_double(*n);
  read_run(mapping, common.run);
  for (const yaml_node& each : as_list(mapping.required("cases")))
    one.cases.push_back(read_case(each, common));
  mapping.finish();
  return one;
}

free_parameter read_free(const std::string& netlist, const yaml_node& node) {
  if (!node.is_mapping()) return {netlist, as_text(node), ""};
  yaml_mapping mapping(node, "free parameter");
  free_parameter one{netlist, as_text(mapping.required("key")), as_text(mapping.required("from"))};
  mapping.finish();
  return one;
}

void read_file(const std::string& path, claim_book& book) {
  yaml_mapping top(parse_yaml_file(path), "claims file");
  for (const yaml_node& each : as_list(top.required("claims")))
    book.claims.push_back(read_claim(each));
  if (const auto free = top.optional("free"))
    for (const yaml_entry& netlist : free->entries())
      for (const yaml_node& each : as_list(netlist.value))
        book.free.push_back(read_free(netlist.key, each));
  top.finish();
}

// A folder has no order of its own, and results are listed in that of the files.
std::vector<std::string> claims_files(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::directory_entry& each : fs::directory_iterator(folder))
    if (each.path().extension() == ".yaml") files.push_back(each.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  const double mean_x = mean(x), mean_y = mean(y);
  double xy = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean_x) * (y[i] - mean_y);
    xx += (x[i] - mean_x) * (x[i] - mean_x);
  }
  if (xx == 0) throw user_error("a slope needs different values of `at`");
  return xy / xx;
}

double geometric_mean(std::vector<double> values) {
  for (double& each : values) {
    if (each <= 0) throw user_error("a geometric mean needs results above 0");
    each = std::log(each);
  }
  return std::exp(mean(values));
}

}  // namespace

double taken_of(const claim_case& one, const std::vector<double>& results) {
  if (one.take == "slope") return slope(one.at, results);
  if (one.take == "geomean") return geometric_mean(results);
  if (one.take == "smallest") return *std::min_element(results.begin(), results.end());
  if (one.take == "largest") return *std::max_element(results.begin(), results.end());
  return results.front();
}

claim_book read_claims() {
  claim_book book;
  for (const std::string& folder : netlist_folders()) {
    const fs::path claims_folder = fs::path(folder) / "claims";
    if (!fs::is_directory(claims_folder)) continue;
    for (const std::string& file : claims_files(claims_folder)) read_file(file, book);
    break;  // the nearest folder has them all
  }
  std::sort(book.claims.begin(), book.claims.end(), [](const claim& a, const claim& b) {
    return std::tuple(a.id, !a.not_built.empty()) < std::tuple(b.id, !b.not_built.empty());
  });
  const auto is_built = [](const claim& first, const claim& second) {
    return first.id == second.id && !second.not_built.empty();
  };
  book.claims.erase(std::unique(book.claims.begin(), book.claims.end(), is_built),
                    book.claims.end());
  return book;
}

}  // namespace heddle
