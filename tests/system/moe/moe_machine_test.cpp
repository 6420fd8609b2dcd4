// The machines of the literature, yaml/moe_nvl32.yaml, with fewer tokens than it has: which
// mechanism brings time, and twice as many GPUs and switches.
#include "tests/system/moe/moe_layers.hpp"

using namespace heddle;

namespace {

const std::string machine = project_file("yaml/moe_nvl32.yaml");

nlohmann::json layers_of_machine(const settings& values) {
  settings all = {{"params.model", "S"}, {"params.experts", "64"}};
  all.insert(all.end(), values.begin(), values.end());
  const heddle_run done(machine, all);
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  return done.stats()["moe_layers"];
}

double step_time(const nlohmann::json& layer, const char* step) {
  return layer["steps"][step]["time_s"];
}

}  // namespace

TEST_CASE("64 GPUs on 18 switches: exact traffic, every bound kept, and half the data moved") {
  const auto layers = layers_of_machine({{"params.gpus", "64"},
                                         {"params.planes", "18"},
                                         {"params.link", "25 GB/s"},
                                         {"workload.tokens", "160"},
                                         {"workload.schedule", "[deepep, dysharp]"}});
  const double d = layers[0]["distinct_gpus"], leaving = layers[0]["leaving"];
  CHECK(d == Approx(8.0 * 63 / 64).epsilon(0.01));  // one expert on each GPU
  CHECK(layers[0]["vectors"]["all"] == Approx(4 * d).epsilon(1e-12));
  CHECK(layers[1]["vectors"]["all"] == Approx(2 * (d + leaving)).epsilon(1e-12));
  for (const auto& each : layers) CHECK(each["time_s"] >= each["bound_s"]);
  CHECK(layers[1]["gain"] > 1.3);
}

TEST_CASE("a multicast dispatch or an added combine alone takes as long as copies") {
  // With headers of one byte: acknowledgments of copies take next to nothing from their data.
  const auto layers = layers_of_machine({{"gpu[*].hub.header", "1 B"},
                                         {"nvs[*].multimem.header", "1 B"},
                                         {"workload.tokens", "512"},
                                         {"workload.schedule", "[deepep, dysharp_basic]"}});
  for (const char* step : {"dispatch", "combine"}) {
    INFO(step);
    CHECK(step_time(layers[1], step) > 0.9 * step_time(layers[0], step));
  }
}

TEST_CASE("fusion alone is no faster than COMET, with dynamic addressing it is") {
  const auto layers = layers_of_machine(
      {{"workload.tokens", "512"}, {"workload.schedule", "[comet, fusion, dysharp]"}});
  CHECK(layers[1]["gain"] < 1.1);
  CHECK(layers[2]["gain"] > 1.3);
}
