// `heddle moe`: the JSON of the laws of mixture-of-experts layers, beside what follows for a token
// that has one expert or two.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

constexpr double experts = 64, tokens = 2048;  // model S

nlohmann::json laws_of(std::vector<std::string> words) {
  const scratch_folder folder;
  words.insert(words.begin(), {heddle_program(), "moe"});
  words.insert(words.end(), {"--json", "laws.json"});
  const command_result told = run({words, folder.path()});
  INFO(told.errors);
  REQUIRE(told.exited_with(0));
  return nlohmann::json::parse(folder.content("laws.json"));
}

// Experts of a token are drawn without repetition.
struct spread {
  double distinct, leaving;
};
spread spread_of(double gpus, int topk) {
  const double own = experts / gpus;
  double none = 1, all_own = 1;
  for (int i = 0; i < topk; ++i) {
    none *= (experts - own - i) / (experts - i);
    all_own *= (own - i) / (experts - i);
  }
  return {(gpus - 1) * (1 - none), 1 - all_own};
}

}  // namespace

TEST_CASE("the JSON of the laws of a layer is that of its formulas") {
  const nlohmann::json laws = laws_of({"--models", "S", "--gpus", "4,8", "--topk", "1,2"});
  REQUIRE(laws["rows"].size() == 4);
  for (const auto& row : laws["rows"]) {
    INFO(row.dump());
    const double gpus = row["gpus"];
    const auto [d, leaving] = spread_of(gpus, row["topk"]);
    CHECK(row["tokens"] == tokens);
    CHECK(row["experts"] == experts);
    CHECK(row["distinct_gpus"] == Approx(d));
    CHECK(row["leaving"] == Approx(leaving));
    const double copies = 4 * d, needed = 2 * (d + leaving);
    CHECK(row["vectors"]["deepep"] == Approx(copies));
    CHECK(row["vectors"]["dysharp"] == Approx(needed));
    CHECK(row["vectors"]["nvls"] == Approx(2 * gpus));  // up once, down to all others, and back
    CHECK(row["redundancy"].get<double>() == Approx(1 - needed / copies).margin(1e-12));
    CHECK(row["ideal_speedup"] == Approx(copies / needed));
    CHECK(row["useless"] == Approx((gpus - 1) / d - 1));
    CHECK(row["al_table_MB"] == Approx(4e-6 * gpus * tokens));  // an entry of 4 B
    for (const char* each : {"deepep", "nvls", "comet"}) {
      CHECK(row["gain"][each] == Approx(row["roofline_s"][each].get<double>() /
                                        row["roofline_s"]["dysharp"].get<double>()));
      CHECK(row["capacity_gain"][each] == Approx(row["capacity_s"][each].get<double>() /
                                                 row["capacity_s"]["dysharp"].get<double>()));
    }
    // Nothing of DeepEP's steps overlaps.
    CHECK(row["communication_share"] ==
          Approx(1 - row["compute_s"].get<double>() / row["roofline_s"]["deepep"].get<double>()));
  }
  CHECK(laws["rows"][1]["compute_s"] == Approx(2 * laws["rows"][0]["compute_s"].get<double>()));
  CHECK(laws["rows"][2]["compute_s"] == laws["rows"][0]["compute_s"]);
}

TEST_CASE("gains of all layers are summed up by their geometric mean and their largest") {
  const nlohmann::json laws = laws_of({"--models", "S,L", "--gpus", "8", "--topk", "2,8"});
  for (const char* kind : {"gain", "capacity_gain"})
    for (const char* schedule : {"deepep", "nvls", "comet"}) {
      CAPTURE(kind, schedule);
      double product = 1, largest = 0;
      for (const auto& row : laws["rows"]) {
        const double gain = row[kind][schedule];
        product *= gain;
        largest = std::max(largest, gain);
      }
      CHECK(laws[kind][schedule]["geomean"] == Approx(std::pow(product, 1 / 4.)));
      CHECK(laws[kind][schedule]["largest"] == Approx(largest));
    }
}

// Nine links, from one GPU and to eight: on each the payload, a header of a flit of 16 B and one of
// the answer. Lists of targets take a flit once, or on each copy; explicit ones one for each target
// behind the first, there and back.
TEST_CASE("the table of payload efficiency counts flits") {
  const nlohmann::json laws = laws_of({"--models", "S"});
  REQUIRE(laws["efficiency"].size() == 5);
  for (const auto& row : laws["efficiency"]) {
    INFO(row.dump());
    const double data = 9 * row["payload"].get<double>() / 16, plain = data + 9 * 2;
    CHECK(row["ideal"] == Approx(data / plain));
    CHECK(row["explicit"] == Approx(data / (plain + 2 * 7)));
    CHECK(row["dynamic"] == Approx(data / (plain + 1)));
    CHECK(row["dynamic_copies"] == Approx(data / (plain + 1 + 8)));
  }
  CHECK(laws["round_trip_us"] == 4 * 0.25);
}
