// NVLS from the netlist to the data: the firmware's collectives on switches that reduce and
// multicast.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/nvls_dgx8.yaml");
const std::string h100 = project_file("yaml/nvls_h100.yaml");

// Sizes that divide neither the ranks nor the packets, and one that fills the pipelines.
void check_data(const char* collective, const char* type, const char* op, const char* gpus,
                const char* train) {
  const heddle_run run(netlist, {{"workload.collective", collective},
                                 {"workload.dtype", type},
                                 {"workload.op", op},
                                 {"workload.bytes", "[4 B, 1 KiB, 100004 B, 1 MiB]"},
                                 {"params.gpus", gpus},
                                 {"train", train},
                                 {"monitors", "on"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

double algbw(const std::string& of, settings values) {
  values.emplace_back("data", "off");
  const heddle_run run(of, values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats()["collectives"][0]["algbw_Bps"].get<double>();
}

}  // namespace

TEST_CASE("NVLS leaves exact data, packet by packet") {
  check_data("allreduce", "fp16", "sum", "8", "1");
  check_data("reduce_scatter", "bf16", "sum", "8", "1");
  check_data("allgather", "int32", "sum", "8", "1");
}

TEST_CASE("NVLS leaves exact data, in trains") {
  for (const char* gpus : {"2", "3", "8"}) {
    check_data("allreduce", "bf16", "sum", gpus, "32");
    check_data("allreduce", "fp32", "max", gpus, "32");
    check_data("reduce_scatter", "int32", "min", gpus, "32");
    check_data("allgather", "fp16", "sum", gpus, "32");
  }
}

TEST_CASE("NVLS adds in the order of the members, whatever the order of the ranks") {
  for (const char* ranks : {"gpu[4..0]", "gpu[3,1,4,0,2]"}) {
    const heddle_run run(netlist, {{"params.gpus", "5"},
                                   {"workload.ranks", ranks},
                                   {"workload.dtype", "fp32"},
                                   {"workload.bytes", "64 KiB"}});
    INFO(run.report());
    CHECK(run.is_verified());
  }
}

TEST_CASE("NVLS and the ring take turns on one machine") {
  const heddle_run run(netlist, {{"workload.algorithm", "ring"}, {"workload.bytes", "64 KiB"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("NVLS with a scarce reduction buffer, scarce credits and few loads leaves exact data") {
  const heddle_run run(netlist, {{"workload.bytes", "[1 KiB, 200 KiB]"},
                                 {"train", "1"},
                                 {"monitors", "on"},
                                 {"nvs[*].multicast.buffer", "1"},
                                 {"gpu[*].multimem.outstanding", "3"},
                                 {"links[0].buffer", "144 B"}});
  INFO(run.report());
  CHECK(run.is_verified());
}

TEST_CASE("NVLS takes the same time without data") {
  const settings sizes = {{"workload.bytes", "[1 KiB, 100004 B, 1 MiB]"}, {"train", "4"}};
  settings without = sizes;
  without.emplace_back("data", "off");
  const heddle_run with_data(netlist, sizes), without_data(netlist, without);
  REQUIRE(with_data.is_verified());
  REQUIRE(without_data.result().exited_with(0));
  const auto exact = with_data.stats(), bare = without_data.stats();
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(exact["collectives"][i]["start_s"] == bare["collectives"][i]["start_s"]);
    CHECK(exact["collectives"][i]["end_s"] == bare["collectives"][i]["end_s"]);
  }
}

// Each accelerator reads all of the tensor out of its memory once, and stores and gets its share on
// top: N/(N+1) of the 360 GB/s that the wires leave for payload.
TEST_CASE("a large NVLS all-reduce reaches what the wires allow") {
  for (const int gpus : {4, 8}) {
    const double bound = 360e9 * gpus / (gpus + 1);
    const double reached =
        algbw(netlist, {{"params.gpus", std::to_string(gpus)}, {"workload.bytes", "256 MiB"}});
    INFO(gpus << " accelerators: " << reached / bound);
    CHECK(reached < bound);
    CHECK(reached > 0.97 * bound);
  }
}

TEST_CASE("the H100-like node runs, and launching a kernel takes its time") {
  const settings small = {{"workload.bytes", "1 KiB"}, {"gpu[*].cp.launch_cost", "0 ns"}};
  const heddle_run resident(h100, small), launched(h100, {{"workload.bytes", "1 KiB"}});
  REQUIRE(resident.is_verified());
  REQUIRE(launched.is_verified());
  const auto time = [](const heddle_run& run) {
    return run.stats()["collectives"][0]["time_s"].get<double>();
  };
  CHECK(time(launched) - time(resident) == Approx(500e-9).margin(1e-12));
}

TEST_CASE("a claim about two runs is their ratio") {
  const scratch_folder folder;
  command line;
  line.words = {heddle_program(), "reproduce", "scin.dgx8.nvls-small-vs-ring", "--json",
                "rows.json"};
  line.folder = folder.path();
  REQUIRE(run(line).exited_with(0));
  const auto rows = nlohmann::json::parse(folder.content("rows.json"));
  const auto time = [](const char* algorithm) {
    const heddle_run one(netlist, {{"workload.algorithm", algorithm}, {"workload.bytes", "1 KiB"}});
    return one.stats()["collectives"][0]["time_s"].get<double>();
  };
  REQUIRE(rows.size() == 3);
  CHECK(rows[1]["case"] == "acknowledged");
  CHECK(rows[1]["verdict"] == "reading");
  CHECK(rows[1]["ours"].get<double>() == Approx(time("ring") / time("nvls")));
}

TEST_CASE("waves show what each port of a multicast engine does") {
  const scratch_folder folder;
  const heddle_run run(netlist, {{"params.gpus", "2"}, {"workload.bytes", "64 KiB"}},
                       {"--wave", folder.file("w.vcd"), "--wave-signals", "nvs[0].multicast.*"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave wave = read_vcd(folder.file("w.vcd"));
  for (const char* name : {"nvs_0.multicast.activity_1", "nvs_0.multicast.buffer_1"})
    CHECK(std::any_of(wave.variables.begin(), wave.variables.end(),
                      [&](const vcd_variable& each) { return each.name == name; }));
  for (const char* state : {"sREDUCE", "sMULTICAST", "sIDLE"})
    CHECK(folder.content("w.vcd").find(state) != std::string::npos);
}

// What a switch reduces or multicasts concerns all members.
TEST_CASE("ranks that are not all the members of their region go without NVLS") {
  const settings some = {{"workload.ranks", "gpu[0..4]"}, {"workload.bytes", "1 MiB"}};
  settings by_nvls = some, by_any = some;
  by_nvls.emplace_back("workload.algorithm", "nvls");
  by_any.emplace_back("workload.algorithm", "auto");
  const heddle_run refused(netlist, by_nvls);
  CHECK(refused.result().exited_with(2));
  CHECK_THAT(refused.result().errors,
             Catch::Contains("workload.algorithm: nvls needs ranks that are all the members of one "
                             "multicast region"));
  const heddle_run chosen(netlist, by_any);
  INFO(chosen.report());
  REQUIRE(chosen.is_verified());
  CHECK(chosen.stats()["collectives"][0]["algorithm"] == "direct");
}

TEST_CASE("a member that is missing is named") {
  // Seven accelerators, eight members.
  const heddle_run run(
      netlist,
      {{"params.gpus", "7"}, {"nvs[*].multicast.members", "8"}, {"workload.bytes", "1 KiB"}});
  INFO(run.report());
  CHECK(run.result().exit_code == 1);
  CHECK(run.result().errors.find("member 7 is missing: nobody serves 8 B at") != std::string::npos);
}

TEST_CASE("an accelerator that is left out of the region shows as a hang") {
  const heddle_run run(
      netlist,
      {{"params.gpus", "4"}, {"nvs[*].multicast.absent", "4"}, {"workload.bytes", "1 KiB"}});
  INFO(run.report());
  CHECK(run.result().exit_code == 1);
  CHECK(run.result().errors.find("gpu[2].cp") != std::string::npos);
}

TEST_CASE("answers that come to an engine which did not ask are refused, and name both") {
  const std::string tiers = project_file("tests/system/tiers/nvls.yaml");
  const auto [leaves, spread, is_right] = GENERATE(table<const char*, const char*, bool>({
      {"1", "destination", false},  // leaf after leaf on one path
      {"0", "destination", true},
      {"0", "address", true},
      {"0", "owner", false},  // requests go by the engine, answers by the member
  }));
  const heddle_run run(tiers, {{"params.at_leaves", leaves}, {"routing.spread", spread}});
  INFO(run.report());
  if (is_right) {
    CHECK(run.is_verified());
    return;
  }
  CHECK(run.result().exited_with(2));
  CHECK_THAT(run.result().errors, Catch::Contains("an answer of gpu[") &&
                                      Catch::Contains(".ni to nvls[") &&
                                      Catch::Contains("comes to nvls["));
}
