// Two binary trees: in chains of descriptors leaves keep to the pace of the others, so that links
// are busy all the time, and rings of any length take the steps; cores are as fast.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/ladder_star.yaml");

settings of(const std::string& collective, const std::string& bytes, settings values) {
  values.emplace_back("workload.algorithm", "double_tree");
  values.emplace_back("workload.collective", collective);
  values.emplace_back("workload.bytes", bytes);
  return values;
}

double time_of(const heddle_run& run) {
  INFO(run.report());
  REQUIRE(run.result().exit_code == 0);
  return run.stats()["collectives"][0]["time_s"].get<double>();
}

}  // namespace

// 2 M / BW for an all-reduce and M / BW for a reduction, beside alpha of 0.5 us a level.
TEST_CASE("leaves of two trees keep to the pace of the ranks above them") {
  const settings ranks = {{"params.ranks", "128"}};
  const heddle_run long_one(netlist, of("allreduce", "1 GB", ranks));
  CHECK(time_of(long_one) < 1.04 * (2e9 / 900e9 + 7e-6));
  const heddle_run reduction(netlist, of("reduce", "16 MB", ranks));
  CHECK(time_of(reduction) < 1.03 * (16e6 / 900e9 + 3.5e-6));
}

TEST_CASE("a core passes segments of two trees on as fast as chains do") {
  const std::string file = GENERATE("yaml/ring_allreduce.yaml", "yaml/leaf_spine.yaml");
  const std::string bytes = GENERATE("64 KiB", "8 MiB");
  for (const std::string collective : {"allreduce", "broadcast", "reduce"}) {
    const auto time = [&](const char* steps) {
      return time_of(heddle_run(
          project_file(file),
          of(collective, bytes,
             {{"data", "off"}, {"workload.steps", steps}, {"workload.explain", "off"}})));
    };
    INFO(file << ", " << collective << ", " << bytes);
    CHECK(time("core") < 1.25 * time("chain"));
  }
}

TEST_CASE("two trees by cores leave exact data, whatever rings hold") {
  const std::string ranks = GENERATE("2", "3", "7", "16");
  const settings with =
      GENERATE(settings{{"workload.ring_entries", "4"}},
               settings{{"gpu[*].dma.channels", "1"}, {"workload.repeat", "2"}},
               settings{{"gpu[*].dma.channels", "2"}},
               settings{{"params.planes", "1"}, {"workload.protocol", "ordered"}});
  for (const std::string collective : {"allreduce", "reduce", "broadcast"}) {
    settings values = {
        {"params.gpus", ranks}, {"workload.slot_bytes", "4 KiB"}, {"workload.dtype", "int32"}};
    if (collective != "allreduce") values.emplace_back("workload.root", "1");
    values.insert(values.end(), with.begin(), with.end());
    const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                         of(collective, "100004 B", values));
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

// Not closer, because one rule serves every system: chains that wait for acknowledgments, chains in
// a fabric that keeps writes in order, and cores.
TEST_CASE("segments that nobody has chosen come within 30 % of the best") {
  const std::string bytes = GENERATE("1 MiB", "16 MiB");
  const std::string steps = GENERATE("chain", "core");
  const std::string planes = GENERATE("1", "4");
  const auto time = [&](const char* segment) {
    settings values = {{"data", "off"},
                       {"params.planes", planes},
                       {"workload.steps", steps},
                       {"workload.protocol", "auto"},
                       {"workload.explain", "off"}};
    if (segment) values.emplace_back("workload.slot_bytes", segment);
    return time_of(
        heddle_run(project_file("yaml/ring_allreduce.yaml"), of("allreduce", bytes, values)));
  };
  const double by_default = time(nullptr);
  for (const char* segment : {"16 KiB", "64 KiB", "256 KiB", "1 MiB", "4 MiB"}) {
    INFO(planes << " planes, " << steps << ", " << bytes << " in segments of " << segment);
    CHECK(by_default < 1.3 * time(segment));
  }
}

TEST_CASE("segments that nobody has chosen suit wires of any length") {
  const std::string latency = GENERATE("0 ns", "10 ns", "1 us");
  const auto time = [&](const char* segment) {
    settings values = {{"data", "off"}, {"links[0].latency", latency}, {"workload.explain", "off"}};
    if (segment) values.emplace_back("workload.slot_bytes", segment);
    return time_of(
        heddle_run(project_file("yaml/scin_dgx8.yaml"), of("allreduce", "4 MiB", values)));
  };
  const double by_default = time(nullptr);
  for (const char* segment : {"64 KiB", "256 KiB", "1 MiB"}) {
    INFO(latency << ", in segments of " << segment);
    CHECK(by_default < 1.3 * time(segment));
  }
}

TEST_CASE("two trees with windows leave exact data, whatever rings hold") {
  const std::string ranks = GENERATE("2", "7", "16");
  const std::string entries = GENERATE("16", "1024");
  for (const std::string collective : {"allreduce", "reduce"}) {
    const heddle_run run(netlist, of(collective, "8 MB",
                                     {{"params.ranks", ranks},
                                      {"workload.slot_bytes", "64 KiB"},
                                      {"workload.ring_entries", entries},
                                      {"workload.dtype", "int32"},
                                      {"data", "on"}}));
    INFO(run.report());
    CHECK(run.is_verified());
  }
}
