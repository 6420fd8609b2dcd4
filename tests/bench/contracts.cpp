// `contracts.buffers`: what it costs to watch buffers (`contracts: {buffers: on}`, the default):
// what engines own, and words that nobody has written. CPU time of the ring all-reduce of eight
// accelerators, on native cores and on RV64 cores. The floor is the same run with `buffers: off`.
#include <string>
#include <vector>

#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 5;
constexpr double bar = 1.25;

double milliseconds(const std::string& core, const std::string& buffers) {
  return 1e3 * simulate_collective("ring_allreduce.yaml",
                                   {"params.core=" + core, "workload.bytes=[256 KiB, 256 KiB]",
                                    "contracts={buffers: " + buffers + "}"})
                   .cpu_s;
}

bench_row measure(const std::string& name, const std::string& core) {
  return cost_row(name, "ms",
                  measure_in_turns(
                      rounds, [&] { return milliseconds(core, "on"); },
                      [&] { return milliseconds(core, "off"); }),
                  bar);
}

[[maybe_unused]] const bool is_registered = [] {
  add_benchmark("contracts.buffers.native",
                [] { return std::vector<bench_row>{measure("contracts.buffers.native", "core")}; });
  add_benchmark("contracts.buffers.rv64", [] {
    return std::vector<bench_row>{measure("contracts.buffers.rv64", "rv64_core")};
  });
  return true;
}();

}  // namespace
}  // namespace heddle
