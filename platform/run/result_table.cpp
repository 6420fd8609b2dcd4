#include "platform/run/result_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "platform/text/quantity.hpp"

namespace heddle {

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
  std::size_t width = std::string(has_auto() ? "scin_inq (auto)" : "algorithm").size();
  for (const std::string& each : algorithms_) width = std::max(width, each.size());
  return fmt::format("  {:{}}", text, width);
}

void result_table::put_heading(const workload_result& first) {
  const std::string names =
      has_algorithms() ? fmt::format("{}", fmt::join(algorithms_, ", ")) : first.algorithm;
  if (first.tile > 0) {
    put(fmt::format("{} {}, {} ranks, {}, {} step{} along K", names, first.name, first.ranks,
                    first.type, first.steps, first.steps == 1 ? "" : "s"));
    return put(fmt::format("{:>10}{}  {:>10}  {:>14}  {:>10}  {}", "tile",
                           algorithm_cell("algorithm"), "time", "flop/s", "of peak", "verified"));
  }
  put(fmt::format("{} {}, {} ranks{}{}", names, first.name, first.ranks,
                  first.has_size() ? ", " + first.type : "", first.is_sum() ? " " + first.op : ""));
  if (!remark_.empty()) put(remark_);
  put(fmt::format("{:>10}{}  {:>10}  {:>10}  {:>10}  {:>10}  {}", "size",
                  algorithm_cell("algorithm"), "time", "algbw", "busbw", "of ceiling", "verified"));
}

void result_table::add(const workload_result& result) {
  if (text_.empty()) put_heading(result);
  const std::string share =
      result.ceiling > 0 ? fmt::format("{:.1f} %", 100 * result.algbw / result.ceiling) : "-";
  const char* verified = !result.is_checked ? "not checked" : result.is_verified ? "yes" : "WRONG";
  if (result.tile > 0)
    return put(fmt::format("{:>10}{}  {:>10}  {:>8.1f} Gflop/s  {:>8.1f} %  {}",
                           fmt::format("{} x {}", result.tile, result.tile),
                           algorithm_cell(result.algorithm),
                           format_duration(result.end - result.start),
                           1e-9 * result.flops / seconds(result.end - result.start),
                           100 * result.utilization, verified));
  const auto if_sized = [&](const std::string& text) {
    return result.has_size() ? text : std::string("-");
  };
  put(fmt::format(
      "{:>10}{}  {:>10}  {:>10}  {:>10}  {:>10}  {}", if_sized(format_bytes(result.bytes)),
      algorithm_cell(result.label()), format_duration(result.end - result.start),
      if_sized(format_bandwidth(result.algbw)), if_sized(format_bandwidth(result.busbw)), share,
      result.has_size() ? verified : "-"));
}

}  // namespace heddle
