// Reduce-scatter and all-gather on a mesh of tiles, and collectives of its rows and columns: data
// bit for bit, times by the laws of the links, what is refused.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/mesh_run.hpp"

using namespace heddle;

namespace {

std::vector<double> cycles(const heddle_run& done) {
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  const nlohmann::json stats = done.stats();
  std::vector<double> all;
  for (const auto& each : stats["collectives"]) all.push_back(each["time_s"].get<double>() * 1e9);
  return all;
}

std::string error_of(const std::string& collective, const std::string& algorithm,
                     const settings& more) {
  const heddle_run done = run_on_mesh(collective, algorithm, more);
  INFO(done.report());
  CHECK(done.result().exited_with(2));
  return done.result().errors;
}

// Fewer elements than ranks, chunks that differ by one, parts of a beat, several bursts.
const std::string sizes = "[8 B, 200 B, 1000 B, 4 KiB, 20008 B]";

}  // namespace

TEST_CASE("chunks are reduced and gathered on meshes of several shapes") {
  const auto [width, height] = GENERATE(table<std::string, std::string>(
      {{"1", "1"}, {"2", "1"}, {"1", "4"}, {"4", "4"}, {"8", "2"}}));
  const std::string collective = GENERATE("reduce_scatter", "allgather");
  check_verified_on_mesh(collective, "[mesh_hw, mesh_naive, mesh_tree]",
                         {{"params.width", width},
                          {"params.height", height},
                          {"workload.bytes", sizes},
                          {"workload.repeat", "2"}});
}

TEST_CASE("chunks of other types and operators have the bits of their order") {
  const auto [type, op] = GENERATE(table<std::string, std::string>({{"fp64", "max"},
                                                                    {"fp64", "min"},
                                                                    {"fp32", "sum"},
                                                                    {"fp32", "min"},
                                                                    {"fp16", "sum"},
                                                                    {"fp16", "max"}}));
  check_verified_on_mesh(
      "reduce_scatter", "[mesh_hw, mesh_naive, mesh_tree]",
      {{"workload.dtype", type}, {"workload.op", op}, {"workload.bytes", "[128 B, 6 KiB]"}});
}

TEST_CASE("copies of chunks do without sides of powers of two") {
  const std::string collective = GENERATE("reduce_scatter", "allgather");
  check_verified_on_mesh(
      collective, "mesh_naive",
      {{"params.width", "3"}, {"params.height", "2"}, {"workload.bytes", sizes}});
}

TEST_CASE("rows and columns have collectives of their own") {
  const std::string lines = GENERATE("rows", "columns");
  const std::string collective = GENERATE("broadcast", "reduce", "allreduce", "barrier");
  check_verified_on_mesh(
      collective, "[mesh_hw, mesh_naive, mesh_seq, mesh_tree]",
      {{"workload.groups", lines},
       {"params.width", "8"},
       {"workload.bytes", collective == "barrier" ? "8 B" : "[8 B, 1000 B, 4 KiB]"},
       {"workload.slot_bytes", "1 KiB"},
       {"workload.repeat", "2"}});
}

TEST_CASE("chunks of rows and columns stay in their line") {
  const std::string lines = GENERATE("rows", "columns");
  const std::string collective = GENERATE("reduce_scatter", "allgather");
  check_verified_on_mesh(
      collective, "[mesh_hw, mesh_naive, mesh_tree]",
      {{"workload.groups", lines}, {"params.width", "8"}, {"workload.bytes", sizes}});
}

TEST_CASE("lines have their root where the netlist says, and do without masks") {
  const std::string lines = GENERATE("rows", "columns");
  check_verified_on_mesh(
      "reduce", "[mesh_hw, mesh_naive, mesh_seq, mesh_tree]",
      {{"workload.groups", lines}, {"workload.root", "2"}, {"workload.bytes", sizes}});
  check_verified_on_mesh("allreduce", "[mesh_naive, mesh_seq, mesh_tree]",
                         {{"workload.groups", lines},
                          {"params.width", "3"},
                          {"params.height", "5"},
                          {"workload.bytes", "1000 B"},
                          {"workload.repeat", "2"}});
  check_verified_on_mesh("alltoall", "mesh_naive",
                         {{"workload.groups", lines}, {"workload.bytes", "256 B"}});
}

// The mesh's barrier lets tiles start a cycle a link later than those next to tile 0, and another
// for its way back: lines start as far apart as they are from the first one.
TEST_CASE("lines take as long as one alone, and what they start apart") {
  const std::string collective = GENERATE("reduce", "allreduce", "reduce_scatter", "allgather");
  const settings more = {{"workload.bytes", "[8 B, 1000 B, 4 KiB, 32 KiB]"}};
  settings rows = more, row = more, columns = more, column = more;
  rows.emplace_back("workload.groups", "rows");
  row.emplace_back("params.height", "1");
  columns.emplace_back("workload.groups", "columns");
  column.emplace_back("params.width", "1");
  constexpr double apart = 2 * 3;
  const auto expected = [&](std::vector<double> alone) {
    for (double& each : alone) each = std::round(each + apart);
    return alone;
  };
  const auto measured = [&](const settings& of) {
    std::vector<double> all = cycles(run_on_mesh(collective, "mesh_hw", of));
    for (double& each : all) each = std::round(each);
    return all;
  };
  CHECK(measured(rows) == expected(measured(row)));
  CHECK(measured(columns) == expected(measured(column)));
}

TEST_CASE("chunks and lines that move without data take as long") {
  const std::string collective = GENERATE("reduce_scatter", "allgather");
  settings with = {
      {"workload.groups", "columns"}, {"params.width", "2"}, {"workload.bytes", sizes}};
  settings without = with;
  without.emplace_back("data", "off");
  CHECK(cycles(run_on_mesh(collective, "[mesh_hw, mesh_naive, mesh_tree]", with)) ==
        cycles(run_on_mesh(collective, "[mesh_hw, mesh_naive, mesh_tree]", without)));
}

// Three inputs a router in the middle of a line, two at its ends: 1.5 cycles a beat in lines of
// four, and in the second phase a quarter of the beats.
TEST_CASE("chunks take the cycles of their links") {
  const auto slope = [](const char* collective, const char* rows) {
    const auto got = cycles(run_on_mesh(
        collective, "mesh_hw", {{"params.height", rows}, {"workload.bytes", "[8 KiB, 32 KiB]"}}));
    return (got[1] - got[0]) / 384;
  };
  CHECK(slope("reduce_scatter", "1") == Approx(1.5).margin(0.05));
  CHECK(slope("reduce_scatter", "4") == Approx(1.5 + 1.5 / 4).margin(0.08));
  const double gathered = slope("allgather", "4");  // no tile gets its own chunk
  CHECK(gathered >= 15.0 / 16);
  CHECK(gathered <= 1);
}

TEST_CASE("what a mesh cannot do with chunks or lines is refused") {
  CHECK_THAT(error_of("allgather", "mesh_seq", {}),
             Catch::Contains("there is no allgather by mesh_seq"));
  CHECK_THAT(error_of("allgather", "mesh_tree", {{"params.width", "3"}}),
             Catch::Contains("their number, 12, has to be a power of two: choose mesh_naive"));
  CHECK_THAT(error_of("reduce_scatter", "mesh_hw",
                      {{"workload.dtype", "fp16"}, {"workload.bytes", "200 B"}}),
             Catch::Contains("tiles move multiples of 8 B, chunk 0 of 16 has 14 B"));
  CHECK_THAT(error_of("reduce", "mesh_hw", {{"workload.groups", "columns"}, {"params.width", "3"}}),
             Catch::Contains("both sides of the mesh have to be powers of two: this one is 3 x 4"));
  CHECK_THAT(error_of("reduce", "mesh_hw", {{"workload.groups", "rows"}, {"workload.root", "4"}}),
             Catch::Contains("root 4 is none of the 4 ranks of a group"));
  CHECK_THAT(error_of("reduce", "mesh_hw", {{"workload.groups", "4"}}),
             Catch::Contains("mesh_hw takes all ranks together or `groups: rows` or "
                             "`groups: columns`, not in groups"));
}
