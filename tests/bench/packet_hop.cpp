// `packet-hop.N`: what one packet over one link costs in a star of N ports under random traffic. A
// packet crosses two links, so it counts twice; all CPU time of the run counts, that of the random
// sources and of the sinks included.
//
// The floor is one activation of a timed SC_METHOD among 2 N: a model in the usual style has a
// process at each end of each of the N links.
//
// `wide-hop.1024`: the same in a star of 1024 ports, whose arbiters search sets of many words,
// against a star of 64 ports, whose sets are one word; what it costs more is mostly the memory that
// 1024 ports touch.
#include <fmt/format.h>

#include "tests/bench/kernel_floor.hpp"
#include "tests/bench/measurement.hpp"
#include "tests/bench/star_traffic.hpp"

namespace heddle {
namespace {

constexpr int rounds = 9;
constexpr std::uint64_t work_of_a_round = 300'000;  // hops, or activations: about 50 ms

std::vector<bench_row> measure(int ports) {
  star_traffic star(ports);
  kernel_floor floor("floor", 2 * ports, fs_per_ns);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const measured_pair measured = measure_in_turns(
      rounds, [&] { return 1e9 * star.run(work_of_a_round); },
      [&] { return 1e9 * floor.run(work_of_a_round); });
  return {cost_row(fmt::format("packet-hop.{}", ports), "ns", measured, 3.0)};
}

constexpr int wide = 1024;
constexpr int one_word = 64;

std::vector<bench_row> measure_wide() {
  star_traffic large(wide, "large_");
  star_traffic small(one_word, "small_");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const measured_pair measured = measure_in_turns(
      rounds, [&] { return 1e9 * large.run(work_of_a_round); },
      [&] { return 1e9 * small.run(work_of_a_round); });
  return {cost_row(fmt::format("wide-hop.{}", wide), "ns", measured, 3.0)};
}

[[maybe_unused]] const bool is_registered = [] {
  for (const int ports : {8, 16, 32, one_word, wide})
    add_benchmark(fmt::format("packet-hop.{}", ports), [ports] { return measure(ports); });
  add_benchmark(fmt::format("wide-hop.{}", wide), measure_wide);
  return true;
}();

}  // namespace
}  // namespace heddle
