// When layers count as repeating, and what is counted then.
#include "models/workloads/inference/step_recorder.hpp"

#include <catch2/catch.hpp>

using namespace heddle;

namespace {

// Two ranks run layers of these lengths, one after another, kernels for 10 of them.
step_recorder recorded(std::uint32_t layers, const std::vector<std::vector<fs_t>>& lengths,
                       bool may_stop = true) {
  step_recorder recorder(2, layers, may_stop);
  fs_t begins[2] = {100, 103};
  for (std::uint32_t layer = 0; layer < recorder.layers() && layer < lengths.size(); ++layer)
    for (std::size_t rank = 0; rank < 2; ++rank) {
      const std::uint32_t tag = INFERENCE_TAG(layer, INFERENCE_ATTENTION);
      recorder.list_begins(rank, tag, begins[rank]);
      recorder.kernel_ended(rank, tag, 0, begins[rank], begins[rank] + 10);
      recorder.list_ended(rank, tag, begins[rank] + 10);
      begins[rank] += lengths[layer][rank];
    }
  return recorder;
}

}  // namespace

TEST_CASE("layers that take the same time are counted") {
  const std::vector<std::vector<fs_t>> lengths(20, {50, 50});
  const step_recorder of = recorded(20, lengths);
  CHECK(of.cycle() == 1);
  CHECK(of.layers() == 5);
  CHECK(of.counted() == 15);
  CHECK(of.counted_time() == 15 * 50);
  CHECK(of.compute_seconds() == Approx(seconds(20 * 10)));
  CHECK(of.last_layer()[1].size() == 1);
}

TEST_CASE("all layers are simulated where the netlist wants it, or where they differ") {
  const std::vector<std::vector<fs_t>> alike(20, {50, 50});
  CHECK(recorded(20, alike, false).counted() == 0);
  std::vector<std::vector<fs_t>> drifting(20, {50, 51});
  CHECK(recorded(20, drifting).counted() == 0);
  for (std::size_t i = 0; i < drifting.size(); ++i) drifting[i] = {50 + i, 50 + i};
  CHECK(recorded(20, drifting).counted() == 0);
}

TEST_CASE("a first layer of its own does not count as one that repeats") {
  std::vector<std::vector<fs_t>> lengths(20, {50, 50});
  lengths[0] = {70, 60};
  lengths[1] = {50, 60};
  const step_recorder of = recorded(20, lengths);
  CHECK(of.counted() == 14);
  CHECK(of.counted_time() == 14 * 50);
}

TEST_CASE("layers that repeat in turns are counted in whole cycles, the rest is simulated") {
  const std::uint32_t cycle = GENERATE(2, 3, 4);
  std::vector<std::vector<fs_t>> lengths;
  fs_t whole = 0;
  for (std::uint32_t i = 0; i < 40; ++i) lengths.push_back({50 + i % cycle, 50 + (i + 1) % cycle});
  for (std::uint32_t i = 0; i < cycle; ++i) whole += lengths[i][0];
  const step_recorder of = recorded(40, lengths);
  CHECK(of.cycle() == cycle);
  CHECK(of.counted() % cycle == 0);
  CHECK(of.layers() + of.counted() == 40);
  CHECK(of.layers() < 20);
  CHECK(of.counted_time() == of.counted() / cycle * whole);
}

TEST_CASE("few layers are all simulated") {
  CHECK(recorded(2, {{50, 50}, {50, 50}}).counted() == 0);
  CHECK(recorded(1, {{50, 50}}).counted() == 0);
}
