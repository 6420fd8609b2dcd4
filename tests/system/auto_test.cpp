// What `algorithm: auto` takes: hardware that is there, else the software that is fastest.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/chosen_algorithm.hpp"

using namespace heddle;

TEST_CASE("auto obeys the type and the collective") {
  for (const char* name : {"yaml/scin_dgx8.yaml", "yaml/nvls_dgx8.yaml"}) {
    const heddle_run done(
        project_file(name),
        {{"workload.algorithm", "auto"}, {"workload.dtype", "fp64"}, {"workload.bytes", "4 KiB"}});
    INFO(done.report());
    REQUIRE(done.is_verified());
    CHECK(done.stats()["collectives"][0]["algorithm"] == "recursive_doubling");
  }
  // Where no switch reduces to one rank, software does.
  const heddle_run software(project_file("yaml/nvls_dgx8.yaml"), {{"workload.algorithm", "auto"},
                                                                  {"workload.collective", "reduce"},
                                                                  {"workload.bytes", "4 KiB"}});
  INFO(software.report());
  REQUIRE(software.is_verified());
  CHECK(software.stats()["collectives"][0]["algorithm"] == "double_tree");
}

TEST_CASE("auto takes the software that is fastest at a size") {
  const auto chosen = [](const char* gpus) {
    const heddle_run done(project_file("yaml/ring_allreduce.yaml"),
                          {{"params.gpus", gpus},
                           {"workload.algorithm", "auto"},
                           {"workload.bytes", "[16 KiB, 64 KiB, 16 MiB]"},
                           {"data", "off"}});
    INFO(done.report());
    std::vector<std::string> names;
    const auto stats = done.stats();
    for (const auto& each : stats["collectives"]) names.push_back(each["algorithm"]);
    return names;
  };
  CHECK(chosen("8") ==
        std::vector<std::string>{"recursive_doubling", "recursive_doubling", "ring"});
  CHECK(chosen("3") == std::vector<std::string>{"direct", "direct", "ring"});
  CHECK(chosen("2") ==
        std::vector<std::string>{"recursive_doubling", "recursive_doubling", "ring"});
}

TEST_CASE("auto leaves barriers to the hardware that is there") {
  const auto chosen = [](const char* file, settings values) {
    values.emplace_back("workload.collective", "barrier");
    return chosen_by_auto(file, std::move(values));
  };
  CHECK(chosen("yaml/tree_allreduce.yaml", {}) == "tree");
  CHECK(chosen("yaml/nvls_h100.yaml", {}) == "nvls");
  CHECK(chosen("yaml/scin_dgx8.yaml", {}) == "nvls");
  CHECK(chosen("yaml/scin_dgx8.yaml", {{"workload.ranks", "gpu[0..5]"}}) == "scin");
  // Rank 0 would write the instruction across the fabric first.
  CHECK(chosen("yaml/scin_dgx8.yaml", {{"workload.ranks", "gpu[0..5]"},
                                       {"workload.instructions", "on_demand"}}) == "dissemination");
  CHECK(chosen("yaml/leaf_spine.yaml", {}) == "dissemination");
}

TEST_CASE("rows of barriers that auto has chosen are told apart from those by name") {
  const auto summary = [](const char* file, const char* algorithms) {
    const heddle_run run(project_file(file),
                         {{"workload.collective", "barrier"}, {"workload.algorithm", algorithms}});
    INFO(run.report());
    REQUIRE(run.is_verified());
    return run.folder().content("out/summary.txt");
  };
  CHECK_THAT(summary("yaml/mesh_tiles.yaml", "auto"),
             Catch::StartsWith("auto barrier, 16 ranks\n") && Catch::Contains("  mesh_hw (auto) "));
  CHECK_THAT(summary("yaml/leaf_spine.yaml", "[auto, ring]"),
             Catch::StartsWith("auto, dissemination barrier, 8 ranks\n") &&
                 Catch::Contains("  dissemination (auto) "));
}

TEST_CASE("a comparison tells who has chosen an algorithm, and gives barriers no size") {
  const auto compared = [](const char* collective, const char* algorithms) {
    const scratch_folder folder;
    command line;
    line.words = {heddle_program(), "compare", project_file("yaml/leaf_spine.yaml")};
    for (const std::string& value :
         {"workload.collective=" + std::string(collective),
          "workload.algorithm=" + std::string(algorithms), std::string("workload.bytes=64 KiB")})
      line.words.insert(line.words.end(), {"--set", value});
    line.words.insert(line.words.end(), {"--with", "seed=2", "--json", folder.file("rows.json")});
    const command_result result = run(line);
    INFO(result.errors);
    REQUIRE(result.exited_with(0));
    return std::make_pair(result.output, nlohmann::json::parse(folder.content("rows.json")));
  };
  const auto [table, rows] = compared("allgather", "[recursive_doubling, auto]");
  CHECK_FALSE(rows[0].contains("chosen_by"));
  CHECK(rows[1]["chosen_by"] == "auto");
  CHECK_THAT(table, Catch::Contains(" (auto) "));
  CHECK_THAT(compared("barrier", "ring").first, Catch::Contains("\n         -  dissemination "));
}

// By the same system, of all lengths.
void check_against_the_fastest(const std::string& file, settings values,
                               const std::string& collective,
                               const std::vector<std::string>& others) {
  values.insert(values.end(),
                {{"workload.collective", collective},
                 {"workload.algorithm", fmt::format("[auto, {}]", fmt::join(others, ", "))},
                 {"workload.explain", "off"},
                 {"data", "off"}});
  const heddle_run run(project_file(file), values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json jobs = run.stats()["collectives"];
  const auto time = [&](std::size_t job) { return jobs.at(job)["time_s"].get<double>(); };
  for (std::size_t job = 0; job < jobs.size(); job += 1 + others.size()) {
    double fastest = time(job);
    for (std::size_t i = 1; i <= others.size(); ++i) fastest = std::min(fastest, time(job + i));
    CHECK(time(job) < 1.25 * fastest);
  }
}

const std::vector<std::pair<std::string, std::vector<std::string>>> by_software = {
    {"allreduce", {"ring", "halving_doubling", "recursive_doubling"}},
    {"allgather", {"ring", "recursive_doubling"}},
    {"reduce_scatter", {"ring", "halving_doubling"}},
    {"broadcast", {"ring", "double_tree"}},
    {"reduce", {"ring", "double_tree"}}};

// Lengths that aggregators leave to software.
TEST_CASE("auto takes no more than a quarter longer than the fastest software") {
  const std::string file =
      GENERATE("yaml/ring_allreduce.yaml", "yaml/leaf_spine.yaml", "yaml/tree_allreduce.yaml");
  const std::string steps = GENERATE("core", "chain");
  const char* const bytes = steps == "core" ? "[36 B, 100004 B, 4000004 B]" : "[36 B, 100004 B]";
  for (const auto& [collective, others] : by_software)
    check_against_the_fastest(file, {{"workload.steps", steps}, {"workload.bytes", bytes}},
                              collective, others);
}

TEST_CASE("auto knows that uplinks are shared, that many ranks take many messages, and long ways") {
  const std::vector<std::string> all = {"ring", "direct", "halving_doubling", "recursive_doubling"};
  const settings lengths = {{"workload.bytes", "[256 B, 64 KiB, 4 MiB]"}};
  const auto with = [&](settings more) {
    more.insert(more.end(), lengths.begin(), lengths.end());
    return more;
  };
  check_against_the_fastest(
      "yaml/leaf_spine.yaml",
      with({{"params.leaves", "4"}, {"params.spines", "1"}, {"topology.oversubscription", "4"}}),
      "allreduce", all);
  check_against_the_fastest("yaml/ring_allreduce.yaml", with({{"params.gpus", "32"}}), "allreduce",
                            all);
  check_against_the_fastest("yaml/ring_allreduce.yaml", with({{"params.gpus", "32"}}), "allgather",
                            {"ring", "halving_doubling"});
  check_against_the_fastest("yaml/leaf_spine.yaml", with({{"topology.link.latency", "5 us"}}),
                            "allreduce", all);
}

TEST_CASE("auto takes software where few ranks would send more to switches that reduce") {
  const auto chosen = [](const char* file, const char* gpus, const char* collective) {
    return chosen_by_auto(
        file,
        {{"params.gpus", gpus}, {"workload.collective", collective}, {"workload.bytes", "16 MiB"}});
  };
  CHECK(chosen("yaml/nvls_h100.yaml", "2", "allreduce") == "ring");
  CHECK(chosen("yaml/nvls_h100.yaml", "8", "allreduce") == "nvls");
  CHECK(chosen("yaml/scin_dgx8.yaml", "2", "reduce_scatter") == "ring");
  // By either of its kinds of hardware, which take as long but for 3 %.
  CHECK(chosen("yaml/scin_dgx8.yaml", "8", "reduce_scatter") != "ring");
}

TEST_CASE("auto takes hardware where its ways are shorter than the rounds of software") {
  const auto chosen = [](const char* file, const char* collective, const char* bytes,
                         settings more) {
    more.insert(more.end(), {{"workload.collective", collective}, {"workload.bytes", bytes}});
    return chosen_by_auto(file, std::move(more));
  };
  const char* const tree = "yaml/tree_allreduce.yaml";
  CHECK(chosen(tree, "alltoall", "3 KiB", {{"params.leaves", "1"}, {"params.hosts", "3"}}) ==
        "scatter_gather");
  CHECK(chosen(tree, "allgather", "2 KiB", {{"params.leaves", "2"}, {"params.hosts", "1"}}) ==
        "tree");
  // The instructions of the other hardware would cross the fabric first.
  CHECK(chosen("yaml/scin_dgx8.yaml", "allgather", "4 KiB",
               {{"workload.instructions", "on_demand"}}) == "nvls");
}

TEST_CASE("auto leaves a job of one rank to software") {
  for (const char* collective : {"allreduce", "reduce", "broadcast"})
    CHECK(chosen_by_auto("yaml/scin_dgx8.yaml", {{"params.gpus", "1"},
                                                 {"workload.collective", collective},
                                                 {"workload.bytes", "40000 B"}}) == "ring");
}

// The rails of its pods are joined by a core switch that has no aggregator.
TEST_CASE("auto takes no trees that their manager would not find") {
  const heddle_run run(project_file("yaml/pods.yaml"), {{"params.pods", "2"},
                                                        {"params.gpus", "4"},
                                                        {"params.rails", "2"},
                                                        {"params.leaves", "2"},
                                                        {"params.spines", "1"},
                                                        {"workload.collective", "broadcast"},
                                                        {"workload.algorithm", "auto"},
                                                        {"workload.bytes", "64 KiB"}});
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  const nlohmann::json job = run.stats()["collectives"][0];
  CHECK(job["algorithm"] == "double_tree");
  CHECK(job.count("fallback") == 0);
}

TEST_CASE("auto goes by the rings of a torus where it is told its sides") {
  const auto chosen = [](const char* collective, const char* bytes) {
    return chosen_by_auto("yaml/torus.yaml", {{"params.x", "5"},
                                              {"topology.link.vcs", "4"},
                                              {"params.y", "3"},
                                              {"workload.sides", "[5, 3]"},
                                              {"workload.collective", collective},
                                              {"workload.bytes", bytes}});
  };
  CHECK(chosen("broadcast", "60 KiB") == "torus");
  CHECK(chosen("broadcast", "3840 KiB") == "double_tree");
  CHECK(chosen("allgather", "240 KiB") == "torus");
  CHECK(chosen("reduce_scatter", "3840 KiB") == "ring");
}

// Folding doubles what some ranks send, which slow links make felt.
TEST_CASE("beyond a power of two auto goes by how fast the links are") {
  const auto chosen = [](const char* hosts, const char* bytes) {
    return chosen_by_auto("yaml/leaf_spine.yaml", {{"params.leaves", "1"},
                                                   {"params.spines", "1"},
                                                   {"params.hosts", hosts},
                                                   {"workload.collective", "reduce_scatter"},
                                                   {"workload.bytes", bytes}});
  };
  CHECK(chosen("6", "48 KiB") == "halving_doubling");
  CHECK(chosen("6", "384 KiB") == "ring");
  CHECK(chosen("8", "320 KiB") == "halving_doubling");
}

TEST_CASE("auto takes hardware where software cannot tell as the netlist asks for") {
  for (const char* file : {"yaml/scin_dgx8.yaml", "yaml/nvls_dgx8.yaml"})
    CHECK(chosen_by_auto(file, {{"workload.protocol", "ordered"}, {"workload.bytes", "4 KiB"}}) ==
          (std::string(file) == "yaml/scin_dgx8.yaml" ? "scin" : "nvls"));
}

TEST_CASE("auto knows that instructions on demand cross the fabric first") {
  const auto chosen = [](const char* when) {
    return chosen_by_auto("yaml/scin_dgx8.yaml", {{"workload.ranks", "gpu[0..5]"},
                                                  {"workload.collective", "reduce_scatter"},
                                                  {"workload.instructions", when},
                                                  {"workload.bytes", "24 KiB"}});
  };
  CHECK(chosen("ahead") == "scin");
  CHECK(chosen("on_demand") != "scin");
}

TEST_CASE("auto counts the turns of counters on DMA channels, and what cores cost") {
  check_against_the_fastest("yaml/leaf_spine.yaml",
                            {{"params.hosts", "32"},
                             {"params.spines", "4"},
                             {"topology.link.latency", "10 us"},
                             {"workload.bytes", "16 KiB"}},
                            "allreduce", {"recursive_doubling", "direct"});
  check_against_the_fastest(
      "yaml/ladder_star.yaml",
      {{"params.ranks", "64"}, {"workload.steps", "core"}, {"workload.bytes", "[64 KiB, 1 MiB]"}},
      "allreduce", {"recursive_doubling", "direct", "halving_doubling"});
}

TEST_CASE("flags in the packets leave auto the algorithms with messages in lines") {
  for (const char* collective : {"allgather", "reduce_scatter"}) {
    const heddle_run run(project_file("yaml/ring_allreduce.yaml"),
                         {{"workload.collective", collective},
                          {"workload.algorithm", "auto"},
                          {"workload.protocol", "in_packet"},
                          {"workload.bytes", "7680 B"}});
    INFO(run.report());
    REQUIRE(run.is_verified());
    CHECK(algorithm_of(run) == "ring");
  }
}
