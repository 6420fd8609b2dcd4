// show --linker-script: firmware is linked to the memory that its core has in the netlist.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result show_script(const std::string& netlist, const std::string& file,
                           const settings& values = {}) {
  command line;
  line.words = {heddle_program(), "show", project_file(netlist), "--linker-script", file};
  for (const auto& [path, value] : values)
    line.words.insert(line.words.end(), {"--set", path + "=" + value});
  return run(line);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a linker script has the memories and devices of a core") {
  const scratch_folder folder;
  REQUIRE(show_script("yaml/ring_allreduce.yaml", folder.file("x.ld")).exited_with(0));
  const std::string script = folder.content("x.ld");
  INFO(script);
  CHECK(contains(script,
                 "local (rwx) : ORIGIN = 0x80000000, LENGTH = 0x100000 /* "
                 "gpu[0].firmware_memory.in, 1 MiB */"));
  CHECK(contains(script, "PROVIDE(dma_registers = 0x10000);"));
  CHECK(contains(script, "PROVIDE(memory_in = 0x1000000000);"));
  CHECK(contains(script, "INCLUDE sections.ld"));
}

TEST_CASE("a core without memory for code has no linker script") {
  const scratch_folder folder;
  const command_result shown =
      show_script("tests/package/outside_unit/meeting.yaml", folder.file("x.ld"));
  CHECK(shown.exited_with(2));
  const command_result moved =
      show_script("yaml/rv64_bare.yaml", folder.file("x.ld"), {{"core.local", "0x90000000"}});
  INFO(moved.errors);
  CHECK(moved.exited_with(2));
  CHECK(contains(moved.errors, "core sees no memory at 0x90000000 for code, data and stack"));
}

TEST_CASE("a linker script stays within the memory that the core calls its own") {
  const scratch_folder folder;
  REQUIRE(show_script("yaml/rv64_bare.yaml", folder.file("x.ld"),
                      {{"core.local", "0x80010000"}, {"core.local_size", "64 KiB"}})
              .exited_with(0));
  CHECK(contains(folder.content("x.ld"), "ORIGIN = 0x80010000, LENGTH = 0x10000 /*"));
  REQUIRE(show_script("yaml/rv64_bare.yaml", folder.file("x.ld"), {{"core.local", "0x83ff0000"}})
              .exited_with(0));
  CHECK(contains(folder.content("x.ld"), "ORIGIN = 0x83ff0000, LENGTH = 0x10000 /*"));
  const command_result device =
      show_script("yaml/rv64_bare.yaml", folder.file("x.ld"), {{"core.local", "0x2000000"}});
  INFO(device.errors);
  CHECK(device.exited_with(2));
  CHECK(contains(device.errors,
                 "core has clint.registers at 0x2000000, where code, data and stack "
                 "should be"));
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("firmware runs where the linker script of its netlist has put it") {
  for (const char* core : {"rv64_core", "rv32_core"}) {
    const scratch_folder folder;
    command line = run_command(project_file("tests/system/firmware_tools/elsewhere.yaml"),
                               folder.file("out"), {{"params.core", core}});
    line.words.erase(std::find(line.words.begin(), line.words.end(), "--quiet"));
    const command_result result = run(line);
    INFO(core << "\n" << result.errors);
    CHECK(result.exited_with(0));
    CHECK(contains(result.errors, "core: data at 0x1000000"));
  }
}
#endif
