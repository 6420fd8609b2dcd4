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

TEST_CASE("a gate matrix is a third of the work more, and moves nothing") {
  const auto run = [](const std::string& gated) {
    return layers_of_machine({{"workload.tokens", "256"},
                              {"workload.gated", gated},
                              {"workload.schedule", "[deepep, dysharp]"}});
  };
  const auto two = run("false"), three = run("true");
  for (std::size_t i = 0; i < two.size(); ++i) {
    CHECK(three[i]["vectors"] == two[i]["vectors"]);
    CHECK(three[i]["time_s"] >= three[i]["bound_s"]);
  }
  CHECK(three[0]["law_s"] > two[0]["law_s"]);  // the other is bound by wires
  CHECK(step_time(three[0], "gemm1") > 1.5 * step_time(two[0], "gemm1"));
  CHECK(step_time(three[0], "gemm1") < 2.1 * step_time(two[0], "gemm1"));
  CHECK(step_time(three[0], "gemm2") == Approx(step_time(two[0], "gemm2")).epsilon(0.05));
}

TEST_CASE("vectors of fp8 halve a dispatch, and nothing else") {
  const auto run = [](const std::string& dtype) {
    return layers_of_machine({{"workload.tokens", "256"},
                              {"workload.dispatch_dtype", dtype},
                              {"workload.schedule", "[deepep, dysharp, nvls]"}});
  };
  const auto wide = run("bf16"), narrow = run("fp8");
  for (std::size_t i = 0; i < wide.size(); ++i) {
    INFO(wide[i]["schedule"]);
    for (const char* way : {"combine_out", "combine_in"})
      CHECK(narrow[i]["vectors"][way] == wide[i]["vectors"][way]);
    for (const char* way : {"dispatch_out", "dispatch_in"})
      CHECK(narrow[i]["vectors"][way] == wide[i]["vectors"][way]);
    CHECK(narrow[i]["time_s"] >= narrow[i]["bound_s"]);
    CHECK(narrow[i]["time_s"] < wide[i]["time_s"]);
  }
  CHECK(step_time(narrow[0], "dispatch") < 0.56 * step_time(wide[0], "dispatch"));
  CHECK(step_time(narrow[0], "combine") == Approx(step_time(wide[0], "combine")).epsilon(0.05));
}
