#include "platform/run/output_names.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "platform/report/report_run.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/trace/output_file.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

// "netlist.yaml:3:4" of a value that stands in a file.
std::string file_of_origin(const std::string& origin) {
  const std::size_t column = origin.rfind(':');
  if (column == std::string::npos || column == 0) return {};
  const std::size_t line = origin.rfind(':', column - 1);
  return line == std::string::npos ? "" : origin.substr(0, line);
}

// Where the number of a rank stands in the name of a file.
const std::string rank_mark = "{r}";

// Whether the file is that of some rank.
bool is_of_pattern(const std::string& file, const std::string& pattern) {
  const std::size_t mark = pattern.find(rank_mark);
  const std::string before = pattern.substr(0, mark),
                    after = pattern.substr(mark + rank_mark.size());
  if (file.size() <= before.size() + after.size()) return false;
  const std::string number = file.substr(before.size(), file.size() - before.size() - after.size());
  return file.compare(0, before.size(), before) == 0 &&
         file.compare(file.size() - after.size(), after.size(), after) == 0 &&
         number.find_first_not_of("0123456789") == std::string::npos;
}

class input_files {
 public:
  explicit input_files(const netlist_plan& plan) : folder_(plan.settings.folder) {
    add(plan.file);
    for (const planned_unit& each : plan.units) add_values(*each.parameters, each.place);
    for (const planned_link& each : plan.links) add_values(*each.parameters, each.place);
    if (plan.workload) add_tree(*plan.workload);
  }
  bool has(const std::string& file) const {
    const std::string path = canonical_file(file);
    return files_.count(path) > 0 ||
           std::any_of(patterns_.begin(), patterns_.end(),
                       [&](const std::string& each) { return is_of_pattern(path, each); });
  }

 private:
  void add(const std::string& file) {
    if (!file.empty() && seen_.insert(file).second && is_regular_file(file))
      files_.insert(canonical_file(file));
  }
  void add_value(const std::string& text) {
    if (text.find(rank_mark) != std::string::npos)
      for (const fs::path& base : {fs::path(folder_), fs::path()})
        patterns_.push_back(canonical_file((base / text).string()));
    if (text.find_first_of("./") != std::string::npos) add((fs::path(folder_) / text).string());
  }
  void add_values(const parameter_set& set, const source_place& place) {
    add(place.file);
    for (const parameter_base* each : set.all()) {
      add(file_of_origin(each->origin()));
      add_value(each->text());
    }
  }
  void add_tree(const yaml_node& node) {
    if (node.is_scalar()) return add_value(node.text());
    if (node.is_sequence())
      for (const yaml_node& each : node.items()) add_tree(each);
    else
      for (const yaml_entry& each : node.entries()) add_tree(each.value);
  }

  std::string folder_;
  std::unordered_set<std::string> seen_;  // names, in whatever spelling
  std::set<std::string> files_;
  std::vector<std::string> patterns_;  // one file for each rank
};

// Netlists that the plan was made of.
std::set<std::string> source_files(const netlist_plan& plan) {
  std::unordered_set<std::string> named = {plan.file};
  for (const planned_unit& each : plan.units) named.insert(each.place.file);
  for (const planned_link& each : plan.links) named.insert(each.place.file);
  std::set<std::string> found;
  for (const std::string& each : named) found.insert(canonical_file(each));
  return found;
}

}  // namespace

void check_output_names(const netlist_plan& plan, const std::string& run_directory,
                        const std::vector<named_output>& outputs) {
  std::optional<input_files> inputs;  // a large netlist takes a while, and most runs name no output
  const std::set<std::string> sources = source_files(plan);
  std::map<std::string, std::string> taken;
  for (const std::string& each : result_files(run_directory)) {
    const std::string result = canonical_file(each);
    if (sources.count(result) > 0)
      throw user_error(run_directory + " is no directory for results: " +
                       fs::path(each).filename().string() + " in it is read by the run");
    taken[result] = "the results of the run";
  }
  for (const named_output& each : outputs) {
    if (each.file.empty()) continue;
    const std::string said = each.option + " " + each.file + ": ";
    if (!inputs) inputs.emplace(plan);
    if (inputs->has(each.file)) throw user_error(each.place, said + "the run reads this file");
    const auto [other, is_new] = taken.emplace(canonical_file(each.file), each.option);
    if (!is_new && !is_pipe_or_device(each.file))
      throw user_error(each.place, said + "this file is already written by " + other->second);
  }
}

}  // namespace heddle
