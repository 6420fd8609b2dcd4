// `explaining.train-32`: what it costs to explain an all-reduce, packets without data in trains of
// 32, against the same run without explanation.
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 9;
constexpr double bar = 1.1;

double ring_seconds(const std::string& explain) {
  return simulate_collective("ring_allreduce.yaml", {"workload.bytes=[16 MiB, 16 MiB]", "train=32",
                                                     "data=off", "workload.explain=" + explain})
      .cpu_s;
}

std::vector<bench_row> measure() {
  const measured_pair measured = measure_in_turns(
      rounds, [] { return ring_seconds("on"); }, [] { return ring_seconds("off"); });
  return {cost_row("explaining.train-32", "s", measured, bar)};
}

[[maybe_unused]] const bool is_registered = add_benchmark("explaining", measure);

}  // namespace
}  // namespace heddle
