#include "platform/cli/mmio_command.hpp"

#include <algorithm>
#include <cstdio>

#include "platform/run/mmio_record.hpp"
#include "platform/run/mmio_replay.hpp"

namespace heddle {
namespace {

void print_or_end(const std::string& name, const std::vector<mmio_record>& log, std::size_t at,
                  bool is_whole) {
  std::string text = "ends here\n";
  if (at < log.size()) text = is_whole ? csv_line(log[at]) : log[at].text() + "\n";
  std::printf("  %s: %s", name.c_str(), text.c_str());
}

}  // namespace

int mmio_replay_command(const mmio_options& options,
                        const std::vector<netlist_override>& overrides) {
  const mmio_replay_report report =
      replay_mmio(options.netlist, overrides, options.unit, options.log);
  for (const mmio_difference& each : report.first)
    std::printf("differs: %s\n   here: %s\n", each.recorded.c_str(), each.replayed.c_str());
  std::printf("%llu accesses of %s replayed, %llu differ\n",
              static_cast<unsigned long long>(report.accesses), options.unit.c_str(),
              static_cast<unsigned long long>(report.differing));
  return report.differing == 0 ? 0 : 1;
}

int mmio_diff_command(const mmio_options& options) {
  const std::vector<mmio_record> a = read_mmio_log(options.a);
  const std::vector<mmio_record> b = read_mmio_log(options.b);
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    bool is_whole = false;  // where people would read the same of both
    if (i < both) {
      mmio_record first = a[i];
      if (options.ignores_time) first.time = b[i].time;
      if (csv_line(first) == csv_line(b[i])) continue;
      is_whole = first.text() == b[i].text();
    }
    std::printf("first difference at access %zu:\n", i + 1);
    print_or_end(options.a, a, i, is_whole);
    print_or_end(options.b, b, i, is_whole);
    return 1;
  }
  std::printf("the same %zu accesses\n", a.size());
  return 0;
}

}  // namespace heddle
