// The parts of every collective's critical path add up to its time, to the femtosecond, and asking
// for them changes no time.
#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <iterator>

#include "tests/system/random_configuration.hpp"

using namespace heddle;

namespace {

const std::string ring_netlist = project_file("yaml/ring_allreduce.yaml");
const std::string scin_netlist = project_file("yaml/scin_dgx8.yaml");

long long femtoseconds(const nlohmann::json& seconds) {
  return std::llround(seconds.get<double>() * 1e15);
}

long long part(const nlohmann::json& collective, const char* category) {
  return femtoseconds(collective["breakdown"][category]);
}

void check_sums(const nlohmann::json& collectives) {
  REQUIRE_FALSE(collectives.empty());
  for (const auto& each : collectives) {
    INFO(each.dump(1));
    REQUIRE(each.contains("breakdown"));
    long long sum = 0;
    for (const auto& one : each["breakdown"]) sum += femtoseconds(one);
    CHECK(sum == femtoseconds(each["time_s"]));
  }
}

nlohmann::json stats_of(const std::string& netlist, const settings& values) {
  const heddle_run run(netlist, values);
  INFO(run.report());
  REQUIRE(run.result().exited_with(0));
  return run.stats();
}

}  // namespace

TEST_CASE("the parts of the critical path add up to the time exactly") {
  for (const char* train : {"1", "32"}) {
    for (const char* algorithm : {"ring", "direct", "halving_doubling"})
      check_sums(stats_of(ring_netlist, {{"workload.algorithm", algorithm},
                                         {"workload.bytes", "[2 B, 1 KiB, 100002 B, 1 MiB]"},
                                         {"train", train}})["collectives"]);
    check_sums(stats_of(scin_netlist, {{"workload.algorithm", "[ring, nvls, scin, scin_inq]"},
                                       {"workload.bytes", "[1 KiB, 100002 B, 1 MiB]"},
                                       {"train", train}})["collectives"]);
  }
}

TEST_CASE("the parts add up for the other collectives") {
  for (const char* collective : {"reduce_scatter", "allgather", "broadcast", "barrier"}) {
    settings values = {{"workload.collective", collective}};
    values.emplace_back("workload.bytes", "[64 KiB]");
    check_sums(stats_of(ring_netlist, values)["collectives"]);
  }
  check_sums(stats_of(project_file("yaml/p2p_latency.yaml"), {})["collectives"]);
}

TEST_CASE("the parts add up on a mesh, and its firmware only rings") {
  const std::string netlist = project_file("yaml/mesh_tiles.yaml");
  const auto run = [&](const char* collective, const char* algorithm) {
    auto all = stats_of(netlist, {{"workload.collective", collective},
                                  {"workload.algorithm", algorithm},
                                  {"workload.bytes", "[1 KiB, 32 KiB]"}})["collectives"];
    check_sums(all);
    return all;
  };
  for (const char* algorithm : {"mesh_hw", "mesh_seq", "mesh_tree"})
    for (const char* collective : {"broadcast", "reduce"}) {
      INFO(collective << " by " << algorithm);
      const auto large = run(collective, algorithm)[1];
      CHECK(part(large, "firmware") < femtoseconds(large["time_s"]) / 10);
    }
  const auto multicast = run("broadcast", "mesh_hw")[1];
  CHECK(part(multicast, "serialization") > 512 * 1'000'000LL * 3 / 4);  // 512 beats
  const auto barrier = run("barrier", "mesh_hw")[0];
  CHECK(part(barrier, "synchronization") > femtoseconds(barrier["time_s"]) * 3 / 4);
  run("barrier", "mesh_naive");
}

TEST_CASE("explaining a mesh changes no time") {
  for (const char* collective : {"broadcast", "reduce", "barrier"})
    for (const char* algorithm : {"mesh_hw", "mesh_tree"}) {
      const auto run = [&](const char* is_explained) {
        nlohmann::json stats =
            stats_of(project_file("yaml/mesh_tiles.yaml"), {{"workload.collective", collective},
                                                            {"workload.algorithm", algorithm},
                                                            {"workload.bytes", "[1 KiB, 32 KiB]"},
                                                            {"workload.explain", is_explained}});
        stats.erase("bottleneck");  // which an explanation tells better
        for (auto& each : stats["collectives"]) each.erase("breakdown");
        return stats;
      };
      CHECK(run("on") == run("off"));
    }
}

TEST_CASE("explaining a run changes no time") {
  for (const char* train : {"1", "32"})
    for (const char* data : {"on", "off"}) {
      const settings plain = {{"workload.bytes", "[1 KiB, 256 KiB]"},
                              {"train", train},
                              {"data", data},
                              {"workload.explain", "off"}};
      settings explained = plain;
      explained.back().second = "on";
      nlohmann::json with = stats_of(scin_netlist, explained);
      for (auto& each : with["collectives"]) each.erase("breakdown");
      nlohmann::json without = stats_of(scin_netlist, plain);
      for (nlohmann::json* each : {&with, &without}) each->erase("bottleneck");  // as far as known
      CHECK(with == without);
    }
}

TEST_CASE("the parts add up when firmware runs instruction by instruction") {
  check_sums(stats_of(scin_netlist, {{"params.core", "rv64_core"},
                                     {"workload.algorithm", "[ring, nvls, scin]"},
                                     {"workload.bytes", "[1 KiB, 64 KiB]"}})["collectives"]);
}

TEST_CASE("a message to and fro is explained by the data sheets") {
  constexpr long long crossings = 20 * 3;  // of each message: data, their response, the counter
  const auto p2p = stats_of(project_file("yaml/p2p_latency.yaml"), {})["collectives"];
  for (const auto& each : p2p) {
    INFO(each.dump(1));
    CHECK(part(each, "propagation") == crossings * 2 * 250 * 1'000'000);
    CHECK(part(each, "forwarding") == crossings * 100 * 1'000'000);
    CHECK(part(each, "queueing") == 0);
  }
}

TEST_CASE("buffers below bandwidth x round trip are named, with what would do") {
  const scratch_folder folder;
  std::ifstream shipped(project_file("yaml/p2p_latency.yaml"));
  std::string text{std::istreambuf_iterator<char>(shipped), std::istreambuf_iterator<char>()};
  const auto change = [&text](const std::string& before, const std::string& after) {
    REQUIRE(text.find(before) != std::string::npos);
    text.replace(text.find(before), before.size(), after);
  };
  change("core: core}", "core: core, buffer: 4 KiB}");
  change("latency: 250 ns\n", "latency: 250 ns\n    buffer: \"${buffer}\"\n");
  change("collective: p2p_latency", "collective: p2p_bandwidth");
  change("[8 B, 1 KiB, 64 KiB]", "[1 MiB]");
  folder.write("narrow.yaml", text);
  const auto run = [&](const char* buffer) {
    return heddle_run(folder.file("narrow.yaml"),
                      {{"params.buffer", buffer}, {"workload.explain", "on"}});
  };
  const heddle_run narrow = run("4 KiB");
  REQUIRE(narrow.is_verified());
  const auto slow = narrow.stats()["collectives"][0];
  CHECK(part(slow, "credits") > femtoseconds(slow["time_s"]) / 4);
  const auto verdict = narrow.stats()["bottleneck"].get<std::string>();
  INFO(verdict);
  CHECK(verdict.find(" % waited for credits, of gpu[0].ni.port[0] -> nvs[0].port[0] most: ") !=
        std::string::npos);
  CHECK(
      verdict.find(
          "each virtual channel has 4 KiB of buffer; that is less than the 66.06 KiB of bandwidth "
          "x round trip: `buffer: 128 KiB` would keep the wire busy.") != std::string::npos);
  const heddle_run wide = run("128 KiB");
  const auto fast = wide.stats()["collectives"][0];
  CHECK(part(fast, "credits") < femtoseconds(fast["time_s"]) / 100);
  CHECK(femtoseconds(fast["time_s"]) * 4 < femtoseconds(slow["time_s"]));
}

TEST_CASE("a wave table that is too small shows as waiting for a slot") {
  const settings small = {
      {"workload.algorithm", "scin"}, {"workload.bytes", "[4 MiB]"}, {"params.table", "8 KiB"}};
  settings large = small;
  large.back().second = "64 KiB";
  const auto waiting = stats_of(scin_netlist, small)["collectives"][0];
  const auto flowing = stats_of(scin_netlist, large)["collectives"][0];
  CHECK(part(waiting, "wave_slot") > femtoseconds(waiting["time_s"]) * 9 / 10);
  CHECK(part(flowing, "wave_slot") < femtoseconds(flowing["time_s"]) / 4);
}

TEST_CASE("a report calls categories what the terminal calls them") {
  const scratch_folder folder;
  command line = run_command(
      scin_netlist, folder.file("out"),
      {{"workload.algorithm", "scin"}, {"workload.bytes", "[1 MiB]"}, {"params.table", "8 KiB"}});
  line.words.insert(line.words.end(), {"--report", folder.file("scin.html")});
  REQUIRE(run(line).exited_with(0));
  CHECK_THAT(folder.content("out/summary.txt"), Catch::Contains("wave-slot wait"));
  const std::string page = folder.content("scin.html");
  CHECK_THAT(page, Catch::Contains("<span class=\"name\">wave-slot wait</span>"));
  CHECK_THAT(page, Catch::Contains("\"wave_slot\":\"wave-slot wait\""));  // for the pictures
  CHECK_THAT(page, !Catch::Contains("wave slot"));
}

TEST_CASE("where waves wait for a slot, the parameter that limits them is named") {
  const auto verdict_of = [](const settings& values) {
    return stats_of(scin_netlist, values)["bottleneck"].get<std::string>();
  };
  const settings fine_blocks = {{"workload.algorithm", "scin_inq"},
                                {"workload.quantization", "{bits: 4, block: 32}"},
                                {"workload.bytes", "2 MiB"},
                                {"workload.explain", "on"}};
  const std::string by_scales = verdict_of(fine_blocks);
  INFO(by_scales);
  CHECK(by_scales.find("].isa are 1 KiB instead of 4 KiB, because the scales of 4-bit elements in "
                       "blocks of 32 fill its `scale_table` of 2 KiB: `scale_table: 8 KiB` has "
                       "room for those of whole waves.") != std::string::npos);
  settings small = fine_blocks;
  small.front().second = "[scin, scin_inq]";
  small.emplace_back("params.table", "16 KiB");
  const std::string by_table = verdict_of(small);
  INFO(by_table);
  CHECK(by_table.find("scin: Wave-slot wait is the bottleneck") != std::string::npos);
  CHECK(by_table.find("].isa has entries for 4 waves of 4 KiB: a larger `table` lets more data be "
                      "under way.\n") != std::string::npos);
  CHECK(
      by_table.find("a larger `table`, and `scale_table` with it, lets more data be under way.") !=
      std::string::npos);
  CHECK(by_table.find("because the scales") == std::string::npos);
}

TEST_CASE("the summary shows algorithms side by side") {
  const heddle_run run(scin_netlist, {{"workload.algorithm", "[ring, nvls, scin]"},
                                      {"workload.bytes", "[1 KiB, 64 KiB]"}});
  REQUIRE(run.is_verified());
  const std::string text = run.folder().content("out/summary.txt");
  INFO(text);
  for (const char* line : {"ring, nvls, scin allreduce, 8 ranks, fp16 sum", "     1 KiB  ring     ",
                           "factors against ring:", "critical path of the allreduce, 64 KiB:",
                           "longest steps of the scin allreduce, 64 KiB:"})
    CHECK(text.find(line) != std::string::npos);
}

TEST_CASE("parts that are equally busy are listed by their numbers") {
  const heddle_run run(ring_netlist, {{"params.gpus", "12"}, {"workload.bytes", "24 KiB"}});
  REQUIRE(run.is_verified());
  const std::string text = run.folder().content("out/summary.txt");
  INFO(text);
  CHECK(text.find("busiest:\n"
                  "    5.1 %  gpu[0].vector\n"
                  "    5.1 %  gpu[1].vector\n"
                  "    5.1 %  gpu[2].vector\n"
                  "    5.1 %  gpu[3].vector\n") != std::string::npos);
}

TEST_CASE("what firmware chooses is named, size by size") {
  const heddle_run run(scin_netlist,
                       {{"workload.algorithm", "auto"}, {"workload.bytes", "[1 KiB, 16 MiB]"}});
  REQUIRE(run.is_verified());
  const std::string text = run.folder().content("out/summary.txt");
  INFO(text);
  CHECK(text.rfind("auto allreduce, 8 ranks, fp16 sum", 0) == 0);
  CHECK(text.find("critical path of the allreduce") != std::string::npos);
}

TEST_CASE("a full wire shows as serialization, a short message as latency") {
  const auto ring = stats_of(ring_netlist, {{"workload.bytes", "[1 KiB, 16 MiB]"}})["collectives"];
  INFO(ring.dump(1));
  const auto share = [](const nlohmann::json& collective, const char* category) {
    return static_cast<double>(part(collective, category)) /
           static_cast<double>(femtoseconds(collective["time_s"]));
  };
  CHECK(share(ring[1], "serialization") > 0.5);
  CHECK(share(ring[0], "serialization") < 0.05);
  CHECK(share(ring[0], "propagation") > share(ring[1], "propagation"));
}
