// The same firmware on the RV32 core.
#include <catch2/catch.hpp>

#include <utility>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

TEST_CASE("collectives run on cores of 32 bits where addresses fit") {
  const heddle_run seen(project_file("tests/system/firmware_tools/narrow.yaml"), {});
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  CHECK(seen.stats()["collectives"].size() == 12);
  for (const char* collective :
       {"reduce_scatter", "allgather", "broadcast", "barrier", "p2p_latency", "p2p_bandwidth"}) {
    const heddle_run other(project_file("tests/system/firmware_tools/narrow.yaml"),
                           {{"workload.collective", collective}, {"workload.algorithm", "ring"}});
    INFO(other.report());
    CHECK(other.is_verified());
  }
}

TEST_CASE("firmware of 32 bits says that an address is beyond its reach") {
  const scratch_folder folder;
  const command_result result =
      run(run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                      {{"params.core", "rv32_core"}, {"workload.bytes", "1 KiB"}}));
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK(result.errors.find("firmware 'collectives' ended with code 1") != std::string::npos);
}

TEST_CASE("an atomic addition at an odd address ends firmware on every core") {
  for (const auto& [core, what] : {std::pair<const char*, const char*>{
                                       "core", "misaligned atomic add of 8 bytes at 0x1010004"},
                                   {"rv64_core", "misaligned store at 0x1010004"},
                                   {"rv32_core", "misaligned store at 0x1010004"}}) {
    const scratch_folder folder;
    command line = run_command(project_file("sw/template/system.yaml"), folder.file("out"),
                               {{"params.core", core}, {"core.firmware", "misaligned_add"}});
    line.words[0] = HEDDLE_WITH_MISTAKES;
    const command_result result = run(line);
    INFO(core << "\n" << result.errors);
    CHECK(result.exited_with(1));
    CHECK(result.errors.find(std::string("failed: core: ") + what) != std::string::npos);
  }
}
