// A whole run of the all-reduce netlist with every signal in a wave file, against the same run
// without one:
//
//   waves           the netlist as it comes, whose data are made, carried and checked
//   waves.data-off  packets without data, which leave nothing but events to compare the wave with
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {
namespace {

constexpr int rounds = 3;

bench_row measure_run(std::string name, const std::vector<std::string>& overrides, double bar) {
  const scratch_folder scratch;
  const measured_pair measured = measure_in_turns(
      rounds,
      [&] { return run_ring(overrides, scratch.file("on"), scratch.file("wave.vcd")).cpu_s; },
      [&] { return run_ring(overrides, scratch.file("off"), "").cpu_s; });
  return cost_row(std::move(name), "s", measured, bar);
}

std::vector<bench_row> measure() {
  constexpr double no_bar = 0;
  return {measure_run("waves", {}, 1.3), measure_run("waves.data-off", {"data=off"}, no_bar)};
}

[[maybe_unused]] const bool is_registered = add_benchmark("waves", measure);

}  // namespace
}  // namespace heddle
