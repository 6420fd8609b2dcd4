// What a run of a mesh tells its reader: bottleneck, headings, ceiling, the source's formulas.
#include <catch2/catch.hpp>

#include <regex>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string tiles = project_file("yaml/mesh_tiles.yaml");

struct told {
  explicit told(const std::string& netlist, const settings& values) : run(netlist, values) {
    INFO(run.report());
    REQUIRE(run.result().exited_with(0));
    summary = run.folder().content("out/summary.txt");
  }
  bool has(const std::string& text) const { return summary.find(text) != std::string::npos; }
  heddle_run run;
  std::string summary;
};

}  // namespace

TEST_CASE("the bottleneck of each algorithm comes from its critical path") {
  const told run(tiles, {{"workload.bytes", "32 KiB"}});
  INFO(run.summary);
  CHECK(
      run.has("mesh_naive: Bytes on one wire after another are the bottleneck: serialization is "));
  CHECK(run.has("mesh_hw: "));
  CHECK(run.has("busiest during the last broadcast by mesh_naive, 32 KiB:\n"));
  CHECK_FALSE(run.has("Latency is the bottleneck"));
}

TEST_CASE("a DMA engine with transfers under way is no bottleneck") {
  const told run(tiles, {{"workload.bytes", "32 KiB"}, {"workload.algorithm", "mesh_hw"}});
  INFO(run.summary);
  CHECK_FALSE(run.has(".dma is the bottleneck"));
  CHECK(run.has("The wires are the bottleneck: "));
  const told small(tiles, {{"workload.bytes", "8 B"}, {"workload.algorithm", "mesh_hw"}});
  CHECK(small.has("Latency is the bottleneck: propagation is "));
}

TEST_CASE("energy is told of operations that were done") {
  const std::regex row_of_dashes("\n *[a-z ]+ -( +-)*\n");
  const told run(tiles,
                 {{"workload.bytes", "1 KiB"}, {"workload.algorithm", "[mesh_hw,mesh_tree]"}});
  INFO(run.summary);
  CHECK(run.has("energy of the broadcast:\n"));
  CHECK(run.has("\n         dma load "));
  CHECK_FALSE(std::regex_search(run.summary, row_of_dashes));
}

TEST_CASE("energy of what `auto` has chosen has a heading of its own") {
  const told run(tiles, {{"workload.bytes", "1 KiB"}, {"workload.algorithm", "[mesh_hw, auto]"}});
  INFO(run.summary);
  const std::string blanks(34, ' ');
  CHECK(run.has("energy of the broadcast:\n" + blanks + "mesh_hw          mesh_hw (auto)\n"));
}

TEST_CASE("each algorithm has its heat map") {
  const told run(tiles, {{"workload.bytes", "[1 KiB, 2 KiB]"},
                         {"workload.algorithm", "[mesh_hw, mesh_tree]"}});
  for (const std::string each : {"mesh_hw", "mesh_tree"})
    CHECK_THAT(run.run.folder().content("out/link_utilization_" + each + ".svg"),
               Catch::Contains("broadcast by " + each + ", 2 KiB"));
  CHECK_FALSE(run.run.folder().has("out/link_utilization.svg"));
}

TEST_CASE("headings name what a collective has, and nothing else") {
  const told broadcast(tiles, {{"workload.bytes", "1 KiB"}});
  CHECK(broadcast.has("broadcast, 16 ranks, fp64\n"));
  const told reduce(tiles, {{"workload.bytes", "1 KiB"}, {"workload.collective", "reduce"}});
  CHECK(reduce.has("reduce, 16 ranks, fp64 sum\n"));
  const told barrier(tiles, {{"workload.collective", "barrier"}, {"workload.repeat", "2"}});
  INFO(barrier.summary);
  CHECK(barrier.has("barrier, 16 ranks\n"));
  CHECK_FALSE(barrier.has("KiB"));
  const told gemm(project_file("yaml/mesh_gemm.yaml"), {});
  INFO(gemm.summary);
  CHECK(gemm.has("      tile   mesh_tree"));
  CHECK(gemm.has("last summa by mesh_hw, tiles of 16 x 16:\n"));
  CHECK(gemm.has("critical path of the summa, tiles of 16 x 16:\n"));
  CHECK(gemm.has("energy of the summa:\n"));
}

TEST_CASE("energies of little are counted one by one") {
  const told run(tiles, {{"workload.bytes", "64 B"}, {"workload.algorithm", "mesh_hw"}});
  INFO(run.summary);
  CHECK(run.has("dma load        64 B "));
  CHECK_FALSE(run.has(" k "));
}

// 64 B a cycle for the wide link; where rows meet, routers add every other cycle.
TEST_CASE("collectives on a mesh have a ceiling") {
  const auto ceiling = [](const std::string& collective, const std::string& height) {
    const told run(tiles, {{"workload.collective", collective},
                           {"workload.algorithm", "mesh_hw"},
                           {"workload.bytes", "32 KiB"},
                           {"params.height", height}});
    const nlohmann::json one = run.run.stats()["collectives"][0];
    CHECK(one["algbw_Bps"] < one["ceiling_Bps"]);
    return one["ceiling_Bps"].get<double>();
  };
  CHECK(ceiling("broadcast", "4") == 64e9);
  CHECK(ceiling("reduce", "1") == 64e9);
  CHECK(ceiling("reduce", "4") == 32e9);
}

// Worked out in yaml/claims/noc.yaml: Eq 13, 11 and 12, 4 x 4 tiles.
TEST_CASE("the source's formulas stand beside the times") {
  const told run(tiles, {{"workload.bytes", "32 KiB"},
                         {"workload.algorithm", "[mesh_hw, mesh_seq, mesh_tree, mesh_naive]"}});
  INFO(run.summary);
  const nlohmann::json all = run.run.stats()["collectives"];
  CHECK(all[0]["law_s"].get<double>() == Approx(548e-9));
  CHECK(all[1]["law_s"].get<double>() == Approx(2486e-9));
  CHECK(all[2]["law_s"].get<double>() == Approx(2778e-9));
  CHECK(all[3]["law_s"] == 0);
  CHECK(run.has("mesh_hw 32 KiB takes 548 ns (here +"));
  CHECK(run.has("time: from the first rank's start mark to the last rank's end mark"));
  CHECK(run.has("energy: until all transfers are answered\n"));
  const told odd(
      tiles,
      {{"workload.bytes", "32 KiB"}, {"workload.algorithm", "mesh_hw"}, {"workload.root", "5"}});
  CHECK_FALSE(odd.has("by the source's formulas"));
}

TEST_CASE("what is no mesh has no remarks of one") {
  const told ring(project_file("yaml/ring_allreduce.yaml"), {{"workload.bytes", "64 KiB"}});
  CHECK_FALSE(ring.has("time: from"));
  CHECK_FALSE(ring.has("by the source's formulas"));
}
