#include "tests/bench/measurement.hpp"

#include <chrono>
#include <ctime>
#include <utility>

#include "platform/number/median.hpp"

namespace heddle {

// The clock of the process goes by ticks of milliseconds once a native core has started its timer.
double cpu_seconds() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

measured_pair measure_in_turns(int rounds, const std::function<double()>& ours,
                               const std::function<double()>& floor) {
  ours();
  floor();
  std::vector<double> our_costs, floor_costs, ratios;
  for (int round = 0; round < rounds; ++round) {
    our_costs.push_back(ours());
    floor_costs.push_back(floor());
    ratios.push_back(our_costs.back() / floor_costs.back());
  }
  return {median_of(our_costs), median_of(floor_costs), median_of(ratios)};
}

bench_row cost_row(std::string name, std::string unit, const measured_pair& measured, double bar) {
  bench_row row;
  row.name = std::move(name);
  row.value = measured.ours;
  row.unit = std::move(unit);
  row.floor = measured.floor;
  row.ratio = measured.ratio;
  row.bar = bar;
  return row;
}

bench_row plain_row(std::string name, double value, std::string unit, double bar) {
  bench_row row;
  row.name = std::move(name);
  row.value = value;
  row.unit = std::move(unit);
  row.bar = bar;
  row.holds = bench_row::held::value;
  return row;
}

bool add_benchmark(std::string name, std::function<std::vector<bench_row>()> run) {
  benchmark_registry::instance().add({std::move(name), std::move(run)});
  return true;
}

}  // namespace heddle
