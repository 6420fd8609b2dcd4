// Collectives on a mesh of tiles, from the netlist to the data. Times are of the source's laws
// where the mechanisms give them by hand: see network_interface_test.cpp for those of single
// accesses.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/mesh_run.hpp"

using namespace heddle;

namespace {

// Sizes of parts of a beat, parts of a burst, several bursts.
const std::string sizes = "[8 B, 72 B, 1000 B, 4 KiB, 20008 B]";

std::vector<std::uint64_t> cycles(const heddle_run& done) {
  INFO(done.report());
  REQUIRE(done.result().exited_with(0));
  std::vector<std::uint64_t> all;
  const nlohmann::json stats = done.stats();
  for (const auto& each : stats["collectives"])
    all.push_back(static_cast<std::uint64_t>(std::llround(each["time_s"].get<double>() * 1e9)));
  return all;
}

std::string error_of(const std::string& collective, const std::string& algorithm,
                     const settings& more, int code) {
  const heddle_run done = run_on_mesh(collective, algorithm, more);
  INFO(done.report());
  CHECK(done.result().exited_with(code));
  return done.result().errors;
}

}  // namespace

TEST_CASE("broadcasts on the mesh leave the root's data everywhere") {
  const std::string algorithm = GENERATE("mesh_hw", "mesh_naive", "mesh_seq", "mesh_tree");
  check_verified_on_mesh("broadcast", algorithm,
                         {{"workload.bytes", sizes}, {"workload.slot_bytes", "1 KiB"}});
}

TEST_CASE("reductions on the mesh have the bits of their order") {
  const std::string algorithm = GENERATE("mesh_hw", "mesh_naive", "mesh_seq", "mesh_tree");
  check_verified_on_mesh("reduce", algorithm,
                         {{"workload.bytes", sizes}, {"workload.slot_bytes", "1 KiB"}});
}

TEST_CASE("all-reductions on the mesh leave the sum of a reduction everywhere") {
  const std::string algorithm = GENERATE("mesh_hw", "mesh_naive", "mesh_seq", "mesh_tree");
  check_verified_on_mesh("allreduce", algorithm,
                         {{"workload.bytes", sizes}, {"workload.slot_bytes", "1 KiB"}});
  check_verified_on_mesh(
      "allreduce", algorithm,
      {{"workload.bytes", "4 KiB"}, {"workload.repeat", "3"}, {"params.height", "1"}});
}

TEST_CASE("an all-reduction by the routers is a reduction and a multicast from where the sum is") {
  const settings more = {{"workload.bytes", "[1 KiB, 32 KiB]"}};
  const std::vector<std::uint64_t> both = cycles(run_on_mesh("allreduce", "mesh_hw", more));
  const std::vector<std::uint64_t> sum = cycles(run_on_mesh("reduce", "mesh_hw", more));
  for (std::size_t i = 0; i < both.size(); ++i) {
    INFO(both[i] << " " << sum[i]);
    CHECK(both[i] > sum[i]);
  }
  check_verified_on_mesh("allreduce", "mesh_hw",
                         {{"workload.bytes", sizes}, {"workload.root", "6"}});
}

TEST_CASE("batches are as good as any that could be asked for, where nobody asks") {
  std::string collective, algorithm;
  std::tie(collective, algorithm) = GENERATE(table<std::string, std::string>(
      {{"broadcast", "mesh_seq"}, {"reduce", "mesh_seq"}, {"reduce", "mesh_tree"}}));
  const std::string rows = GENERATE("1", "4");
  const auto cycles_with = [&](settings more) {
    more.insert(more.end(),
                {{"params.height", rows}, {"workload.bytes", "[1 KiB, 8 KiB, 32 KiB]"}});
    return cycles(run_on_mesh(collective, algorithm, more));
  };
  const std::vector<std::uint64_t> ours = cycles_with({});
  for (const char* batch : {"256 B", "512 B", "1 KiB", "2 KiB", "4 KiB", "8 KiB", "16 KiB"}) {
    const std::vector<std::uint64_t> others = cycles_with({{"workload.slot_bytes", batch}});
    for (std::size_t i = 0; i < ours.size(); ++i) {
      INFO(algorithm << " " << collective << " " << rows << " " << batch << " " << i);
      CHECK(static_cast<double>(ours[i]) <= 1.06 * static_cast<double>(others[i]));
    }
  }
}

TEST_CASE("every tile sends to every other") {
  const auto [width, height] =
      GENERATE(table<std::string, std::string>({{"1", "1"}, {"2", "2"}, {"4", "4"}, {"8", "4"}}));
  check_verified_on_mesh("alltoall", "mesh_naive",
                         {{"params.width", width},
                          {"params.height", height},
                          {"workload.bytes", "[256 B, 4 KiB]"},
                          {"workload.repeat", "2"}});
}

TEST_CASE("the routers multicast from any tile and reduce to any tile") {
  const std::string root = GENERATE("3", "5", "15");
  check_verified_on_mesh("broadcast", "mesh_hw",
                         {{"workload.bytes", sizes}, {"workload.root", root}});
  check_verified_on_mesh("reduce", "mesh_hw", {{"workload.bytes", sizes}, {"workload.root", root}});
}

// By copies a tile's place is the XOR of its coordinates and the root's
// (sw/collectives/mesh_reduce.h).
TEST_CASE("software reduces to any tile, with the bits of that order") {
  const std::string algorithm = GENERATE("mesh_naive", "mesh_seq", "mesh_tree");
  const std::string root = GENERATE("3", "5", "10", "15");
  check_verified_on_mesh("reduce", algorithm,
                         {{"workload.bytes", sizes},
                          {"workload.slot_bytes", "1 KiB"},
                          {"workload.root", root},
                          {"workload.repeat", "2"}});
}

TEST_CASE("reductions have their root anywhere on meshes of other shapes") {
  const auto [width, height, root] = GENERATE(table<std::string, std::string, std::string>(
      {{"2", "1", "1"}, {"1", "4", "2"}, {"8", "2", "13"}, {"2", "8", "5"}, {"8", "8", "42"}}));
  check_verified_on_mesh("reduce", "[mesh_hw, mesh_naive, mesh_seq, mesh_tree]",
                         {{"params.width", width},
                          {"params.height", height},
                          {"workload.bytes", "[72 B, 4 KiB]"},
                          {"workload.slot_bytes", "1 KiB"},
                          {"workload.root", root}});
}

TEST_CASE("firmware runs unchanged on meshes of other shapes") {
  const auto [width, height] = GENERATE(table<std::string, std::string>(
      {{"1", "1"}, {"2", "1"}, {"1", "4"}, {"8", "2"}, {"8", "8"}, {"16", "16"}}));
  for (const char* collective : {"broadcast", "reduce", "allreduce", "barrier"})
    check_verified_on_mesh(collective, "[mesh_hw, mesh_tree]",
                           {{"params.width", width},
                            {"params.height", height},
                            {"workload.bytes", "2 KiB"},
                            {"workload.repeat", "2"}});
}

TEST_CASE("software does without sides of powers of two") {
  const auto [width, height] =
      GENERATE(table<std::string, std::string>({{"3", "1"}, {"1", "3"}, {"3", "5"}, {"6", "4"}}));
  for (const char* collective : {"broadcast", "reduce", "allreduce", "barrier", "alltoall"}) {
    const bool is_alltoall = collective == std::string("alltoall");
    check_verified_on_mesh(collective,
                           is_alltoall ? "mesh_naive" : "[mesh_naive, mesh_seq, mesh_tree]",
                           {{"params.width", width},
                            {"params.height", height},
                            {"workload.bytes", is_alltoall ? "1920 B" : "[8 B, 2 KiB]"},
                            {"workload.repeat", "2"}});
  }
}

// The first rank of a line interrupts the others of its line by stores, and then counts at the
// first rank of the mesh.
TEST_CASE("barriers of rows and of columns follow each other on a mesh without masks") {
  const auto [width, height, core] =
      GENERATE(table<std::string, std::string, std::string>({{"3", "3", "mesh_core.yaml"},
                                                             {"7", "2", "mesh_core.yaml"},
                                                             {"3", "2", "mesh_rv64_core.yaml"}}));
  for (const char* lines : {"rows", "columns"})
    check_verified_on_mesh("barrier", "[mesh_naive, mesh_seq, mesh_tree]",
                           {{"params.width", width},
                            {"params.height", height},
                            {"params.core", core},
                            {"workload.bytes", ""},
                            {"workload.dtype", ""},
                            {"workload.groups", lines},
                            {"workload.repeat", "2"}});
}

TEST_CASE("software reduces to any tile of a mesh without masks") {
  for (const char* root : {"4", "14"})
    check_verified_on_mesh("reduce", "[mesh_naive, mesh_seq, mesh_tree]",
                           {{"params.width", "5"},
                            {"params.height", "3"},
                            {"workload.root", root},
                            {"workload.bytes", "1000 B"}});
}

TEST_CASE("single-flit buffers and a small gathering buffer change no data") {
  const settings small = {{"params.buffer", "1"},
                          {"params.reductions", "1"},
                          {"params.header_buffer", "1"},
                          {"workload.bytes", sizes}};
  check_verified_on_mesh("broadcast", "mesh_hw", small);
  check_verified_on_mesh("reduce", "mesh_hw", small);
}

// n beats to any number of rows: 3 instructions of the firmware around the start and 3 cycles of
// the engine, 21 until the first beat is here from the memory tile next to the root and at the
// interface, n until the last has left, another cycle for the AW of each burst of 64 beats but the
// first, one more where the engine asks for several, 6 until it says so. The firmware looks every
// second cycle.
TEST_CASE("a multicast takes a cycle a beat, however far it goes") {
  for (const std::uint64_t rows : {1U, 2U, 4U}) {
    std::vector<std::uint64_t> expected;
    for (const std::uint64_t n : {16U, 64U, 512U})
      expected.push_back((3 + 3 + 21 + n + (n - 1) / 64 + (n > 64 ? 1 : 0) + 6 + 1) & ~1ULL);
    CHECK(cycles(run_on_mesh("broadcast", "mesh_hw",
                             {{"params.height", std::to_string(rows)},
                              {"workload.bytes", "[1 KiB, 4 KiB, 32 KiB]"}})) == expected);
  }
}

TEST_CASE("what moves without data takes as long") {
  const std::string collective = GENERATE("broadcast", "reduce");
  const settings with = {{"workload.bytes", sizes}};
  settings without = with;
  without.emplace_back("data", "off");
  CHECK(cycles(run_on_mesh(collective, "mesh_hw", with)) ==
        cycles(run_on_mesh(collective, "mesh_hw", without)));
}

// Two inputs a router in a row, three in the first column of several rows: 1 and 2 cycles a beat,
// and a few more where the gathering stands still or until the firmware looks.
TEST_CASE("a reduction takes a cycle a beat in a row, two in several rows") {
  const auto slope = [](const std::string& rows) {
    const auto got = cycles(run_on_mesh(
        "reduce", "mesh_hw", {{"params.height", rows}, {"workload.bytes", "[1 KiB, 4 KiB]"}}));
    return static_cast<double>(got[1] - got[0]) / 48;
  };
  CHECK(slope("1") == 1.0);
  CHECK(slope("2") == Approx(2.0).margin(6.0 / 48));
  CHECK(slope("4") == Approx(2.0).margin(6.0 / 48));
}

TEST_CASE("the hardware barrier scales with the sides of the mesh") {
  const auto times = [](const std::string& algorithm) {
    std::vector<std::uint64_t> all;
    for (const char* side : {"2", "4", "8"})
      all.push_back(cycles(
          run_on_mesh("barrier", algorithm, {{"params.width", side}, {"params.height", side}}))[0]);
    return all;
  };
  const auto hardware = times("mesh_hw"), software = times("mesh_naive");
  CHECK(hardware == std::vector<std::uint64_t>{25, 49, 97});
  CHECK(software[2] - software[1] > 3 * 48);  // an amoadd takes 3 cycles
}

TEST_CASE("what a mesh cannot do is refused") {
  CHECK_THAT(error_of("broadcast", "mesh_hw", {{"params.width", "3"}}, 2),
             Catch::Contains("both sides of the mesh have to be powers of two: this one is 3 x 4"));
  CHECK_THAT(
      error_of("reduce", "mesh_hw", {{"workload.dtype", "bf16"}}, 2),
      Catch::Contains("mesh_hw does not know sum of bf16: its types are fp64, fp32, fp16, fp8"));
  CHECK_THAT(error_of("broadcast", "mesh_tree", {{"workload.root", "3"}}, 2),
             Catch::Contains("broadcast by mesh_tree has its root at rank 0"));
  for (const char* algorithm : {"mesh_hw", "mesh_naive", "mesh_seq", "mesh_tree"})
    CHECK_THAT(error_of("reduce", algorithm, {{"workload.root", "16"}}, 2),
               Catch::Contains("root 16 is none of the 16 ranks"));
  CHECK_THAT(error_of("alltoall", "mesh_hw", {}, 2),
             Catch::Contains("there is no alltoall by mesh_hw (one of direct, mesh_naive, "));
  CHECK_THAT(
      error_of("alltoall", "direct", {}, 2),
      Catch::Contains("is not for tiles of a mesh such as tile[0].cp.core: choose mesh_naive"));
  CHECK_THAT(error_of("broadcast", "mesh_hw", {{"workload.bytes", "128 KiB"}}, 2),
             Catch::Contains("tile[0].cp.core has 128 KiB of memory"));
}

// Rank 0 stages its data in the memory tile first: no part of the broadcast. By the routers its end
// mark says that the last beat has left the root, while 53 of the tiles' 240 are on their way; each
// algorithm writes as much in the end.
TEST_CASE("energy and wire bytes of a broadcast are those of all its data") {
  const auto of_broadcast = [](const std::string& algorithm) {
    const heddle_run done = run_on_mesh("broadcast", algorithm, {{"workload.bytes", "1 KiB"}});
    INFO(done.report());
    REQUIRE(done.is_verified());
    return done.stats()["collectives"][0];
  };
  const nlohmann::json hardware = of_broadcast("mesh_hw");
  INFO(hardware.dump(1));
  CHECK(hardware["energy"]["dma_load"]["count"] == 1024);
  CHECK(hardware["energy"]["dma_store"]["count"] == 1024);
  CHECK(hardware["energy"]["spm_write"]["count"] == 15 * 1024);
  // 13 links of the tree do not come straight from the root; 8 B of the barrier behind pass two
  // such links in each row and three in the first column, while its members wait for the root.
  CHECK(hardware["energy"]["hop"]["count"] == 13 * 1024 + (4 * 2 + 3) * 8);
  const nlohmann::json software = of_broadcast("mesh_tree");
  CHECK(software["energy"]["dma_store"]["count"] == 15 * 1024);
  CHECK(software["energy"]["spm_write"]["count"] == 15 * 1024);
}
