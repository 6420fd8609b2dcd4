#include "platform/cli/mmio_command.hpp"

#include <algorithm>
#include <cstdio>

#include "platform/run/mmio_record.hpp"
#include "platform/run/mmio_replay.hpp"

namespace heddle {
namespace {

bool is_same(mmio_record a, const mmio_record& b, bool ignores_time) {
  if (ignores_time) a.time = b.time;
  return csv_line(a) == csv_line(b);
}

void print_or_end(const std::string& name, const std::vector<mmio_record>& log, std::size_t at,
                  bool is_whole) {
  const std::string text = at >= log.size() ? "ends here"
                           : is_whole       ? csv_line(log[at])
                                            : log[at].text();
  std::printf("  %s: %s\n", name.c_str(), text.c_str());
}

// Whether people read the same of both, so that they have to be shown whole.
bool read_alike(mmio_record a, const mmio_record& b, bool ignores_time) {
  if (ignores_time) a.time = b.time;
  return a.text() == b.text();
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
    if (i < both && is_same(a[i], b[i], options.ignores_time)) continue;
    std::printf("first difference at access %zu:\n", i + 1);
    const bool is_whole = i < both && read_alike(a[i], b[i], options.ignores_time);
    print_or_end(options.a, a, i, is_whole);
    print_or_end(options.b, b, i, is_whole);
    return 1;
  }
  std::printf("the same %zu accesses\n", a.size());
  return 0;
}

}  // namespace heddle
