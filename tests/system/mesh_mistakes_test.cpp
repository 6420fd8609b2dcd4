// What can go wrong on a mesh of tiles: firmware that does not keep to a collective (exit 1, with
// who has not arrived where), and netlists that ask for what a mesh cannot do (exit 2).
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string netlist = project_file("yaml/mesh_tiles.yaml");

std::string errors_of(const settings& values, int code) {
  const scratch_folder folder;
  command line = run_command(netlist, "out", values);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(code));
  return result.errors;
}

// On 2 x 2 tiles, at x = 2 and 3.
std::string errors_of_firmware(const std::string& name, const std::string& collective) {
  return errors_of({{"params.width", "2"},
                    {"params.height", "2"},
                    {"tile[*].cp.core.firmware", name},
                    {"tile[*].cp.core.poll_limit", "10 us"},
                    {"workload.collective", collective},
                    {"workload.algorithm", "mesh_hw"},
                    {"workload.bytes", "1 KiB"}},
                   1);
}

}  // namespace

TEST_CASE("a member that does not come to a barrier is named, with the routers that wait for it") {
  const std::string errors = errors_of_firmware("mesh_absent_member", "barrier");
  CHECK_THAT(errors, Catch::Contains("tile[3].cp.core: hang: polls"));
  CHECK_THAT(errors, Catch::Contains("tile[2].routers.req waits for contributions from the east "
                                     "(tile[3]) of a SelectAW to tile[0] at 0x10001000"));
  CHECK_THAT(errors, Catch::Contains("tile[0].routers.req waits for contributions from the north "
                                     "(tile[2], tile[3]) of a SelectAW to tile[0] at 0x10001000"));
}

// 3 x 2 tiles have no masks, so their barriers count in software.
TEST_CASE("a counted barrier to which a member does not come ends by the timeout") {
  const std::string errors = errors_of({{"params.width", "3"},
                                        {"params.height", "2"},
                                        {"tile[*].cp.core.firmware", "mesh_absent_member"},
                                        {"workload.collective", "barrier"},
                                        {"workload.algorithm", "mesh_naive"},
                                        {"workload.timeout", "20 us"}},
                                       1);
  CHECK_THAT(errors, Catch::Contains("mesh: not all ranks came to a barrier, but 0x5"));
  CHECK_THAT(errors, Catch::Contains("tile[0].cp.core: firmware 'mesh_absent_member' ended with "
                                     "code 1"));
}

TEST_CASE("what a driver owes the DMA engine of a tile is checked at its line") {
  const auto errors = [](const char* bug) { return errors_of_firmware(bug, "barrier"); };
  CHECK_THAT(errors("mesh_unfenced_copy"),
             Catch::Contains("tests/system/firmware/mesh_unfenced_copy.c:14") &&
                 Catch::Contains("call hal_fence() before the write of start"));
  CHECK_THAT(errors("mesh_start_without_length"),
             Catch::Contains("tests/system/firmware/mesh_start_without_length.c:13") &&
                 Catch::Contains("length has not been written since reset"));
  CHECK_THAT(errors("mesh_odd_length"),
             Catch::Contains("tests/system/firmware/mesh_odd_length.c:10") &&
                 Catch::Contains("0xc is not a multiple of 8"));
}

TEST_CASE("members of a reduction that differ in length fail the run") {
  CHECK_THAT(errors_of_firmware("mesh_short_member", "reduce"),
             Catch::Contains("the members of a FP64 add to tile[0] at 0x1000") &&
                 Catch::Contains("sent packets of different lengths"));
}

TEST_CASE("a mask that names tiles outside the mesh fails the run") {
  CHECK_THAT(errors_of_firmware("mesh_outside_mask", "broadcast"),
             Catch::Contains("its mask 0x1c0000 has bits that are no coordinate's: tiles are "
                             "0x40000 addresses apart, there are 2 x 2"));
}

TEST_CASE("a reduction to a root that is no rank is no job") {
  CHECK_THAT(errors_of_firmware("mesh_no_such_root", "reduce"),
             Catch::Contains("'mesh_no_such_root' ended with code 5"));  // STATUS_BAD_JOB
}

TEST_CASE("an algorithm for other machines is refused on a mesh for that, whatever the type is") {
  CHECK_THAT(errors_of({{"workload.collective", "allreduce"},
                        {"workload.algorithm", "tree"},
                        {"workload.dtype", "fp64"}},
                       2),
             Catch::Contains("tree is not for tiles of a mesh such as tile[0].cp.core"));
}

TEST_CASE("algorithms for other machines are refused on a mesh") {
  const auto errors = [](const std::string& collective, const std::string& algorithm) {
    return errors_of({{"workload.collective", collective}, {"workload.algorithm", algorithm}}, 2);
  };
  const std::string advice =
      " is not for tiles of a mesh such as tile[0].cp.core: choose mesh_hw, mesh_naive, mesh_seq "
      "or "
      "mesh_tree";
  CHECK_THAT(errors("broadcast", "ring"), Catch::Contains("ring" + advice));
  CHECK_THAT(errors("p2p_latency", "auto"), Catch::Contains("no algorithm of these ranks does"));
  CHECK_THAT(errors("barrier", "ring"), Catch::Contains("ring" + advice));
  CHECK_THAT(errors("allgather", "mesh_seq"), Catch::Contains("there is no allgather by mesh_seq"));
  CHECK_THAT(errors("p2p_latency", "mesh_hw"),
             Catch::Contains("there is no p2p_latency by mesh_hw"));
}

TEST_CASE("what an algorithm cannot do is refused with what it can do") {
  const auto errors = [](settings values) {
    values.emplace_back("workload.algorithm", "mesh_hw");
    return errors_of(values, 2);
  };
  CHECK_THAT(errors({{"workload.groups", "2"}}),
             Catch::Contains("mesh_hw takes all ranks together or `groups: rows` or `groups: "
                             "columns`, not in groups"));
  settings bits = {{"workload.collective", "reduce"}, {"workload.op", "xor"}};
  const std::string of_doubles = errors(bits);  // the netlist's type
  CHECK_THAT(of_doubles, Catch::Contains("xor is of the bits of integers, and mesh_hw does not "
                                         "know xor of int32"));
  CHECK_THAT(of_doubles, !Catch::Contains("may stand for the bits"));
  bits.emplace_back("workload.dtype", "int32");
  CHECK_THAT(errors(bits), Catch::Contains("its types are fp64, fp32, fp16, fp8, its operators "
                                           "sum, min, max\n"));
}

TEST_CASE("submeshes that masks cannot name are refused before anything runs") {
  CHECK_THAT(errors_of({{"params.width", "3"}, {"workload.algorithm", "mesh_hw"}}, 2),
             Catch::Contains("mesh_hw needs masks, which name tiles by bits of their addresses, so "
                             "both sides of the mesh have to be powers of two: this one is 3 x 4; "
                             "choose mesh_naive, mesh_seq or mesh_tree"));
  const scratch_folder folder;
  command gemm = run_command(project_file("yaml/mesh_gemm.yaml"), "out", {{"params.height", "3"}});
  gemm.folder = folder.path();
  CHECK_THAT(run(gemm).errors, Catch::Contains("both sides of the mesh have to be powers of two"));
  CHECK_THAT(errors_of({{"tile[*].ni.origin_x", "2"}}, 2),
             Catch::Contains("a submesh of 4 x 4 at (2, 0): its origin is a multiple of its size"));
  CHECK_THAT(errors_of({{"tile[*].ni.tile_size", "192 KiB"}}, 2),
             Catch::Contains("tile_size 196608 is not a power of two"));
}

// 16 tiles with 8 words each, an AW and a W; 4 bursts of 64 beats and an AW.
TEST_CASE("a gathering buffer that could deadlock is refused") {
  CHECK_THAT(errors_of({{"tile[5].routers.req.reductions", "255"}}, 2),
             Catch::Contains("tile[5].routers.req: with `reductions: 255` reductions that cross "
                             "could deadlock: the interfaces of its mesh can have 256 flits"));
  CHECK_THAT(errors_of({{"tile[*].routers.wide.crossing", "true"}}, 2),
             Catch::Contains("tile[0].routers.wide: with `reductions: 16`") &&
                 Catch::Contains("4160 flits"));
}

TEST_CASE("an engine that does not know its own tile's memory fails the run and says so") {
  CHECK_THAT(errors_of({{"tile[0].dma.local_base", "0x20000000"},
                        {"workload.algorithm", "mesh_tree"},
                        {"workload.bytes", "1 KiB"}},
                       1),
             Catch::Contains("tile[0].dma: the network refuses 1024 B at 0x1000") &&
                 Catch::Contains(": the address is this tile's own; behind `memory` are "
                                 "131072 B from 0x20000000 (`local_base`)"));
}

TEST_CASE("what tiles cannot move is refused before they try") {
  const auto refusal = [](const settings& values) { return errors_of(values, 2); };
  CHECK_THAT(refusal({{"workload.dtype", "fp16"}, {"workload.bytes", "1002 B"}}),
             Catch::Contains("tiles move multiples of 8 B, the tensor has 1002 B"));
  CHECK_THAT(refusal({{"workload.collective", "alltoall"},
                      {"workload.algorithm", "mesh_naive"},
                      {"workload.dtype", "fp16"},
                      {"workload.bytes", "32 B"}}),
             Catch::Contains("tiles move multiples of 8 B, a chunk has 2 B"));
}

TEST_CASE("a mesh that does not fit together is refused before it runs") {
  const auto refusal = [](const char* key, const char* value) {
    return errors_of({{key, value}}, 2);
  };
  CHECK_THAT(refusal("tile[*].dma.burst", "16 KiB"),
             Catch::Contains("tile[0].dma: a burst of 16384 B is longer than tile[0].ni takes: "
                             "`longest` is 4096 B"));
  CHECK_THAT(refusal("tile[*].dma.burst", "100 B"),
             Catch::Contains("tile[0].dma: a burst of 100 B is no whole number of beats of 64 B"));
  CHECK_THAT(refusal("tile[*].dma.burst", "192 B"),
             Catch::Contains("tile[0].dma: a burst of 192 B is no power of two: the tiles of a "
                             "reduction would cut their data at different places"));
  CHECK_THAT(refusal("tile[3].ni.tile_size", "512 KiB"),
             Catch::Contains("mem[0].ni.wide and tile[3].ni.wide are on one network and do not "
                             "share a map"));
  CHECK_THAT(refusal("tile[3].ni.x", "9"), Catch::Contains("tile[3].ni.wide at (9, 0) is joined to "
                                                           "tile[3].routers.wide.local at"));
  CHECK_THAT(refusal("tile[*].ni.alias", "0"),
             Catch::Contains("tile[0].ni: alias 0x0 makes a collective of every access"));
  CHECK_THAT(refusal("tile[1].routers.wide.x", "200"),
             Catch::Contains("which does not lie that way"));
}

TEST_CASE("ranks on a mesh are all of its tiles, row by row") {
  const auto errors = [](const std::string& ranks, const std::string& algorithm) {
    return errors_of({{"workload.collective", "broadcast"},
                      {"workload.algorithm", algorithm},
                      {"workload.bytes", "4 KiB"},
                      {"workload.ranks", ranks}},
                     2);
  };
  for (const std::string algorithm : {"mesh_hw", "mesh_naive"}) {
    CHECK_THAT(errors("tile[15..0]", algorithm),
               Catch::Contains("--set workload.ranks") &&
                   Catch::Contains("rank 0 cannot be the core tile[15].cp.core"));
    CHECK_THAT(errors("tile[1,0,2..15]", algorithm),
               Catch::Contains("rank 0 cannot be the core tile[1].cp.core"));
    CHECK_THAT(errors("tile[0..3]", algorithm),
               Catch::Contains("the ranks on a mesh are all of its tiles: 4 x 4, not 4"));
  }
}

TEST_CASE("rows of one tile are no groups of a mesh") {
  CHECK_THAT(errors_of({{"params.width", "1"},
                        {"workload.collective", "broadcast"},
                        {"workload.algorithm", "mesh_naive"},
                        {"workload.bytes", "1 KiB"},
                        {"workload.groups", "rows"}},
                       2),
             Catch::Contains("--set workload.groups") && Catch::Contains("one tile each"));
}
