// `switch-leg.*`: what a leg of a collective in switches costs, packet by packet: a copy of a
// multicast to a member and its acknowledgment, or a load of a reduction from a member and its
// answer. All that makes and takes them counts: cores, units of multimem instructions, memories.
// Data is not carried.
#include "platform/number/median.hpp"
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 3;
constexpr double bar_us = 0.35;
constexpr double packets = 16.0 * 1024 * 1024 / 128;
constexpr double members = 8;

std::vector<bench_row> measure(const std::string& name, const std::string& collective) {
  std::vector<double> costs;
  for (int round = 0; round < rounds; ++round) {
    const forked_result run = simulate_collective(
        "nvls_dgx8.yaml", {"workload.collective=" + collective, "workload.algorithm=nvls",
                           "workload.bytes=[16 MiB, 16 MiB]", "train=1", "data=off"});
    costs.push_back(1e6 * run.cpu_s / (packets * members));
  }
  return {plain_row(name, median_of(costs), "us", bar_us)};
}

[[maybe_unused]] const bool is_registered = [] {
  const auto add = [](const std::string& name, const std::string& collective) {
    add_benchmark(name, [=] { return measure(name, collective); });
  };
  add("switch-leg.multicast", "allgather");
  add("switch-leg.reduction", "reduce_scatter");
  return true;
}();

}  // namespace
}  // namespace heddle
