// `waves`: a whole run of the all-reduce netlist as it comes, with every signal in a wave file
// against none. Without data, because making and checking it would dilute what waves cost.
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"
#include "tests/support/scratch_folder.hpp"

namespace heddle {
namespace {

std::vector<bench_row> measure() {
  const scratch_folder scratch;
  const measured_pair measured = measure_in_turns(
      5, [&] { return run_ring({"data=off"}, scratch.file("on"), scratch.file("wave.vcd")).cpu_s; },
      [&] { return run_ring({"data=off"}, scratch.file("off"), "").cpu_s; });
  return {cost_row("waves", "s", measured, 1.3)};
}

[[maybe_unused]] const bool is_registered = add_benchmark("waves", measure);

}  // namespace
}  // namespace heddle
