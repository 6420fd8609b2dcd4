// The same command gives the same bytes; carrying no data or other data changes no time.
#include <catch2/catch.hpp>

#include "tests/system/random_configuration.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/ring_allreduce.yaml");

const settings small = {{"params.gpus", "4"}, {"workload.bytes", "[1 KiB, 100002 B]"}};

// With what depends on the data left out: all else is times and counts.
nlohmann::json without_data(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  nlohmann::json stats = run.stats();
  stats.erase("seed");
  for (auto& each : stats["collectives"])
    for (const char* key : {"checked", "verified", "verdict", "max_ulp", "relative_error"})
      each.erase(key);
  return stats;
}

settings with(settings values, const std::string& path, const std::string& value) {
  values.emplace_back(path, value);
  return values;
}

}  // namespace

TEST_CASE("the same command twice gives identical files") {
  for (const char* train : {"1", "32"}) {
    const scratch_folder first, second;
    for (const scratch_folder* each : {&first, &second}) {
      command line = run_command(netlist, "out", with(small, "train", train));
      for (const char* word : {"--wave", "waves.vcd"}) line.words.emplace_back(word);
      line.folder = each->path();
      INFO(line.text());
      REQUIRE(run(line).exited_with(0));
    }
    for (const char* name : {"out/stats.json", "out/links.csv", "out/config.yaml",
                             "out/summary.txt", "waves.vcd", "waves.gtkw"}) {
      INFO(name << " at train " << train);
      REQUIRE_FALSE(first.content(name).empty());
      CHECK((first.content(name) == second.content(name)));
    }
  }
}

TEST_CASE("carrying no data changes no time") {
  for (const char* algorithm : {"ring", "direct", "halving_doubling"})
    for (const char* train : {"1", "32"}) {
      const settings values = with(with(small, "workload.algorithm", algorithm), "train", train);
      CHECK(without_data(heddle_run(netlist, values)) ==
            without_data(heddle_run(netlist, with(values, "data", "off"))));
    }
}

TEST_CASE("carrying no data changes no time in random systems") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const settings values = random_configuration(seed).as_settings();
    INFO("seed " << seed);
    CHECK(without_data(heddle_run(netlist, values)) ==
          without_data(heddle_run(netlist, with(values, "data", "off"))));
  }
}

TEST_CASE("who watches accesses of cores that run ahead changes no time") {
  const std::string light = project_file("yaml/ladder_inc.yaml");
  const settings values = {{"params.ranks", "16"}, {"workload.bytes", "9984 B"}};
  const auto time_of = [](const heddle_run& run) { return without_data(run)["collectives"]; };
  const auto plain = time_of(heddle_run(light, values));
  CHECK(plain == time_of(heddle_run(light, values, {"--profile"})));
  const scratch_folder folder;
  CHECK(plain == time_of(heddle_run(light, values, {"--mmio-log", folder.file("log.csv")})));
}

TEST_CASE("accesses are logged with their lines, however little stack firmware has") {
  const scratch_folder folder;
  const std::string log = folder.file("log.csv");
  const heddle_run logged(
      netlist, {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}, {"gpu[*].cp.stack", "64 KiB"}},
      {"--mmio-log", log});
  INFO(logged.report());
  REQUIRE(logged.is_verified());
  CHECK_THAT(folder.content("log.csv"), Catch::Contains("sw/drivers/dma.c,"));
}

TEST_CASE("another seed changes the data and no time") {
  const settings values = with(small, "workload.output", "rank{r}.npy");
  const heddle_run one(netlist, values, {"--seed", "1"});
  const heddle_run same(netlist, values, {"--seed", "1"});
  const heddle_run other(netlist, values, {"--seed", "2"});
  CHECK(without_data(one) == without_data(other));
  CHECK(one.stats()["seed"] == 1);
  CHECK(other.stats()["seed"] == 2);
  for (const char* file : {"out/rank0.npy", "out/rank3.npy"}) {
    REQUIRE_FALSE(one.folder().content(file).empty());
    CHECK((one.folder().content(file) == same.folder().content(file)));
    CHECK((one.folder().content(file) != other.folder().content(file)));
  }
}
