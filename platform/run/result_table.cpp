#include "platform/run/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "platform/text/quantity.hpp"

namespace heddle {
namespace {

const char* text_of(verdict outcome) {
  switch (outcome) {
    case verdict::verified:
      return "yes";
    case verdict::failed:
      return "WRONG";
    default:
      return "not checked";
  }
}

}  // namespace

void result_table::put(const std::string& line) {
  text_ += line + "\n";
  if (is_quiet_) return;
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

bool result_table::has_auto() const {
  return std::find(algorithms_.begin(), algorithms_.end(), "auto") != algorithms_.end();
}

bool result_table::has_algorithms() const {
  return algorithms_.size() > 1 || has_auto();
}

// "" without such a column.
std::string result_table::algorithm_cell(const std::string& text) const {
  if (!has_algorithms()) return {};
  std::size_t width = std::string(has_auto() ? "recursive_doubling (auto)" : "algorithm").size();
  for (const std::string& each : algorithms_) width = std::max(width, each.size());
  return fmt::format("  {:{}}", text, width);
}

void result_table::put_heading(const workload_result& first) {
  const std::string names =
      algorithms_.empty() ? first.algorithm : fmt::format("{}", fmt::join(algorithms_, ", "));
  const std::string of = first.workload.empty() ? "" : first.workload + ": ";
  put(of + (names.empty() ? "" : names + " ") + first.subject);
  if (!remark_.empty()) put(remark_);
  size_width_ = std::max(size_width_, first.size.size());
  std::string line = fmt::format("{:>{}}{}  {:>10}", first.size_heading, size_width_,
                                 algorithm_cell("algorithm"), "time");
  for (const result_cell& each : first.cells)
    line += fmt::format("  {:>{}}", each.heading, each.width);
  put(line + "  verified");
}

void result_table::add(const workload_result& result) {
  if (text_.empty()) put_heading(result);
  std::string line =
      fmt::format("{:>{}}{}  {:>10}", result.size.empty() ? "-" : result.size, size_width_,
                  algorithm_cell(result.label()), format_duration(result.time()));
  for (const result_cell& each : result.cells)
    line += fmt::format("  {:>{}}", each.text, each.width);
  line += std::string("  ") + text_of(result.outcome);
  // Another one than the heading names has done it.
  const bool is_other =
      !has_algorithms() && !algorithms_.empty() && result.algorithm != algorithms_.front();
  put(is_other ? line + "  by " + result.algorithm : line);
}

}  // namespace heddle
