// The golden waves: two ranks on one plane, a multicast and a reduction on a mesh of four tiles;
// all without the names of functions, which depend on what the compiler makes one. Whoever changes
// a time on purpose makes the files anew:
//
//   build/heddle run yaml/ring_allreduce.yaml --set params.gpus=2 --set params.planes=1
//     --set 'workload.bytes=4 KiB' --wave waveforms/golden/two_ranks.vcd
//     --wave-signals '*' --wave-signals '!*.function'
//   build/heddle run yaml/mesh_tiles.yaml --set params.width=2 --set params.height=2
//     --set 'workload.bytes=1 KiB' --set workload.algorithm=mesh_hw
//     --set workload.collective=broadcast --wave waveforms/golden/mesh_multicast.vcd
//     --wave-signals '*' --wave-signals '!*.function'
//   the same with workload.collective=reduce and mesh_reduction.vcd
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"
#include "tests/support/vcd_reader.hpp"

using namespace heddle;

namespace {

void check_golden(const std::string& name, const std::string& netlist, const settings& values) {
  const scratch_folder folder;
  const heddle_run run(
      project_file("yaml/" + netlist), values,
      {"--wave", folder.file("w.vcd"), "--wave-signals", "*", "--wave-signals", "!*.function"});
  INFO(run.report());
  REQUIRE(run.is_verified());
  const vcd_wave golden = read_vcd(project_file("waveforms/golden/" + name + ".vcd"));
  CHECK(first_difference(golden, read_vcd(folder.file("w.vcd"))).empty());
}

void check_mesh(const std::string& name, const std::string& collective) {
  check_golden(name, "mesh_tiles.yaml",
               {{"params.width", "2"},
                {"params.height", "2"},
                {"workload.bytes", "1 KiB"},
                {"workload.algorithm", "mesh_hw"},
                {"workload.collective", collective}});
}

}  // namespace

TEST_CASE("two ranks make the golden wave") {
  check_golden("two_ranks", "ring_allreduce.yaml",
               {{"params.gpus", "2"}, {"params.planes", "1"}, {"workload.bytes", "4 KiB"}});
}

TEST_CASE("a multicast of routers makes the golden wave") {
  check_mesh("mesh_multicast", "broadcast");
}

TEST_CASE("a reduction of routers makes the golden wave") {
  check_mesh("mesh_reduction", "reduce");
}
