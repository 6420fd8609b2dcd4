// Several workloads of one netlist: at once on different cores, one after the other on the same.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("tests/system/workloads/groups.yaml");

nlohmann::json rows_of(const std::string& workload) {
  const heddle_run done(netlist, {{"workload", workload}});
  INFO(done.report());
  REQUIRE(done.is_verified());
  return done.stats()["collectives"];
}

std::string error_of(const std::string& workload) {
  const heddle_run done(netlist, {{"workload", workload}});
  REQUIRE(done.result().exited_with(2));
  return done.result().errors;
}

// `heddle check` of what the command runs.
command checking(command run) {
  run.words[1] = "check";
  const auto out = std::find(run.words.begin(), run.words.end(), "--out");
  run.words.erase(out, out + 2);
  run.words.erase(std::find(run.words.begin(), run.words.end(), "--quiet"));
  return run;
}

const std::string left = "collective: allreduce, bytes: 1 MiB, ranks: 'gpu[0..3]'";
const std::string right = "collective: allgather, bytes: 4 MiB, ranks: 'gpu[4..7]'";

}  // namespace

TEST_CASE("workloads without a common core run at once, each as fast as alone") {
  const nlohmann::json both = rows_of("[{" + left + "}, {" + right + "}]");
  REQUIRE(both.size() == 2);
  CHECK(both[0]["workload"] == "workload[0]");
  CHECK(both[0]["name"] == "allreduce");
  CHECK(both[1]["name"] == "allgather");
  CHECK(both[0]["start_s"] == both[1]["start_s"]);
  CHECK(both[0]["time_s"] == rows_of("{" + left + "}")[0]["time_s"]);
  CHECK(both[1]["time_s"] == rows_of("{" + right + "}")[0]["time_s"]);
}

TEST_CASE("what jobs that run at once share is said, what is their own is theirs") {
  const nlohmann::json both = rows_of("[{name: a, " + left + "}, {name: b, " + right + "}]");
  CHECK(both[0]["shared_with"] == nlohmann::json{"b"});
  CHECK(both[1]["shared_with"] == nlohmann::json{"a"});
  const nlohmann::json in_turn = rows_of("[{name: a, " + left + "}, {after: a, " + right + "}]");
  CHECK(!in_turn[0].contains("shared_with"));
  CHECK(!in_turn[1].contains("shared_with"));

  const std::string by_switches =
      "name: a, collective: allreduce, algorithm: scin, bytes: 64 KiB, ranks: 'gpu[0..3]', "
      "setup: 'host*'";
  const auto hardware = [](const std::string& workload) {
    const heddle_run done(project_file("yaml/scin_dgx8.yaml"), {{"workload", workload}});
    INFO(done.report());
    REQUIRE(done.is_verified());
    std::vector<double> seconds;
    const nlohmann::json rows = done.stats()["collectives"];
    for (const auto& each : rows) seconds.push_back(each["hardware_s"]);
    return seconds;
  };
  const std::vector<double> at_once = hardware(
      "[{" + by_switches +
      "}, {name: b, collective: allreduce, algorithm: ring, bytes: 64 KiB, ranks: 'gpu[4..7]'}]");
  REQUIRE(at_once.size() == 2);
  CHECK(at_once[0] > 0);
  CHECK(at_once[1] == 0);
}

TEST_CASE("longest steps and reports name the workload of a job") {
  const scratch_folder folder;
  const std::string page = folder.file("report.html");
  const heddle_run done(netlist,
                        {{"workload", "[{name: a, " + left + "}, {name: b, " + left + "}]"}},
                        {"--report", page});
  INFO(done.report());
  REQUIRE(done.is_verified());
  const std::string steps = "longest steps of the ring allreduce, 1 MiB:\n";
  CHECK_THAT(done.folder().content("out/summary.txt"),
             Catch::Contains("\na:\n" + steps) && Catch::Contains("\nb:\n" + steps));
  CHECK_THAT(folder.content("report.html"), Catch::Contains("<td>a: allreduce</td>") &&
                                                Catch::Contains("<h3>a: allreduce by ring, ") &&
                                                Catch::Contains("<h3>b: allreduce by ring, "));
}

TEST_CASE("workloads with the same cores run one after the other") {
  const nlohmann::json rows =
      rows_of("[{name: sum, " + left + "}, {name: parts, collective: reduce_scatter, " +
              "bytes: 64 KiB, ranks: 'gpu[0..3]'}]");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["workload"] == "sum");
  CHECK(rows[1]["start_s"].get<double>() >= rows[0]["end_s"].get<double>());
}

TEST_CASE("a workload begins when another has ended, or at its time") {
  const nlohmann::json rows =
      rows_of("[{name: first, " + left + "}, {after: first, " + right + "}]");
  CHECK(rows[1]["start_s"].get<double>() >= rows[0]["end_s"].get<double>());
  const nlohmann::json late = rows_of("[{" + left + "}, {start: 1 ms, " + right + "}]");
  CHECK(late[1]["start_s"].get<double>() >= 1e-3);
  CHECK(late[1]["start_s"].get<double>() < 1.01e-3);
  CHECK(late[0]["end_s"].get<double>() < 1e-3);
}

TEST_CASE("what workloads cannot be together is refused") {
  CHECK_THAT(error_of("[{" + left + "}, {collective: barrier, ranks: 'gpu[3..5]'}]"),
             Catch::Contains("gpu[3].cp takes part in two workloads with different ranks"));
  CHECK_THAT(error_of("[{name: sum, " + left + "}, {after: some, " + right + "}]"),
             Catch::Contains("no workload above is called 'some'"));
  CHECK_THAT(error_of("[{name: a, " + left + "}, {name: a, " + right + "}]"),
             Catch::Contains("two workloads are called a"));
  CHECK_THAT(error_of("[{" + left + "}, {channels: 2, " + left + "}]"),
             Catch::Contains("have the same `channels`, `ring_entries` and `timeout`"));
}

#ifndef __SANITIZE_ADDRESS__  // which needs address space itself
TEST_CASE("a check makes no operands, and a run that has no room for them says how many") {
  const settings large = {{"params.gpus", "16"}, {"workload.bytes", "256 MiB"}};
  const command check =
      checking(run_command(project_file("yaml/ring_allreduce.yaml"), "unused", large));
  command limited = check;
  CHECK(run(check).exited_with(0));
  const std::string script =
      "ulimit -v 700000; exec \"$0\" run \"$1\" --set params.gpus=16 "
      "--set 'workload.bytes=256 MiB' --out unused";
  limited.words = {"/bin/sh", "-c", script, check.words[0],
                   project_file("yaml/ring_allreduce.yaml")};
  const command_result refused = run(limited);
  INFO(refused.errors);
  CHECK(refused.exited_with(2));
  CHECK_THAT(refused.errors, Catch::Contains("; a job of 16 ranks has operands of 4 GiB together"));
}
#endif

TEST_CASE("a memory without room for the receive slots is refused before the job begins") {
  for (const char* data : {"on", "off"}) {
    const heddle_run run(
        project_file("yaml/ring_allreduce.yaml"),
        {{"workload.bytes", "64 KiB"}, {"gpu[*].memory.size", "1216 KiB"}, {"data", data}});
    INFO(run.report());
    CHECK(run.result().exited_with(2));
    CHECK_THAT(run.result().errors,
               Catch::Contains("--set gpu[*].memory.size: gpu[0].memory has 1.188 MiB, a job of "
                               "64 KiB by "));
  }
}

// A check does the same as a run before its first job.
TEST_CASE("a memory that is too small for one of the jobs is refused before the first one") {
  struct mistake {
    const char* netlist;
    settings overrides;
    const char* message;
  };
  const mistake given =
      GENERATE(mistake{"yaml/scin_dgx8.yaml",
                       {{"workload.bytes", "[1 KiB,16 MiB]"},
                        {"workload.algorithm", "scin"},
                        {"gpu[*].memory.size", "4 MiB"}},
                       "gpu[0].memory has 4 MiB, a job of 16 MiB by scin needs 17 MiB\n"},
               mistake{"yaml/ring_allreduce.yaml",
                       {{"workload.bytes", "1 GiB"}, {"gpu[*].memory.size", "1 MiB"}},
                       "gpu[0].memory has 1 MiB, a job of 1 GiB by ring needs 1.005 GiB\n"},
               mistake{"yaml/gather.yaml",
                       {{"node[*].memory.size", "64 KiB"}},
                       "node[0].memory has 64 KiB, a gather of 16 elements needs 1.012 MiB\n"},
               mistake{"yaml/moe_small.yaml",
                       {{"gpu[*].memory.size", "64 KiB"}},
                       "gpu[0].memory has 64 KiB, the layer by dysharp needs 1.855 MiB\n"});
  command said = run_command(project_file(given.netlist), "unused", given.overrides);
  const std::string expected = "--set " + given.overrides.back().first + ": " + given.message;
  for (const bool is_check : {false, true}) {
    if (is_check) said = checking(said);
    const command_result result = run(said);
    CHECK(result.exited_with(2));
    CHECK(result.errors == expected);
    CHECK(result.output.empty());
  }
}

TEST_CASE("work that the firmware of ranks does not do is refused") {
  const std::string inference =
      "{kind: inference, name: a, setup: 'host*', ranks: 'gpu*', steps: [prefill], prefill: 1, "
      "algorithm: ring, model: {name: tiny, hidden: 64, intermediate: 64, layers: 1, heads: 8, "
      "vocabulary: 64}}";
  const std::string collective =
      "{collective: allreduce, bytes: 1 KiB, setup: 'host*', ranks: 'gpu*'}";
  const auto [file, values, message] = GENERATE_COPY(table<const char*, settings, const char*>({
      {"yaml/inference_tiny.yaml",
       {{"workload", "[" + inference + ", " + collective + "]"}},
       "gpu[0].gpu.cp runs the firmware 'inference', which does jobs of the kind `inference` "
       "and no `collective`"},
      {"yaml/inference_tiny.yaml",
       {{"gpu[*].gpu.cp.firmware", "collectives"}},
       "runs the firmware 'collectives', which does jobs of the kind `collective` and no "
       "`inference`"},
      {"yaml/moe_small.yaml",
       {{"workload", "{collective: allreduce, bytes: 1 KiB}"}},
       "runs the firmware 'moe_layer'"},
      {"yaml/gather.yaml",
       {{"workload", "{collective: allreduce, bytes: 1 KiB, ranks: 'node*'}"}},
       "runs the firmware 'gather'"},
      {"yaml/mesh_tiles.yaml",
       {{"workload", "{collective: summa, algorithm: mesh_tree, tile: 16, dtype: fp64}"}},
       "runs the firmware 'mesh_collectives'"},
  }));
  const heddle_run done(project_file(file), values);
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  CHECK_THAT(done.result().errors, Catch::Contains(message));
}

TEST_CASE("the kernels' firmware of a mesh does collectives, too") {
  const heddle_run done(project_file("yaml/mesh_gemm.yaml"),
                        {{"params.width", "2"},
                         {"params.height", "2"},
                         {"workload",
                          "{collective: allreduce, algorithm: mesh_hw, bytes: 64 B, "
                          "dtype: fp64}"}});
  INFO(done.report());
  CHECK(done.is_verified());
}

TEST_CASE("keys that no algorithm heeds are told, and others are not") {
  const auto warnings = [](const std::string& file, const settings& values) {
    command line;
    line.words = {heddle_program(), "check", project_file(file)};
    for (const auto& [key, value] : values) {
      line.words.emplace_back("--set");
      line.words.push_back(key + "=" + value);
    }
    const command_result done = run(line);
    INFO(line.text());
    CHECK(done.exited_with(0));
    return done.errors;
  };
  struct key_case {
    const char *key, *value;
    std::vector<const char*> heeded, unheeded;  // algorithms of an all-reduce
  };
  const key_case cases[] = {
      {"root", "3", {}, {"ring", "auto"}},
      {"iterations", "5", {}, {"ring"}},
      {"quantization", "{bits: 4}", {"scin_inq", "auto", "[ring, scin_inq]"}, {"ring", "scin"}},
      {"instructions", "on_demand", {"scin", "auto"}, {"ring", "[nvls, direct]"}},
      {"streams", "2", {"scin"}, {"nvls"}},
      {"trees", "2", {}, {"ring", "scin", "auto"}},
      {"stripes", "2", {}, {"ring"}},
      {"steps", "chain", {"ring"}, {"nvls", "scin"}},
      {"protocol", "auto", {"direct"}, {"nvls"}},
      {"channels", "2", {"direct"}, {"nvls"}},
      {"slots", "4", {"ring", "auto"}, {"direct", "halving_doubling", "nvls"}},
      {"slots", "8", {"direct"}, {}},  // as without the key
      {"pieces", "2", {"ring", "double_tree"}, {"direct"}},
  };
  for (const key_case& each : cases) {
    const std::string key = std::string("workload.") + each.key;
    for (const char* algorithm : each.heeded)
      CHECK_THAT(
          warnings("yaml/scin_dgx8.yaml", {{key, each.value}, {"workload.algorithm", algorithm}}),
          Catch::Equals(""));
    for (const char* algorithm : each.unheeded)
      CHECK_THAT(
          warnings("yaml/scin_dgx8.yaml", {{key, each.value}, {"workload.algorithm", algorithm}}),
          Catch::StartsWith("warning: --set " + key + ": `" + each.key +
                            "` has no effect on allreduce by "));
  }
  CHECK(warnings("yaml/ring_allreduce.yaml",
                 {{"workload.op", "max"}, {"workload.collective", "broadcast"}}) ==
        "warning: --set workload.op: `op` has no effect on broadcast by ring: it is of allreduce, "
        "reduce and reduce_scatter\n");
  CHECK(warnings("yaml/ring_allreduce.yaml", {{"data", "off"}, {"workload.output", "r{r}.npy"}}) ==
        "warning: --set workload.output: `output` has no effect without data (`data: off`)\n");
  // What aggregators do not do is left to software, which may have slots.
  CHECK_THAT(warnings("yaml/tree_allreduce.yaml",
                      {{"workload.algorithm", "tree"}, {"workload.slots", "4"}}),
             Catch::Equals(""));
  CHECK(warnings("yaml/mesh_tiles.yaml", {{"workload.slot_bytes", "128 B"}}) ==
        "warning: --set workload.slot_bytes: `slot_bytes` has no effect on broadcast by mesh_hw, "
        "mesh_tree, mesh_naive: it is of rings, of segments of `double_tree` and of broadcasts by "
        "`torus`, and of batches of `mesh_seq` and of reductions by `mesh_tree`\n");
  CHECK(warnings("yaml/gather.yaml", {{"workload.features", "[filter]"},
                                      {"workload.delay", "10"},
                                      {"workload.scope", "all"}}) ==
        "warning: --set workload.delay: `delay` has no effect: `features` are without `nic_concat` "
        "and `switch`\n"
        "warning: --set workload.scope: `scope` has no effect: `features` are without `switch`\n");
  CHECK(warnings("yaml/moe_small.yaml",
                 {{"workload.schedule", "dysharp"}, {"workload.software_sms", "8"}}) ==
        "warning: `software_sms` has no effect: no schedule sends copies by SMs\n");
  CHECK_THAT(warnings("yaml/inference_tiny.yaml",
                      {{"workload.algorithm", "scin"}, {"workload.slots", "4"}}),
             Catch::StartsWith("warning: --set workload.slots: `slots` has no effect"));
}

TEST_CASE("the overhead of SAOpt is refused where nobody asks for SAOpt") {
  command line;
  line.words = {heddle_program(),     "check", project_file("yaml/gather.yaml"), "--set",
                "workload.kind=spmm", "--set", "workload.saopt_overhead=1 us"};
  const command_result alone = run(line);
  CHECK(alone.exited_with(2));
  CHECK(alone.errors ==
        "--set workload.saopt_overhead: `saopt_overhead` is of SAOpt: `saopt: true`\n");
  line.words.insert(line.words.end(), {"--set", "workload.saopt=true"});
  CHECK(run(line).exited_with(0));
}

TEST_CASE("tables of workloads that run at once come in the order of the netlist") {
  const scratch_folder folder;
  command line = run_command(netlist, "out",
                             {{"workload",
                               "[{name: slow, collective: allreduce, bytes: 4 MiB, ranks: "
                               "'gpu[0..3]'}, {name: quick, collective: allgather, bytes: 1 KiB, "
                               "ranks: 'gpu[4..7]'}]"}});
  line.words.erase(std::find(line.words.begin(), line.words.end(), "--quiet"));
  line.folder = folder.path();
  const command_result both = run(line);
  CHECK(both.exited_with(0));
  CHECK(both.output.find("slow: ") < both.output.find("quick: "));
  line.words.insert(line.words.end(), {"--until", "12 us"});
  const command_result ended = run(line);
  CHECK(ended.exited_with(1));
  CHECK(ended.output.find("quick: ") == 0);  // the other is not done
}
