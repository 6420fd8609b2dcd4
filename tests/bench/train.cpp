// `train.32`: the same all-reduce at 32 packets an object and at one. How much faster, and how far
// the collective's time is off.
#include <fmt/format.h>

#include <cmath>

#include "platform/number/median.hpp"
#include "tests/bench/collective_run.hpp"
#include "tests/bench/measurement.hpp"

namespace heddle {
namespace {

forked_result ring(int train, const std::string& data, const std::string& bytes) {
  return simulate_collective("ring_allreduce.yaml",
                             {fmt::format("workload.bytes=[{0}, {0}]", bytes),
                              fmt::format("train={}", train), "data=" + data});
}

forked_result scin(int train, const std::string& data, const std::string& bytes) {
  return simulate_collective(
      "scin_dgx8.yaml", {"workload.algorithm=scin", fmt::format("workload.bytes=[{0}, {0}]", bytes),
                         fmt::format("train={}", train), "data=" + data});
}

using collective = forked_result (*)(int train, const std::string& data, const std::string& bytes);

struct measured_size {
  std::string bytes;
  int rounds;
};
const measured_size usual_size = {"16 MiB", 3};
const measured_size large_size = {"64 MiB", 1};  // packet by packet that takes some 7 s
// So often trains are timed for each run packet by packet: a run of trains is so short that all of
// it may fall into a slow moment of the machine.
constexpr int train_runs = 3;

std::vector<bench_row> measure(const std::string& name, collective run, const std::string& data,
                               const measured_size& size) {
  forked_result packets, trains;
  std::vector<double> packet_costs, train_costs, ratios;
  for (int round = 0; round < size.rounds; ++round) {
    packets = run(1, data, size.bytes);
    std::vector<double> costs;
    for (int i = 0; i < train_runs; ++i) {
      trains = run(32, data, size.bytes);
      costs.push_back(trains.cpu_s);
    }
    packet_costs.push_back(packets.cpu_s);
    train_costs.push_back(median_of(costs));
    ratios.push_back(packets.cpu_s / train_costs.back());
  }
  bench_row speed;
  speed.name = name;
  speed.value = median_of(train_costs);
  speed.floor = median_of(packet_costs);
  speed.unit = "s";
  speed.ratio = median_of(ratios);
  speed.bar = 15;
  speed.at_least = true;
  bench_row error;
  error.name = name + ".time-error";
  error.value = 100 * std::abs(trains.simulated_s / packets.simulated_s - 1);
  error.unit = "%";
  error.holds = bench_row::held::value;
  error.bar = 3;
  return {speed, error};
}

[[maybe_unused]] const bool is_registered = [] {
  const auto add = [](const std::string& name, collective run, const std::string& data,
                      const measured_size& size) {
    add_benchmark(name, [=] { return measure(name, run, data, size); });
  };
  add("train.32.data-off", ring, "off", usual_size);
  add("train.32.data-on", ring, "on", usual_size);
  add("train.32.data-on.64-MiB", ring, "on", large_size);
  add("train.32.scin.data-off", scin, "off", usual_size);
  add("train.32.scin.data-on", scin, "on", usual_size);
  return true;
}();

}  // namespace
}  // namespace heddle
