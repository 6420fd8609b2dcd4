#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "platform/cli/commands.hpp"
#include "platform/cli/netlist_arguments.hpp"
#include "platform/explain/category.hpp"
#include "platform/report/job_row.hpp"
#include "platform/run/child_process.hpp"
#include "platform/run/temporary_folder.hpp"
#include "platform/text/counted.hpp"
#include "platform/text/diagnostic.hpp"
#include "platform/text/quantity.hpp"
#include "platform/time/fs_time.hpp"
#include "platform/trace/named_outputs.hpp"
#include "platform/trace/wanted_file.hpp"

// The same netlist twice, the second time with other values, its collectives side by side, and
// where the difference in time lies.
namespace heddle {
namespace {

using json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct compare_options {
  netlist_arguments netlist;
  std::vector<std::string> others;  // of the second run alone
  std::string json_file;            // "": none
};

struct finished_run {
  int exit_code = 0;
  std::string errors;
  json stats;
};

// That all jobs are explained, unless the user says otherwise. Throws user_error where there are
// none.
std::vector<std::string> explaining(const compare_options& options) {
  std::vector<std::string> paths;
  const netlist_plan plan = plan_netlist(options.netlist.file, options.netlist.overrides());
  if (!plan.workload)
    throw user_error(options.netlist.file + ": the netlist has no workload to compare");
  if (plan.workload->is_sequence())
    for (std::size_t i = 0; i < plan.workload->items().size(); ++i)
      paths.push_back(fmt::format("workload[{}].explain=", i));
  else
    paths.emplace_back("workload.explain=");
  std::vector<std::string> sets;
  for (const std::string& path : paths) {
    const bool is_set =
        std::any_of(options.netlist.sets.begin(), options.netlist.sets.end(),
                    [&](const std::string& each) { return each.rfind(path, 0) == 0; });
    if (!is_set) sets.push_back(path + "on");
  }
  return sets;
}

// What a run says of its input, with the option that the user gave it by: what is wrong with the
// second run alone came by --with.
std::string input_error(std::string text, const compare_options& options, bool is_other) {
  const std::string set = "--set";
  text.erase(text.find_last_not_of('\n') + 1);
  const auto is_of = [&](const std::string& each) {
    return text.rfind(set + " " + each.substr(0, each.find('=')) + ":", 0) == 0;
  };
  const auto& sets = options.netlist.sets;
  if (!is_other || std::any_of(sets.begin(), sets.end(), is_of)) return text;
  if (text.rfind(set, 0) == 0) text.replace(0, set.size(), "--with");
  return text;
}

finished_run run_once(const compare_options& options, const std::vector<std::string>& more,
                      bool is_other, const fs::path& folder) {
  std::vector<std::string> words = {"run", options.netlist.file, "--quiet", "--out",
                                    folder.string()};
  std::vector<std::string> sets = options.netlist.sets;
  sets.insert(sets.end(), more.begin(), more.end());
  if (is_other) sets.insert(sets.end(), options.others.begin(), options.others.end());
  for (const std::string& each : sets) words.insert(words.end(), {"--set", each});
  const child_result child = run_self(words);
  constexpr int wrong_input = 2;
  if (child.exit_code == wrong_input)
    throw user_error(input_error(child.errors, options, is_other));
  finished_run done;
  done.exit_code = child.exit_code;
  done.errors = child.errors;
  if (std::ifstream file(folder / "stats.json"); file) done.stats = json::parse(file);
  return done;
}

fs_t in_fs(const json& s) {
  return static_cast<fs_t>(std::llround(s.get<double>() * static_cast<double>(fs_per_s)));
}

// For an inference the time of all its layers, of which only some may be simulated.
fs_t time_of(const json& job) {
  return in_fs(job.contains("step_s") ? job["step_s"] : job["time_s"]);
}

bool is_simulated_whole(const json& job) {
  return !job.contains("step_s") || job["simulated_layers"] == job["layers"];
}

std::string signed_duration(std::int64_t difference) {
  const std::string size = format_duration(static_cast<fs_t>(std::abs(difference)));
  return (difference < 0 ? "-" : "+") + size;
}

// By the name of the category, the largest first; of those that differ.
std::vector<std::pair<category, std::int64_t>> parts_of(const json& a, const json& b) {
  std::vector<std::pair<category, std::int64_t>> parts;
  if (!a.contains("breakdown") || !b.contains("breakdown")) return parts;
  if (!is_simulated_whole(a) || !is_simulated_whole(b)) return parts;
  for (std::size_t i = 0; i < category_count; ++i) {
    const auto what = static_cast<category>(i);
    const char* const name = name_of(what);
    const auto difference = static_cast<std::int64_t>(in_fs(b["breakdown"][name])) -
                            static_cast<std::int64_t>(in_fs(a["breakdown"][name]));
    if (difference != 0) parts.emplace_back(what, difference);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& x, const auto& y) {
    return std::abs(x.second) > std::abs(y.second);
  });
  return parts;
}

json row_of(const json& a, const json& b) {
  const fs_t first = time_of(a), second = time_of(b);
  json row;
  if (a.contains("workload")) row["workload"] = a["workload"];
  for (const char* each : {"name", "algorithm", "bytes"}) row[each] = a[each];
  for (const char* each : {"chosen_by", "size"})
    if (a.contains(each)) row[each] = a[each];
  row["time_s"] = seconds(first);
  row["other_time_s"] = seconds(second);
  row["verified"] = a["verified"].get<bool>() && b["verified"].get<bool>();
  row["difference_s"] = seconds(second) - seconds(first);
  json parts = json::object();
  for (const auto& [what, difference] : parts_of(a, b))
    parts[name_of(what)] = static_cast<double>(difference) / static_cast<double>(fs_per_s);
  row["of_it_s"] = parts;
  return row;
}

// "A" where both runs say the same, else "A / B".
std::string both(const std::string& first, const std::string& second) {
  return first == second ? first : first + " / " + second;
}

// What sets a job apart from others of its kind, as in the table of a run.
std::string size_of(const json& job) {
  return job.contains("size") ? job["size"].get<std::string>()
                              : format_bytes(job["bytes"].get<std::uint64_t>());
}

std::string algorithms_of(const json& a, const json& b) {
  return both(algorithm_label(a), algorithm_label(b));
}

// Jobs below one heading. Kinds without algorithms have no such column.
struct compared_jobs {
  std::size_t size_width = 10, algorithm_width = 16;
  bool has_algorithms = false;

  void add(const json& a, const json& b) {
    size_width = std::max(size_width, both(size_of(a), size_of(b)).size());
    algorithm_width = std::max(algorithm_width, algorithms_of(a, b).size());
    has_algorithms |= !algorithms_of(a, b).empty();
  }
  std::string begin_of_row(const std::string& size, const std::string& algorithm) const {
    return fmt::format("{:>{}}", size, size_width) +
           (has_algorithms ? fmt::format("  {:{}}", algorithm, algorithm_width) : "");
  }
};

void print_row(const compared_jobs& block, const json& a, const json& b) {
  const fs_t first = time_of(a), second = time_of(b);
  const auto difference = static_cast<std::int64_t>(second) - static_cast<std::int64_t>(first);
  const bool is_verified = a["verified"].get<bool>() && b["verified"].get<bool>();
  const bool is_checked = a["checked"].get<bool>() && b["checked"].get<bool>();
  const std::string factor =
      first == 0
          ? "-"
          : fmt::format("{:.2f} x", static_cast<double>(second) / static_cast<double>(first));
  std::printf("%s %12s %12s %12s %8s  %s\n",
              block.begin_of_row(both(size_of(a), size_of(b)), algorithms_of(a, b)).c_str(),
              format_duration(first).c_str(), format_duration(second).c_str(),
              signed_duration(difference).c_str(), factor.c_str(),
              !is_checked   ? "not checked"
              : is_verified ? "yes"
                            : "WRONG");
  std::string text;
  for (const auto& [what, part] : parts_of(a, b))
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", text_of(what), signed_duration(part));
  if (!text.empty()) std::printf("%12s%s\n", "", text.c_str());
}

// What the cores did: instructions where they are counted.
void print_cores(const char* which, const json& stats) {
  std::uint64_t cores = 0, instructions = 0, accesses = 0;
  for (const auto& [path, unit] : stats["units"].items()) {
    if (!unit.contains("polls") || !unit.contains("reads")) continue;
    ++cores;
    accesses +=
        unit["reads"]["value"].get<std::uint64_t>() + unit["writes"]["value"].get<std::uint64_t>();
    if (unit.contains("instructions"))
      instructions += unit["instructions"]["value"].get<std::uint64_t>();
  }
  if (cores == 0) return;
  const std::string executed = instructions == 0
                                   ? "firmware natively: between accesses no time passes"
                                   : fmt::format("{} instructions", instructions);
  std::printf("%s: %llu cores, %s, %llu accesses to the bus\n", which,
              static_cast<unsigned long long>(cores), executed.c_str(),
              static_cast<unsigned long long>(accesses));
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

// The jobs of every kind of workload: each has an array of its own, whose rows have a time.
std::vector<json> jobs_of(const json& stats) {
  std::vector<json> jobs;
  for (const auto& [name, array] : stats.items())
    if (array.is_array() && !array.empty() && array[0].contains("time_s"))
      jobs.insert(jobs.end(), array.begin(), array.end());
  return jobs;
}

// "left: allreduce, 4 ranks"
std::string heading_of(const json& job) {
  const std::string workload =
      job.contains("workload") ? job["workload"].get<std::string>() + ": " : "";
  return fmt::format("{}{}, {}", workload, job["name"].get<std::string>(),
                     counted(job["ranks"].get<std::uint64_t>(), "rank"));
}

void print_jobs(const std::vector<json>& first, const std::vector<json>& second,
                const std::string& what) {
  for (std::size_t i = 0; i < first.size();) {
    const std::string heading = heading_of(first[i]);
    compared_jobs block;
    std::size_t end = i;
    for (; end < first.size() && heading_of(first[end]) == heading; ++end)
      block.add(first[end], second[end]);
    std::printf("%s; second: with %s\n", heading.c_str(), what.c_str());
    const std::string size_heading = first[i].value("size_heading", "size");
    std::printf("%s %12s %12s %12s %8s  %s\n",
                block.begin_of_row(size_heading, "algorithm").c_str(), "first", "second",
                "difference", "factor", "verified");
    for (; i < end; ++i) print_row(block, first[i], second[i]);
  }
}

// 0; 1 where one of the runs fails.
int compare(const compare_options& options) {
  read_overrides(options.others);  // a mistake is one of the command line
  const std::vector<std::string> more = explaining(options);
  check_named_outputs({find_netlist(options.netlist.file, "")}, {{"--json", options.json_file}});
  wanted_file file(options.json_file);
  const temporary_folder folder;
  const finished_run a = run_once(options, more, false, folder.path() / "a");
  const finished_run b = run_once(options, more, true, folder.path() / "b");
  std::fputs((a.errors + b.errors).c_str(), stderr);
  if (a.exit_code != 0 || b.exit_code != 0) return 1;
  const std::vector<json> first = jobs_of(a.stats), second = jobs_of(b.stats);
  if (first.empty() || first.size() != second.size())
    throw user_error(fmt::format("{}: {}, with {} {}: nothing to compare", options.netlist.file,
                                 counted(first.size(), "job"), joined(options.others),
                                 second.size()));
  print_jobs(first, second, joined(options.others));
  json rows = json::array();
  for (std::size_t i = 0; i < first.size(); ++i) rows.push_back(row_of(first[i], second[i]));
  print_cores("first", a.stats);
  print_cores("second", b.stats);
  if (file) file.write(rows.dump(1) + "\n");
  return 0;
}

}  // namespace

command_action declare_compare(CLI::App& command) {
  const auto options = std::make_shared<compare_options>();
  options->netlist.declare(command);
  command.add_option("--with", options->others, "PATH=VALUE, as --set, for the second of two runs")
      ->required()
      ->allow_extra_args(false);
  command.add_option("--json", options->json_file, "also write the rows to this file");
  return [options] { return compare(*options); };
}

}  // namespace heddle
