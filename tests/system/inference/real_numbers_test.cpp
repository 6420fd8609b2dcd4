// A small model with real numbers: logits against float64, whatever carries the partial sums.
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

nlohmann::json steps_of(const settings& values) {
  const heddle_run done(project_file("yaml/inference_tiny.yaml"), values);
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  nlohmann::json steps = done.stats()["inference"];
  for (const auto& each : steps) REQUIRE(each["verdict"] == "verified");
  return steps;
}

std::vector<std::string> digests_of(const nlohmann::json& steps) {
  std::vector<std::string> digests;
  for (const auto& each : steps) digests.push_back(each["logits_digest"]);
  return digests;
}

}  // namespace

TEST_CASE("logits of the sharded model are those of the reference, within the bound of FP16") {
  const auto steps = steps_of({});
  REQUIRE(steps.size() == 12);
  std::map<std::string, double> errors;
  for (const auto& each : steps) {
    const double error = each["logits_error"], bound = each["logits_error_bound"];
    CHECK(error > 0);
    CHECK(error < bound);
    if (each["step"] == "prefill") errors[each["algorithm"]] = error;
  }
  for (const char* each : {"ring", "nvls", "scin"}) CHECK(errors[each] < 2e-3);
  // INT8 in blocks of 64: ten times the error of FP16, not more than one step of 1/127.
  CHECK(errors["scin_inq"] > 2e-3);
  CHECK(errors["scin_inq"] < 2e-2);
}

TEST_CASE("rings add in the same order, bit for bit, however they learn of their data") {
  const auto plain = digests_of(steps_of({{"workload.algorithm", "ring"}}));
  const settings more = GENERATE(settings{{"workload.protocol", "in_packet"}},
                                 settings{{"workload.protocol", "ordered"}, {"params.planes", "1"}},
                                 settings{{"workload.pieces", "4"}}, settings{{"train", "32"}});
  settings values = {{"workload.algorithm", "ring"}};
  values.insert(values.end(), more.begin(), more.end());
  CHECK(digests_of(steps_of(values)) == plain);
}

TEST_CASE("switches add in the order of the ranks, whoever asks them to") {
  CHECK(digests_of(steps_of({{"workload.algorithm", "nvls"}})) ==
        digests_of(steps_of({{"workload.algorithm", "scin"}})));
  CHECK(digests_of(steps_of({{"workload.algorithm", "scin"}})) !=
        digests_of(steps_of({{"workload.algorithm", "ring"}})));
}

TEST_CASE("other seeds, ranks, batches and shared keys stay within the bound") {
  const settings values = GENERATE(
      settings{{"seed", "2"}}, settings{{"params.gpus", "2"}, {"seed", "3"}},
      settings{{"params.gpus", "4"},
               {"workload.batch", "3"},
               {"workload.prefill", "5"},
               {"workload.model",
                "{name: shared, hidden: 128, intermediate: 384, layers: 3, heads: 8, kv_heads: 4, "
                "vocabulary: 256}"}},
      settings{{"workload.quantization", "{bits: 4, block: 32}"},
               {"workload.algorithm", "scin_inq"}});
  for (const auto& each : steps_of(values)) CHECK(each["simulated_layers"] == each["layers"]);
}

TEST_CASE("the same firmware on RV64 cores gives the same logits") {
  const settings native = {{"workload.algorithm", "[ring, scin_inq]"}, {"workload.decode", "1"}};
  settings cross = native;
  cross.emplace_back("params.core", "rv64_core");
  CHECK(digests_of(steps_of(cross)) == digests_of(steps_of(native)));
}
