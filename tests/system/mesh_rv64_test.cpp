// The firmware of a mesh on the RV64 core: the same files and the same data, instruction by
// instruction.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

TEST_CASE("the firmware of a mesh runs on RV64 cores") {
  const std::string collective = GENERATE("broadcast", "reduce", "barrier");
  const std::string algorithm = GENERATE("mesh_hw", "mesh_seq", "mesh_tree");
  const heddle_run done(project_file("yaml/mesh_tiles.yaml"),
                        {{"params.core", "mesh_rv64_core.yaml"},
                         {"workload.collective", collective},
                         {"workload.algorithm", algorithm},
                         {"workload.bytes", "[72 B, 4 KiB]"},
                         {"workload.slot_bytes", "1 KiB"}});
  INFO(done.report());
  CHECK(done.is_verified());
}

TEST_CASE("the GEMMs of a mesh run on RV64 cores") {
  const std::string kernel = GENERATE("summa", "fused_concat_linear");
  const heddle_run done(project_file("yaml/mesh_gemm.yaml"),
                        {{"params.core", "mesh_rv64_core.yaml"},
                         {"params.height", "2"},
                         {"workload.collective", kernel},
                         {"workload.tile", "8"},
                         {"workload.iterations", "4"}});
  INFO(done.report());
  CHECK(done.is_verified());
}
