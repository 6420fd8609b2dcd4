// `train.32`: the same all-reduce at 32 packets an object and at one. How much faster, and how far
// the collective's time is off.
#include <fmt/format.h>

#include <cmath>

#include "tests/bench/measurement.hpp"
#include "tests/bench/ring_run.hpp"

namespace heddle {
namespace {

constexpr int rounds = 3;

std::vector<bench_row> measure(const std::string& data) {
  forked_result packets, trains;
  const auto ring = [&data](int train) {
    return simulate_ring({"workload.bytes=16 MiB", fmt::format("train={}", train), "data=" + data});
  };
  std::vector<double> packet_costs, train_costs, ratios;
  for (int round = 0; round < rounds; ++round) {
    packets = ring(1);
    trains = ring(32);
    packet_costs.push_back(packets.cpu_s);
    train_costs.push_back(trains.cpu_s);
    ratios.push_back(packets.cpu_s / trains.cpu_s);
  }
  bench_row speed;
  speed.name = "train.32.data-" + data;
  speed.value = median(train_costs);
  speed.floor = median(packet_costs);
  speed.unit = "s";
  speed.ratio = median(ratios);
  speed.bar = 15;
  speed.at_least = true;
  bench_row error;
  error.name = "train.32.time-error.data-" + data;
  error.value = 100 * std::abs(trains.simulated_s / packets.simulated_s - 1);
  error.unit = "%";
  error.ratio = error.value;
  error.bar = 3;
  return {speed, error};
}

[[maybe_unused]] const bool is_registered = [] {
  add_benchmark("train.32.data-off", [] { return measure("off"); });
  add_benchmark("train.32.data-on", [] { return measure("on"); });
  return true;
}();

}  // namespace
}  // namespace heddle
