#include "platform/run/result_table.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "platform/text/quantity.hpp"

namespace heddle {

void result_table::put(const std::string& line) {
  text_ += line + "\n";
  if (is_quiet_) return;
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void result_table::add(const workload_result& result) {
  if (text_.empty()) {
    put(fmt::format("{} {}, {} ranks, {} {}", result.algorithm, result.name, result.ranks,
                    result.type, result.op));
    put(fmt::format("{:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {}", "size", "time", "algbw", "busbw",
                    "of ceiling", "verified"));
  }
  const std::string share =
      result.ceiling > 0 ? fmt::format("{:.1f} %", 100 * result.algbw / result.ceiling) : "-";
  const char* verified = !result.is_checked ? "not checked" : result.is_verified ? "yes" : "WRONG";
  put(fmt::format("{:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {}", format_bytes(result.bytes),
                  format_duration(result.end - result.start), format_bandwidth(result.algbw),
                  format_bandwidth(result.busbw), share, verified));
}

}  // namespace heddle
