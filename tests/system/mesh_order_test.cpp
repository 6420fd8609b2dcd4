// Copies between tiles and the barriers between the steps of a collective, on meshes whose wide
// network is as fast as the narrow ones and on others: where a barrier could overtake data, whoever
// sends waits for the answer.
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>

#include "tests/support/mesh_run.hpp"

using namespace heddle;

namespace {

// Nanoseconds of a reduction of 10 beats in a row of tiles.
std::uint64_t reduction_time(const std::string& algorithm, const std::string& width,
                             const settings& more) {
  settings all = {{"params.width", width},
                  {"params.height", "1"},
                  {"workload.bytes", "640 B"},
                  {"workload.slot_bytes", "1 KiB"}};
  all.insert(all.end(), more.begin(), more.end());
  const heddle_run done = run_on_mesh("reduce", algorithm, all);
  INFO(done.report());
  REQUIRE(done.is_verified());
  return static_cast<std::uint64_t>(
      std::llround(done.stats()["collectives"][0]["time_s"].get<double>() * 1e9));
}

std::uint64_t pair_time(const settings& more) {
  return reduction_time("mesh_tree", "2", more);
}

}  // namespace

// Tile 1 copies to tile 0; behind the barrier tile 0 adds.
TEST_CASE("a step between two tiles ends with the hand-over where barriers do not overtake data") {
  CHECK(pair_time({}) == 79);
  // As much as a link of one cycle needs behind a pipeline of one: there, and back.
  CHECK(pair_time({{"params.buffer", "3"}}) == 79);
  // The barrier passes two routers, and so does its answer; the last beat passes two meanwhile.
  const settings alike = {{"tile[*].routers.*.pipeline", "2"}, {"mem[*].routers.*.pipeline", "2"}};
  CHECK(pair_time(alike) == 79 + 4);
  // The narrow networks alone are slower, and the barrier with them.
  CHECK(pair_time({{"tile[*].routers.re*.pipeline", "2"}, {"tile[*].routers.rs*.pipeline", "2"}}) ==
        79 + 4);
}

// The answer comes 14 cycles behind the hand-over (mesh_dma_test.cpp), and the wide routers and
// links that are slower add theirs.
TEST_CASE("a step between two tiles waits for the answer where the wide network is slower") {
  CHECK(pair_time({{"tile[*].routers.wide.pipeline", "2"}}) == 79 + 14 + 2);
  // The firmware looks every second cycle.
  CHECK(pair_time({{"links[0].latency", "2"}}) == 79 + 14 + 2);
  // With two flits a link moves two in three cycles, so beats wait in the first router: the last
  // one leaves 2 cycles later, and its answer comes 2 later still.
  CHECK(pair_time({{"params.buffer", "2"}}) == 79 + 2 + 14 + 2);
}

// The mesh of yaml/mesh_tiles.yaml, and a network of packets beside it.
std::string mesh_beside_packets() {
  std::ifstream file(project_file("yaml/mesh_tiles.yaml"));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  text.insert(text.find("\nlinks:\n") + 8,
              "  - {for: {g: 2}, between: [\"gpu[g].port[0]\", \"hub.port[g]\"]}\n");
  text.insert(text.find("\nunits:\n") + 8,
              "  hub: {type: switch, ports: 2}\n"
              "  gpu: {array: 2, use: units/accelerator.yaml, number: \"${i}\", planes: 1}\n");
  return text;
}

TEST_CASE("a step between two tiles does not wait because of cores of another network") {
  const scratch_folder folder;
  const heddle_run done(folder.write("beside.yaml", mesh_beside_packets()),
                        {{"params.width", "2"},
                         {"params.height", "1"},
                         {"workload.collective", "reduce"},
                         {"workload.algorithm", "mesh_tree"},
                         {"workload.ranks", "tile*"},
                         {"workload.bytes", "640 B"},
                         {"workload.slot_bytes", "1 KiB"}});
  INFO(done.report());
  REQUIRE(done.is_verified());
  CHECK(done.stats()["collectives"][0]["time_s"].get<double>() == Approx(79e-9));
}

// Standing by XOR with root 1, the tiles send over 1, 3, 1, 3, 1, 3 and 1 links, one after the
// other where there is one batch; with more, the ways 3 to 0 and 5 to 2 share a link.
TEST_CASE("a reduction from neighbor to neighbor waits for answers where its copies share links") {
  const auto from = [](const char* root) {
    return reduction_time("mesh_seq", "8", {{"workload.root", root}});
  };
  CHECK(from("0") == 992);
  CHECK(from("3") == 993);
  CHECK(from("1") == 994 + 4 * 14 + 3 * (14 + 2 * 4));
}

TEST_CASE("collectives by copies are right where the wide routers are slow") {
  const std::string core = GENERATE("mesh_core.yaml", "mesh_rv64_core.yaml");
  for (const char* collective : {"broadcast", "reduce", "allreduce"})
    check_verified_on_mesh(collective, "[mesh_naive, mesh_seq, mesh_tree]",
                           {{"tile[*].routers.wide.pipeline", "16"},
                            {"params.core", core},
                            {"workload.bytes", "[64 B, 1 KiB]"}});
  check_verified_on_mesh("reduce", "mesh_tree",
                         {{"tile[*].routers.wide.pipeline", "5"},
                          {"params.width", "16"},
                          {"params.height", "1"},
                          {"params.core", core},
                          {"workload.bytes", "64 B"}});
}

TEST_CASE("collectives by copies are right where the wide links are long") {
  const auto [width, height] =
      GENERATE(table<std::string, std::string>({{"16", "1"}, {"8", "8"}, {"4", "4"}}));
  check_verified_on_mesh("allreduce", "mesh_tree",
                         {{"links[0].latency", "16"},
                          {"links[1].latency", "16"},
                          {"params.width", width},
                          {"params.height", height},
                          {"workload.bytes", "1 KiB"}});
}

TEST_CASE("a GEMM by copies is right where the wide routers are slow") {
  const heddle_run done(project_file("yaml/mesh_gemm.yaml"),
                        {{"workload.collective", "fused_concat_linear"},
                         {"workload.tile", "8"},
                         {"tile[*].routers.wide.pipeline", "16"}});
  INFO(done.report());
  CHECK(done.is_verified());
}
