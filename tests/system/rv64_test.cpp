// The same firmware on the RV64 core as natively, and bare programs.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"
#include "tests/unit/models/rv/assembler.hpp"
#include "tests/unit/models/rv/elf_writer.hpp"

using namespace heddle;
using namespace heddle::rv::assembler;

namespace {

struct collective {
  const char* name;
  const char* algorithm;
};

// Seconds of each size.
std::vector<double> times(const std::string& core, const collective& which) {
  const heddle_run seen(project_file("yaml/ring_allreduce.yaml"),
                        {{"params.core", core},
                         {"params.gpus", "4"},
                         {"workload.collective", which.name},
                         {"workload.algorithm", which.algorithm},
                         {"workload.bytes", "[1 KiB, 1 MiB]"}});
  INFO(seen.report());
  REQUIRE(seen.is_verified());
  std::vector<double> found;
  const nlohmann::json collectives = seen.stats()["collectives"];
  for (const auto& each : collectives) found.push_back(each["time_s"]);
  REQUIRE(found.size() == (which.name == std::string("barrier") ? 1U : 2U));
  return found;
}

command_result run_bare(const elf_writer& program, const std::string& core = "rv64_core") {
  const scratch_folder folder;
  program.write(folder.file("x.elf"));
  return run(run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"),
                         {{"params.core", core}, {"core.elf", folder.file("x.elf")}}));
}

// Stores a number to tohost.
elf_writer telling(int number) {
  elf_writer made;
  made.words = {u_type(0x17, t0, 0x1000), addi(t1, zero, number), sw(t1, t0, 0), jal(zero, -8)};
  made.functions = {{"_start", made.address}, {"tohost", made.address + 0x1000}};
  return made;
}

}  // namespace

TEST_CASE("every collective runs from the same sources on the RV64 core, verified") {
  const collective all[] = {
      {"allreduce", "ring"},      {"allreduce", "direct"}, {"allreduce", "halving_doubling"},
      {"reduce_scatter", "ring"}, {"allgather", "ring"},   {"broadcast", "ring"},
      {"barrier", "ring"},        {"p2p_latency", "ring"}, {"p2p_bandwidth", "ring"}};
  for (const collective& each : all) {
    const std::vector<double> native = times("core", each), rv64 = times("rv64_core", each);
    INFO(each.name << ", " << each.algorithm);
    // Natively, what the firmware computes between its accesses takes no time.
    for (std::size_t i = 0; i < native.size(); ++i) CHECK(rv64[i] > native[i]);
    for (std::size_t i = 0; i < native.size(); ++i) CHECK(rv64[i] < 2.5 * native[i]);
  }
}

TEST_CASE("a wrong access on the RV64 core names the register and the line of the driver") {
  const scratch_folder folder;
  command line =
      run_command(project_file("tests/system/firmware/two_accelerators.yaml"), folder.file("out"),
                  {{"params.firmware", "write_read_only"}, {"params.core", "rv64_core"}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK(result.errors.find("write of 4 bytes at 0x101d0 (gpu[0].dma channel[3].completed) at ") !=
        std::string::npos);
  CHECK(result.errors.find(": the register is read-only\n") != std::string::npos);
  CHECK(result.errors.find(" in hal_write32 (sw/hal/rv/hal.c:") != std::string::npos);
  CHECK(result.errors.find(" in main (tests/system/firmware/write_read_only.c:6)") !=
        std::string::npos);
}

TEST_CASE("a poll in vain on the RV64 core says what it waits for and where") {
  const scratch_folder folder;
  command line =
      run_command(project_file("tests/system/firmware/two_accelerators.yaml"), folder.file("out"),
                  {{"params.firmware", "poll_forever"}, {"params.core", "rv64_core"}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK(result.errors.find(
            "hang: polls 0x101d0 (gpu[0].dma channel[3].completed) to reach 0x1, since ") !=
        std::string::npos);
  CHECK(result.errors.find(" in main (tests/system/firmware/poll_forever.c:") != std::string::npos);
}

TEST_CASE("a descriptor in the program's own memory needs its fence too") {
  const scratch_folder folder;
  command line =
      run_command(project_file("tests/system/firmware/two_accelerators.yaml"), folder.file("out"),
                  {{"params.firmware", "local_ring"}, {"params.core", "rv64_core"}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  const command_result result = run(line);
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK(result.errors.find("gpu[0].dma: write of 0x1 to channel[3].doorbell") != std::string::npos);
  // The stores of one descriptor, and not the counter beside the ring.
  CHECK(result.errors.find(
            "4 stores to memory are not fenced yet, the first at tests/system/firmware/"
            "local_ring.c:14 in main: call hal_fence() before the write of channel[3].doorbell") !=
        std::string::npos);
  CHECK(result.errors.find("gpu[1].dma") == std::string::npos);
}

TEST_CASE("a bare program ends the run as it says by way of tohost") {
  CHECK(run_bare(telling(1)).exited_with(0));
  const command_result failed = run_bare(telling(2 * 5 + 1));
  CHECK(failed.exited_with(1));
  CHECK(failed.errors.find("ended with code 5") != std::string::npos);
  elf_writer narrow = telling(1);
  narrow.xlen = 32;
  CHECK(run_bare(narrow, "rv32_core").exited_with(0));
}

TEST_CASE("a program that cannot be run is the user's mistake") {
  elf_writer elsewhere = telling(1);
  elsewhere.address = 0x1000;
  const command_result nowhere = run_bare(elsewhere);
  INFO(nowhere.errors);
  CHECK(nowhere.exited_with(2));
  CHECK(nowhere.errors.find("its entry point 0x80000000 lies in no executable segment") !=
        std::string::npos);
  const command_result wide = run_bare(telling(1), "rv32_core");
  CHECK(wide.exited_with(2));
  CHECK(wide.errors.find("x.elf has 64 bits, core has 32") != std::string::npos);
  const command_result text =
      run(run_command(project_file("yaml/rv64_bare.yaml"), scratch_folder().file("out"),
                      {{"core.elf", project_file("README.md")}}));
  CHECK(text.exited_with(2));
  CHECK(text.errors.find("README.md: not an ELF file") != std::string::npos);
}
