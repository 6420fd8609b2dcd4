// Layers as parts of training steps and of inference: attention, backward passes, DualPipe.
#include "tests/system/moe/moe_layers.hpp"

using namespace heddle;

namespace {

constexpr double peak = 1979e12, hbm = 4.8e12;  // of an H200, as the hub's defaults
constexpr double hidden = 256, tokens = 64;     // of yaml/moe_small.yaml

// Since the counts are exchanged alike, and only attention lies before the first vector.
double attention_before(const settings& values) {
  settings of_pass = {{"workload.schedule", "dysharp"}, {"data", "off"}}, alone = of_pass;
  of_pass.insert(of_pass.end(), values.begin(), values.end());
  const auto start = [](const settings& each) {
    return layers_of(each)[0]["steps"]["dispatch"]["start_s"].get<double>();
  };
  return start(of_pass) - start(alone);
}

}  // namespace

TEST_CASE(
    "a training step by every schedule: both passes return exact sums, by the law's traffic") {
  const heddle_run done(
      netlist, {{"workload.schedule", "[dysharp, deepep, fastermoe, comet, dualpipe, nvls]"},
                {"workload.pass", "training"},
                {"workload.tokens", "32"},
                {"workload.numerics", "scale"}});
  INFO(done.report());
  REQUIRE(is_verified(done));
  CHECK_THAT(done.folder().content("out/summary.txt"),
             Catch::Contains("64 x 256") &&
                 Catch::Contains("tokens: of each GPU, those of the forward and of the backward "
                                 "pass together"));
  const auto stats = done.stats();
  for (const auto& each : stats["moe_layers"]) {
    const std::string schedule = each["schedule"];
    INFO(schedule);
    CHECK(each["time_s"] >= each["bound_s"]);
    const double d = each["distinct_gpus"], leaving = each["leaving"];
    const double all = schedule == "nvls" ? 16 : schedule == "dysharp" ? 2 * (d + leaving) : 4 * d;
    CHECK(each["vectors"]["all"] == all);
  }
}

TEST_CASE("a backward pass moves as much and multiplies twice as much") {
  const auto layer = [](const std::string& pass) {
    return layers_of({{"workload.schedule", "deepep"},
                      {"workload.pass", pass},
                      {"workload.hidden", "1024"},
                      {"workload.ffn", "4096"},
                      {"gpu[*].hub.hbm", "1000 TB/s"},
                      {"data", "off"}})[0];
  };
  const auto forward = layer("forward"), backward = layer("backward");
  CHECK(forward["vectors"] == backward["vectors"]);
  CHECK(forward["steps"]["dispatch"]["time_s"] == backward["steps"]["dispatch"]["time_s"]);
  for (const char* gemm : {"gemm1", "gemm2"})
    CHECK(backward["steps"][gemm]["time_s"].get<double>() ==
          Approx(2 * forward["steps"][gemm]["time_s"].get<double>()).epsilon(0.05));
}

TEST_CASE("attention takes the time of its operations, or of the weights and the cache it reads") {
  constexpr double latency = 100e-9;  // of the first byte
  const double weights = 4 * hidden * hidden / hbm;
  CHECK(attention_before({{"workload.pass", "prefill"}}) ==
        Approx(latency + weights).epsilon(1e-4));
  const double long_prompt = 2048 * (8 * hidden * hidden + 2 * 2048 * hidden) / peak;
  // Its first blocks wait for weights.
  const double of_long =
      attention_before({{"workload.pass", "prefill"}, {"workload.tokens", "2048"}});
  CHECK(of_long > long_prompt);
  CHECK(of_long < long_prompt + latency);
  // Keys and values of 4096 tokens before each.
  const double cache = tokens * 4096 * hidden * 4 / hbm;
  CHECK(attention_before({{"workload.pass", "decode"}}) ==
        Approx(latency + weights + cache).epsilon(1e-4));
  CHECK(attention_before({{"workload.pass", "decode"}, {"workload.context", "8192"}}) ==
        Approx(latency + weights + 2 * cache).epsilon(1e-4));
}

TEST_CASE("the bound of a layer has the memory of its GPUs") {
  const auto layer = layers_of({{"workload.schedule", "dysharp"},
                                {"workload.pass", "decode"},
                                {"gpu[*].hub.hbm", "20 TB/s"},
                                {"data", "off"}})[0];
  const double bound = layer["bound_s"], time = layer["time_s"];
  CHECK(bound <= time);
  CHECK(bound > (4 * hidden * hidden + tokens * 4096 * hidden * 4) / 20e12);
}

TEST_CASE("two passes at once take less time than one after the other") {
  const auto times = times_of(layers_of({{"workload.schedule", "[deepep, dualpipe]"},
                                         {"workload.pass", "training"},
                                         {"workload.tokens", "1024"},
                                         {"workload.tile", "128"},
                                         {"data", "off"}}));
  CHECK(times[1] < 0.95 * times[0]);
}

TEST_CASE("passes that make no sense are refused with their place") {
  struct mistake {
    settings values;
    const char* message;
  };
  const mistake m = GENERATE(
      mistake{{{"workload.pass", "trainin"}}, "did you mean 'training'?"},
      mistake{{{"workload.schedule", "[dualpipe]"}}, "`pass: training`"},
      mistake{{{"workload.context", "100"}}, "`pass: decode`"},
      mistake{{{"workload.pass", "training"}, {"workload.tokens", "40000"}}, "65536 in all"});
  const heddle_run done(netlist, m.values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(2));
  REQUIRE_THAT(done.result().errors, Catch::Contains(m.message));
}
