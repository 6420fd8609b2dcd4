// Random signals and reports against a model that is too slow to be wrong: all reports sorted by
// time, then replayed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "platform/trace/trace_scope.hpp"
#include "platform/trace/vcd_writer.hpp"
#include "platform/trace/windowed_sink.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

struct report {
  fs_t when;
  std::string name;
  std::string value;
};

std::string binary(std::uint64_t bits) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + (bits & 1)));
    bits >>= 1;
  } while (bits != 0);
  return digits;
}

std::vector<vcd_value> expected_values(std::vector<report> reports,
                                       const std::vector<std::string>& names, fs_t from, fs_t to) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const report& a, const report& b) { return a.when < b.when; });
  std::map<std::string, std::string> current;
  for (const std::string& name : names) current[name] = "x";
  std::vector<vcd_value> values;
  std::size_t next = 0;
  const auto take_instant = [&](fs_t when) {
    std::map<std::string, std::string> settled;
    while (next < reports.size() && reports[next].when == when) {
      settled[reports[next].name] = reports[next].value;
      ++next;
    }
    return settled;
  };
  while (next < reports.size() && reports[next].when <= from) {
    for (const auto& [name, value] : take_instant(reports[next].when)) current[name] = value;
  }
  for (const auto& [name, value] : current) {
    values.push_back({from, name, value, vcd_origin::dumpvars});
  }
  while (next < reports.size() && reports[next].when < to) {
    const fs_t when = reports[next].when;
    for (const auto& [name, value] : take_instant(when)) {
      if (current[name] == value) continue;
      current[name] = value;
      values.push_back({when, name, value, vcd_origin::change});
    }
  }
  return values;
}

void check_wave(const std::string& file, const std::vector<report>& reports,
                const std::vector<std::string>& names, fs_t from, fs_t to, fs_t end) {
  vcd_wave expected;
  expected.timescale = "1 fs";
  expected.values = expected_values(reports, names, from, std::min(to, end + 1));
  expected.end = std::min(to, end);
  const vcd_wave wave = read_vcd(file);
  expected.variables = wave.variables;
  CHECK(wave.variables.size() == names.size());
  const std::string difference = first_difference(expected, wave);
  INFO(difference);
  CHECK(difference.empty());
}

}  // namespace

TEST_CASE("waves hold exactly the changes of their windows, in order", "[trace]") {
  const auto seed = GENERATE(take(40, random(0u, 1u << 30)));
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };

  const scratch_folder folder;
  vcd_writer whole(folder.file("whole.vcd"));
  vcd_writer part(folder.file("part.vcd"));
  windowed_sink windowed(part);
  const fs_t from = below(2) * below(3'000);
  const fs_t to = below(2) == 1 ? from + 1 + below(20'000) : fs_never;
  windowed.add_window(from, to);
  trace_stream stream;
  stream.add_sink(whole);
  stream.add_sink(windowed);

  std::vector<trace_signal<std::uint64_t>> signals;
  std::vector<std::uint64_t> masks;
  std::vector<std::string> names;
  const std::uint64_t signal_count = 1 + below(200);
  for (std::uint64_t i = 0; i < signal_count; ++i) {
    const int width = below(4) == 0 ? 64 : static_cast<int>(2 + below(10));
    const std::string leaf = "signal" + std::to_string(i);
    signals.push_back(trace_scope(stream, "u[" + std::to_string(i % 7) + "]").vector(leaf, width));
    masks.push_back(width == 64 ? ~0ULL : (1ULL << width) - 1);
    names.push_back("u_" + std::to_string(i % 7) + "." + leaf);
  }

  const fs_t step = 1 + below(20);
  const fs_t reach = 1 + below(2'000);
  const std::uint64_t few_values = below(2) == 0 ? 3 : ~0ULL;
  std::vector<report> reports;
  fs_t now = 0;
  for (std::uint64_t i = below(20'000); i > 0; --i) {
    now += below(3) == 0 ? below(step) : 0;
    const fs_t when = now + (below(2) == 0 ? below(reach) : 0);
    const std::size_t signal = below(signals.size());
    const std::uint64_t bits = below(few_values);
    signals[signal].set(bits, when, now);
    reports.push_back({when, names[signal], binary(bits & masks[signal])});
    if (below(500) == 0) stream.advance(now);
  }
  const fs_t end = std::max(now, from) + below(reach);
  stream.finish(end);

  check_wave(folder.file("whole.vcd"), reports, names, 0, fs_never, end);
  check_wave(folder.file("part.vcd"), reports, names, from, to, end);
}
