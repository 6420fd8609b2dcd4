// `rv64`: instructions per second of integer code (tests/bench/firmware) on one core and on eight,
// each with a memory of its own, at a quantum of 1 us. `rv64-float`: of code that computes in both
// precisions, on one core.
//
// The floor is what the kernel allows: as many threads that do nothing but wait for 1 us, and so
// many instructions in each as our core executes in that time.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "models/cpu/firmware_files.hpp"
#include "models/cpu/rv_core/rv_core.hpp"
#include "models/memory/memory.hpp"
#include "platform/number/median.hpp"
#include "platform/unit/simulation.hpp"
#include "tests/bench/forked_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

constexpr int rounds = 5;
constexpr fs_t quantum = fs_per_us;
constexpr fs_t simulated = 100 * fs_per_ms;  // by all cores together: about 200 ms of CPU time

struct lone_core {
  lone_core(int number, simulation& sim, const std::string& program)
      : ram(unit_context(fmt::format("ram[{}]", number), sim), memory_parameters()),
        core(unit_context(fmt::format("core[{}]", number), sim), parameters(program)) {
    core.find_port("bus")->connect(*ram.find_port("in"), nullptr);
  }
  static rv_core_parameters& parameters(const std::string& program) {
    static rv_core_parameters p;
    p.elf.set(find_firmware_file(program));
    p.quantum.set({quantum});
    return p;
  }
  memory ram;
  rv64_core core;
};

// CPU seconds of one instruction, and how many one core executes in a second of simulated time.
struct speed {
  double cost = 0, rate = 0;
};

speed run_cores(int count, const std::string& program) {
  const forked_result result = run_forked([&] {
    simulation sim{simulation_settings{}};
    std::vector<std::unique_ptr<lone_core>> cores;
    for (int i = 0; i < count; ++i) cores.push_back(std::make_unique<lone_core>(i, sim, program));
    const fs_t warm_up = simulated / 20 / static_cast<fs_t>(count);
    const auto executed = [&cores] {
      double sum = 0;
      for (const auto& each : cores) sum += static_cast<double>(each->core.hart().instructions());
      return sum;
    };
    sc_core::sc_start(to_sc_time(warm_up));
    const double instructions = executed(), before = cpu_seconds();
    sc_core::sc_start(to_sc_time(simulated / static_cast<fs_t>(count)));
    const double done = executed() - instructions;
    return forked_result{(cpu_seconds() - before) / done, done / seconds(simulated)};
  });
  return {result.cpu_s, result.simulated_s};
}

// CPU seconds of one wait among so many threads.
double run_kernel(int threads) {
  return run_forked([threads] {
           for (int i = 0; i < threads; ++i)
             sc_core::sc_spawn([] {
               for (;;) sc_core::wait(to_sc_time(quantum));
             });
           sc_core::sc_start(sc_core::SC_ZERO_TIME);
           const double before = cpu_seconds();
           sc_core::sc_start(to_sc_time(simulated / static_cast<fs_t>(threads)));
           const double waits = static_cast<double>(simulated) / static_cast<double>(quantum);
           return forked_result{(cpu_seconds() - before) / waits, 0};
         })
      .cpu_s;
}

bench_row rate_row(const std::string& name, int cores, std::vector<double> costs,
                   const speed& last) {
  const double quantum_s = seconds(quantum);
  bench_row row;
  row.name = name;
  row.unit = "M/s";
  row.value = 1e-6 / median_of(std::move(costs));
  row.floor = 1e-6 * last.rate * quantum_s / run_kernel(cores);
  row.ratio = row.value / row.floor;
  row.holds = bench_row::held::value;
  row.at_least = true;
  return row;
}

std::vector<bench_row> measure_integers() {
  const std::string program = "integer_code";
  constexpr int many = 8;
  std::vector<double> one_costs, many_costs, shares;
  speed one, eight;
  for (int round = 0; round < rounds; ++round) {
    one = run_cores(1, program);
    eight = run_cores(many, program);
    one_costs.push_back(one.cost);
    many_costs.push_back(eight.cost);
    shares.push_back(one.cost / eight.cost);
  }
  bench_row single = rate_row("rv64.1-core", 1, one_costs, one);
  single.bar = 250;
  bench_row share;
  share.name = "rv64.8-cores.share-of-1";
  share.unit = "x";
  share.value = median_of(shares);
  share.holds = bench_row::held::value;
  share.bar = 0.7;
  share.at_least = true;
  return {single, rate_row("rv64.8-cores", many, many_costs, eight), share};
}

std::vector<bench_row> measure_floats() {
  std::vector<double> costs;
  speed last;
  for (int round = 0; round < rounds; ++round) {
    last = run_cores(1, "float_code");
    costs.push_back(last.cost);
  }
  bench_row row = rate_row("rv64-float.1-core", 1, costs, last);
  row.bar = 150;
  return {row};
}

[[maybe_unused]] const bool is_registered =
    add_benchmark("rv64", measure_integers) && add_benchmark("rv64-float", measure_floats);

}  // namespace
}  // namespace heddle
