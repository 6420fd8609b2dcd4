// Aggregation trees from the netlist to the data: the manager's trees, the ranks' collectives, and
// software where the hardware cannot.
#include <catch2/catch.hpp>

#include "tests/support/chosen_algorithm.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/tree_allreduce.yaml");

settings with(settings values) {
  const auto has = [&](const std::string& key) {
    for (const auto& each : values)
      if (each.first == key) return true;
    return false;
  };
  if (!has("workload.algorithm")) values.emplace_back("workload.algorithm", "tree");
  if (!has("params.leaves")) values.emplace_back("params.leaves", "2");
  if (!has("params.hosts")) values.emplace_back("params.hosts", "3");
  values.emplace_back("workload.explain", "off");
  return values;
}

// Four pods of four.
heddle_run run_of_pods(settings values) {
  for (const char* side : {"pods", "gpus"}) values.emplace_back("params." + std::string(side), "4");
  for (const char* side : {"rails", "leaves", "spines"})
    values.emplace_back("params." + std::string(side), "2");
  return heddle_run(project_file("yaml/pods.yaml"), values);
}

void check_data(const char* collective, const char* type, const char* op, const char* sizes,
                const char* train) {
  const heddle_run run(netlist, with({{"workload.collective", collective},
                                      {"workload.dtype", type},
                                      {"workload.op", op},
                                      {"workload.bytes", sizes},
                                      {"train", train},
                                      {"monitors", "on"}}));
  INFO(run.report());
  REQUIRE(run.is_verified());
  for (std::size_t job = 0; job < run.stats()["collectives"].size(); ++job)
    CHECK(algorithm_of(run, job) == "tree");
}

void check_exchange(const char* sizes, const char* train, const char* mtu) {
  const heddle_run run(netlist, with({{"params.leaves", "1"},
                                      {"params.hosts", "6"},
                                      {"workload.collective", "alltoall"},
                                      {"workload.algorithm", "scatter_gather"},
                                      {"workload.bytes", sizes},
                                      {"gpu[*].ni.mtu", mtu},
                                      {"train", train},
                                      {"monitors", "on"}}));
  INFO(run.report());
  CHECK(run.is_verified());
}

}  // namespace

TEST_CASE("trees leave exact data, packet by packet") {
  check_data("allreduce", "fp16", "sum", "[128 B, 1 KiB, 98432 B]", "1");
  check_data("reduce", "fp32", "max", "[128 B, 98432 B]", "1");
  check_data("barrier", "fp16", "sum", "128 B", "1");
}

TEST_CASE("ranks know where to push when a job begins, however long their wires are") {
  const heddle_run run(netlist, with({{"links[0].latency", "50 us"}, {"workload.bytes", "1 KiB"}}));
  INFO(run.report());
  REQUIRE(run.is_verified());
  CHECK(algorithm_of(run, 0) == "tree");
}

TEST_CASE("trees leave exact data, in trains") {
  check_data("allreduce", "bf16", "sum", "[128 B, 384 B, 1 MiB, 3000064 B]", "32");
  check_data("allreduce", "int32", "min", "[1 KiB, 1 MiB]", "32");
  check_data("reduce_scatter", "fp32", "sum", "[768 B, 6 KiB, 1536 KiB]", "32");
  check_data("allgather", "fp16", "sum", "[768 B, 6 KiB, 1536 KiB]", "32");
  check_data("broadcast", "fp64", "sum", "[128 B, 1 MiB]", "32");
}

TEST_CASE("bits of integers, by trees and by software") {
  for (const char* op : {"and", "or", "xor"}) {
    const heddle_run run(netlist, with({{"workload.dtype", "int32"},
                                        {"workload.op", op},
                                        {"workload.algorithm", "[tree, ring]"},
                                        {"workload.bytes", "[1 KiB, 4 B]"}}));
    INFO(run.report());
    REQUIRE(run.is_verified());
    CHECK(algorithm_of(run) == "tree");
    CHECK_THAT(algorithm_of(run, 2), Catch::EndsWith("(fallback: alignment)"));
  }
}

TEST_CASE("lengths around a packet, a segment and a window") {
  // 16 KiB of buffer: segments of 1 KiB, 8 of them a window.
  const heddle_run run(netlist, with({{"*.aggregator.buffer", "16 KiB"},
                                      {"workload.dtype", "fp32"},
                                      {"workload.bytes",
                                       "[4 B, 124 B, 128 B, 132 B, 256 B, 7168 B,"
                                       " 8064 B, 8 KiB, 8320 B, 9216 B]"},
                                      {"monitors", "on"}}));
  INFO(run.report());
  REQUIRE(run.is_verified());
  CHECK_THAT(algorithm_of(run, 0), Catch::EndsWith("(fallback: alignment)"));
  CHECK(algorithm_of(run, 9) == "tree");
}

TEST_CASE("trains change the time of a tree by less than a hundredth") {
  double seconds[2] = {};
  for (const int i : {0, 1}) {
    const heddle_run run(netlist,
                         with({{"workload.bytes", "2 MiB"}, {"train", i == 0 ? "1" : "32"}}));
    REQUIRE(run.is_verified());
    seconds[i] = run.stats()["collectives"][0]["time_s"];
  }
  CHECK(seconds[1] == Approx(seconds[0]).epsilon(0.01));
}

TEST_CASE("pods add inside by NVLS, and between them by trees") {
  const heddle_run run = run_of_pods(
      {{"data", "on"}, {"train", "4"}, {"workload.bytes", "[128 B, 640 B, 99968 B, 100 B]"}});
  INFO(run.report());
  REQUIRE(run.is_verified());
  for (const std::size_t job : {0, 1, 2}) CHECK(algorithm_of(run, job) == "nvls_tree");
  CHECK_THAT(algorithm_of(run, 3), Catch::EndsWith("(fallback: alignment)"));
}

TEST_CASE("auto takes trees where aggregators are, between pods and alone") {
  const heddle_run pods =
      run_of_pods({{"workload.algorithm", "auto"}, {"workload.bytes", "640 B"}});
  INFO(pods.report());
  CHECK(algorithm_of(pods) == "nvls_tree");
  const heddle_run alone(
      netlist, {{"workload.algorithm", "auto"}, {"workload.bytes", "[1 KiB, 4 MiB, 100 B]"}});
  INFO(alone.report());
  REQUIRE(alone.is_verified());
  CHECK(algorithm_of(alone, 0) == "tree");
  CHECK(algorithm_of(alone, 1) == "tree");
  CHECK(algorithm_of(alone, 2) == "recursive_doubling");
}

TEST_CASE("pods need not divide evenly among leaves, nor ranks of a pod among rails") {
  const auto run = [](const char* pods, const char* gpus) {
    const heddle_run made(project_file("yaml/pods.yaml"), {{"params.pods", pods},
                                                           {"params.gpus", gpus},
                                                           {"params.rails", "2"},
                                                           {"params.leaves", "4"},
                                                           {"data", "on"},
                                                           {"workload.bytes", "16 KiB"}});
    INFO(made.report());
    CHECK(made.is_verified());
    CHECK(algorithm_of(made) == "nvls_tree");
  };
  run("2", "2");  // more leaves than pods
  run("5", "3");
}

TEST_CASE("more groups than a switch has, and a rank that no switch with a manager sees") {
  const heddle_run many(project_file("yaml/pods.yaml"),
                        {{"params.pods", "2"},
                         {"params.gpus", "66"},
                         {"params.rails", "1"},
                         {"params.leaves", "1"},
                         {"params.spines", "1"},
                         {"workload.algorithm", "[nvls_tree, tree]"},
                         {"workload.bytes", "32 KiB"}});
  INFO(many.report());
  CHECK(many.result().exited_with(0));
  CHECK_THAT(algorithm_of(many), Catch::EndsWith("(fallback: groups)"));
  CHECK(algorithm_of(many, 1) == "tree");  // what the trees before had taken is free again

  const scratch_folder folder;
  const std::string units = project_file("yaml/units/");
  const std::string apart = folder.write("apart.yaml", R"(heddle: 1
name: apart
units:
  gpu: {array: 3, index: g, use: )" + units + R"(accelerator.yaml, number: "${g}", planes: 1}
  near: {use: )" + units + R"(tree_switch.yaml, ports: 3}
  far: {type: switch, ports: 2}
  manager: {use: )" + units + R"(tree_manager.yaml}
links:
  - {for: {g: 2}, between: ["gpu[g].port[0]", "near.port[g]"]}
  - {between: ["gpu[2].port[0]", "far.port[0]"]}
  - {between: ["far.port[1]", "near.port[2]"]}
map:
  manager.bus:
    - {at: 0x40000000, size: 12 KiB, to: near.registers}
workload: {collective: allreduce, algorithm: tree, setup: "manager*", bytes: 1 KiB, explain: off}
)");
  const heddle_run run(apart, {});
  INFO(run.report());
  REQUIRE(run.is_verified());
  CHECK_THAT(algorithm_of(run), Catch::EndsWith("(fallback: no aggregator)"));
  const heddle_run strict(apart, {{"workload.fallback", "error"}});
  CHECK(strict.result().exited_with(1));
  // What ranks do without aggregators takes the time that it takes when they are asked for it.
  for (const char* protocol : {"acknowledged", "ordered", "auto"}) {
    const heddle_run left(apart, {{"workload.protocol", protocol}});
    const std::string algorithm = algorithm_of(left);
    const heddle_run asked(apart,
                           {{"workload.protocol", protocol},
                            {"workload.algorithm", algorithm.substr(0, algorithm.find(' '))}});
    INFO(left.report() << asked.report());
    CHECK(left.stats()["collectives"][0]["time_s"] == asked.stats()["collectives"][0]["time_s"]);
  }
}

TEST_CASE("switches that only copy take part in what needs no reduction") {
  for (const char* collective : {"broadcast", "allgather", "allreduce"}) {
    const heddle_run run(netlist, with({{"root[*].aggregator.reduces", "no"},
                                        {"workload.collective", collective},
                                        {"workload.bytes", "[768 B, 1536 KiB]"},
                                        {"monitors", "on"}}));
    INFO(run.report());
    REQUIRE(run.is_verified());
    const bool adds = collective == std::string("allreduce");
    for (const std::size_t job : {0, 1}) CHECK((algorithm_of(run, job) == "tree") != adds);
    if (adds) CHECK_THAT(algorithm_of(run), Catch::EndsWith("(fallback: no aggregator)"));
  }
}

TEST_CASE("what is longer than the windows of the aggregators is left to software") {
  const heddle_run reduced(netlist, with({{"*.aggregator.stride", "4 KiB"},
                                          {"workload.bytes", "[3968 B, 4 KiB, 64 KiB]"}}));
  INFO(reduced.report());
  REQUIRE(reduced.is_verified());
  CHECK(algorithm_of(reduced, 0) == "tree");
  for (const std::size_t job : {1, 2})
    CHECK_THAT(algorithm_of(reduced, job),
               Catch::EndsWith("(fallback: longer than the aggregators' windows)"));
  // The table of an exchange does not fit either.
  const heddle_run exchanged(netlist, with({{"params.leaves", "1"},
                                            {"params.hosts", "4"},
                                            {"*.aggregator.stride", "64 KiB"},
                                            {"workload.collective", "alltoall"},
                                            {"workload.algorithm", "scatter_gather"},
                                            {"workload.bytes", "2 KiB"}}));
  INFO(exchanged.report());
  REQUIRE(exchanged.is_verified());
  CHECK_THAT(algorithm_of(exchanged),
             Catch::EndsWith("(fallback: longer than the aggregators' windows)"));
}

TEST_CASE("an all-to-all over several switches is software's, and the row says so") {
  const heddle_run run(netlist, with({{"workload.collective", "alltoall"},
                                      {"workload.algorithm", "scatter_gather"},
                                      {"workload.bytes", "6 KiB"}}));
  INFO(run.report());
  REQUIRE(run.is_verified());
  CHECK_THAT(algorithm_of(run), Catch::EndsWith("(fallback: several switches)"));
}

TEST_CASE("any rank may be the root") {
  for (const char* collective : {"reduce", "broadcast"}) {
    const heddle_run run(netlist, with({{"workload.collective", collective},
                                        {"workload.root", "4"},
                                        {"workload.bytes", "[1 KiB, 200 KiB]"}}));
    INFO(run.report());
    CHECK(run.is_verified());
    CHECK(algorithm_of(run) == "tree");
  }
}

TEST_CASE("several trees share the data") {
  for (const char* trees : {"1", "2", "3"}) {
    const heddle_run run(netlist, with({{"params.roots", "3"},
                                        {"workload.trees", trees},
                                        {"workload.bytes", "[128 B, 640 B, 1 MiB]"},
                                        {"monitors", "on"}}));
    INFO(run.report());
    REQUIRE(run.is_verified());
    int busy = 0;
    const nlohmann::json stats = run.stats();
    for (const auto& [path, unit] : stats["units"].items())
      if (path.rfind("root[", 0) == 0 && unit.contains("reduced_bytes"))
        busy += unit["reduced_bytes"]["value"].get<double>() > 1000;
    CHECK(busy == std::stoi(trees));
  }
}

TEST_CASE("one switch, one rank at a switch, one rank in all") {
  for (const char* hosts : {"1", "4"})
    for (const char* leaves : {"1", "3"}) {
      const heddle_run run(netlist, with({{"params.hosts", hosts},
                                          {"params.leaves", leaves},
                                          {"workload.bytes", "[128 B, 70 KiB]"}}));
      INFO(run.report());
      CHECK(run.is_verified());
    }
}

TEST_CASE("in a chain the DMA engine keeps to the windows of trees") {
  for (const char* train : {"1", "32"}) {
    const settings values = {{"params.roots", "2"},
                             {"workload.trees", "2"},
                             {"*.aggregator.buffer", "64 KiB"},
                             {"workload.bytes", "[128 B, 640 B, 70 KiB, 1 MiB]"},
                             {"train", train},
                             {"monitors", "on"}};
    settings chained = values;
    chained.emplace_back("workload.steps", "chain");
    const heddle_run by_core(netlist, with(values)), by_engine(netlist, with(chained));
    INFO(by_engine.report());
    REQUIRE(by_core.is_verified());
    REQUIRE(by_engine.is_verified());
    const nlohmann::json core = by_core.stats(), engine = by_engine.stats();
    CHECK(algorithm_of(by_engine, 3) == "tree");
    // The wires are as busy, without a core that waits for flags between batches.
    CHECK(engine["collectives"][3]["time_s"].get<double>() <
          1.02 * core["collectives"][3]["time_s"].get<double>());
    CHECK(engine["units"]["gpu[0].cp"]["writes"]["value"].get<double>() <
          0.5 * core["units"]["gpu[0].cp"]["writes"]["value"].get<double>());
    for (const char* at : {"leaf[0].aggregator", "root[0].aggregator", "root[1].aggregator"})
      CHECK(engine["units"][at]["reduced_bytes"] == core["units"][at]["reduced_bytes"]);
  }
}

TEST_CASE("trees take the same time without data") {
  const settings sizes = {{"workload.bytes", "[1 KiB, 1 MiB]"}, {"train", "4"}};
  settings without = sizes;
  without.emplace_back("data", "off");
  const heddle_run with_data(netlist, with(sizes)), without_data(netlist, with(without));
  REQUIRE(with_data.is_verified());
  REQUIRE(without_data.result().exited_with(0));
  for (std::size_t job = 0; job < 2; ++job)
    CHECK(with_data.stats()["collectives"][job]["time_s"] ==
          without_data.stats()["collectives"][job]["time_s"]);
}

TEST_CASE("a scarce buffer is slower and exact") {
  const heddle_run scarce(
      netlist,
      with({{"root[*].aggregator.buffer", "256 B"}, {"workload.bytes", "16 KiB"}, {"train", "1"}}));
  const heddle_run roomy(netlist, with({{"workload.bytes", "16 KiB"}, {"train", "1"}}));
  INFO(scarce.report());
  REQUIRE(scarce.is_verified());
  CHECK(algorithm_of(scarce) == "tree");
  const double slow = scarce.stats()["collectives"][0]["time_s"];
  const double fast = roomy.stats()["collectives"][0]["time_s"];
  CHECK(slow > 5 * fast);
}

TEST_CASE("a switch that cannot reduce means software for the group, and the row says so") {
  const heddle_run run(
      netlist, with({{"leaf[1].aggregator.reduces", "no"}, {"workload.bytes", "[1 KiB, 64 KiB]"}}));
  INFO(run.report());
  REQUIRE(run.is_verified());
  CHECK_THAT(algorithm_of(run), Catch::EndsWith("(fallback: no aggregator)"));
  CHECK_THAT(algorithm_of(run, 1), Catch::EndsWith("(fallback: no aggregator)"));
  CHECK_THAT(run.folder().content("out/summary.txt"), Catch::Contains("(fallback: no aggregator)"));
}

TEST_CASE("what the units do not know is done by software, and the row says why") {
  const struct {
    const char *type, *bytes, *reason;
  } cases[] = {{"fp64", "1 KiB", "(fallback: type)"}, {"fp16", "100 B", "(fallback: alignment)"}};
  for (const auto& each : cases) {
    const heddle_run run(netlist,
                         with({{"workload.dtype", each.type}, {"workload.bytes", each.bytes}}));
    INFO(run.report());
    CHECK(run.is_verified());
    CHECK_THAT(algorithm_of(run), Catch::EndsWith(each.reason));
  }
}

TEST_CASE("fallback: error ends the run with exit code 1") {
  for (const settings& each :
       {settings{{"workload.bytes", "100 B"}}, settings{{"leaf[0].aggregator.reduces", "no"}}}) {
    settings values = each;
    values.emplace_back("workload.fallback", "error");
    const heddle_run run(netlist, with(values));
    INFO(run.report());
    CHECK(run.result().exited_with(1));
    CHECK_THAT(run.result().errors, Catch::Contains("which `fallback: error` does not allow"));
  }
}

TEST_CASE("a rank that never pushes is named to all others") {
  const scratch_folder folder;
  command line = run_command(netlist, "out",
                             with({{"gpu[4].cp.firmware", "never_arrives"},
                                   {"workload.timeout", "100 us"},
                                   {"workload.bytes", "4 KiB"}}));
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK_THAT(result.errors, Catch::Contains("rank 4 never pushed byte 0"));
  CHECK_THAT(result.errors, Catch::Contains("aggregator error"));
}

TEST_CASE("a switch exchanges the chunks of an all-to-all") {
  for (const char* train : {"1", "32"}) check_exchange("[768 B, 6 KiB, 768 KiB]", train, "128 B");
}

TEST_CASE("entries of an exchange's table may lie in two packets") {
  for (const char* mtu : {"8 B", "24 B"}) check_exchange("[768 B, 6 KiB]", "1", mtu);
}

// As packets of a leaf, what comes in is more than a link holds, and in the second case more than a
// train may have.
TEST_CASE("what a switch gets in longer packets than its own leaves it in trains of its own") {
  const settings from_root = {{"workload.collective", "allreduce"},
                              {"workload.bytes", "196608 B"},
                              {"gpu[*].ni.mtu", "256 B"},
                              {"train", "256"}};
  const settings from_rank = {{"workload.collective", "broadcast"},
                              {"workload.bytes", "1 MiB"},
                              {"gpu[*].ni.mtu", "4 KiB"},
                              {"gpu[*].dma.read_ahead", "256"},
                              {"links[0].buffer", "1 MiB"},
                              {"links[1].buffer", "1 MiB"},
                              {"train", "128"}};
  for (settings values : {from_root, from_rank}) {
    values.insert(values.end(), {{"leaf[*].aggregator.mtu", "8 B"},
                                 {"root[*].aggregator.mtu", "256 B"},
                                 {"monitors", "on"}});
    const heddle_run run(netlist, with(values));
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

TEST_CASE("mistakes of netlists with trees") {
  const struct {
    settings values;
    const char* says;
  } cases[] = {
      {{{"workload.setup", "gpu[0].cp"}}, "reaches no `aggregator`"},
      {{{"workload.trees", "9"}}, "expected an integer from 1 to 6, got 9"},
      {{{"workload.fallback", "softwar"}}, "software"},
      {{{"workload.op", "xor"}}, "xor is of the bits of integers"},
      {{{"workload.algorithm", "nvls_tree"}}, "nvls_tree needs multimem units"},
      {{{"leaf[1].aggregator.base", "4503599627370496"}}, "address windows overlap"},
  };
  for (const auto& each : cases) {
    const heddle_run run(netlist, with(each.values));
    INFO(run.report());
    CHECK(run.result().exited_with(2));
    CHECK_THAT(run.result().errors, Catch::Contains(each.says));
  }
}
