// run --test-registers: hardware that is as described passes, every wrong register is named.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <tuple>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

const std::string description = "tests/system/firmware_tools/crooked.regs.yaml";

// "FILE:12": the line that describes the register.
std::string place_of(const std::string& name) {
  std::ifstream in(project_file(description));
  std::string text;
  for (int line = 1; std::getline(in, text); ++line)
    if (text.find("name: " + name) != std::string::npos)
      return description + ":" + std::to_string(line);
  return {};
}

command_result test_crooked(const std::string& core, const std::string& mistake) {
  const scratch_folder folder;
  command line =
      run_command(project_file("tests/system/firmware_tools/crooked.yaml"), folder.file("out"),
                  {{"params.core", core}, {"params.mistake", mistake}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.words.emplace_back("--test-registers");
  return run(line);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

struct planted {
  const char* mistake;
  const char* name;   // of the register
  const char* where;  // its name in the unit and its address
  const char* says;
};

const planted all[] = {
    {"reset", "level", "unit level (0x110004", "RW: after reset it reads 0x5, expected 0x3"},
    {"field reset", "control", "unit control (0x11001c",
     "RW: after reset it reads 0x12, expected 0x11: mode is TURBO, expected FAST"},
    {"read-only is written", "version", "unit version (0x110000",
     "RO: bits that are read-only, after ones were written it reads 0xffffffff, expected 0x100"},
    {"write-only is read", "command", "unit command (0x110018",
     "WO: read although it is write-only it reads 0x7, expected 0x0"},
    {"ones keep", "events", "unit events (0x110008",
     "W1C: W1C bits after ones were written it reads 0x1, expected 0x0"},
    {"zeros clear", "events", "unit events (0x110008",
     "W1C: W1C bits after zeros were written it reads 0x0, expected 0x1"},
    {"ones set nothing", "requests", "unit requests (0x11000c",
     "W1S: W1S bits after ones were written it reads 0x0, expected 0xffffffff"},
    {"read keeps", "samples", "unit samples (0x110010",
     "RC: RC bits after a read it reads 0x1, expected 0x0"},
    {"reserved bit", "control", "unit control (0x11001c",
     "RW: bits that are not there it reads 0x8000, expected 0x0"},
    {"busy by write", "control", "unit control (0x11001c",
     "RW: bits that are read-only, after ones were written it reads 0x100, expected 0x0: busy is "
     "YES, expected NO"},
    {"failed stays", "control", "unit control (0x11001c",
     "RW: W1C bits after ones were written it reads 0x200, expected 0x0: failed is YES, expected "
     "NO"},
    {"stuck bit", "limit", "unit lane[2].limit (0x110060",
     "RW: after it was written it reads 0x5555555555555440, expected 0x5555555555555540"}};

void check_all(const std::string& core) {
  const command_result sound = test_crooked(core, "none");
  INFO(sound.errors);
  CHECK(sound.exited_with(0));
  for (const planted& each : all) {
    const command_result seen = test_crooked(core, each.mistake);
    INFO(each.mistake << "\n" << seen.errors);
    CHECK(seen.exited_with(1));
    const std::string front =
        "failed: " + std::string(each.where) + ", " + place_of(each.name) + ") is ";
    CHECK(seen.errors.find(front + each.says) != std::string::npos);
    CHECK(count(seen.errors, "failed: " + std::string(each.where)) ==
          count(seen.errors, "failed: "));
    CHECK(seen.errors.find("warning") == std::string::npos);
  }
}

command_result test_netlist(const std::string& netlist, const std::string& core,
                            const settings& values = {}) {
  const scratch_folder folder;
  command line = run_command(project_file(netlist), folder.file("out"), values);
  line.words.erase(std::find(line.words.begin(), line.words.end(), "--quiet"));
  line.words.emplace_back("--test-registers");
  if (!core.empty()) line.words.insert(line.words.end(), {"--core", core});
  return run(line);
}

}  // namespace

TEST_CASE("a run that tests registers says so in one line, and has a report") {
  const scratch_folder folder;
  command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"), {});
  line.words.erase(std::find(line.words.begin(), line.words.end(), "--quiet"));
  line.words.emplace_back("--test-registers");
  const command_result seen = run(line);
  CHECK(seen.output.rfind("registers: 124 registers as gpu[0].cp sees them", 0) == 0);
  CHECK(folder.content("out/summary.txt").rfind("registers: 124 registers", 0) == 0);
  command report;
  report.words = {heddle_program(), "report", folder.file("out")};
  const command_result drawn = run(report);
  INFO(drawn.errors);
  CHECK(drawn.exited_with(0));
}

TEST_CASE("every register that is not as described is named") {
  check_all("core");
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("every register that is not as described is named on the RISC-V cores") {
  check_all("rv64_core");
  check_all("rv32_core");
}

TEST_CASE("the registers of a RISC-V system are as described") {
  for (const char* core : {"rv64_core", "rv32_core"}) {
    const command_result seen = test_netlist("yaml/rv64_bare.yaml", "", {{"params.core", core}});
    INFO(seen.errors);
    CHECK(seen.exited_with(0));
    // The claims of 16 targets, what is written to the console, and the clock.
    CHECK(seen.output.find("checks, all right; 18 not written") != std::string::npos);
  }
  // Code and stack go where the core has memory, the list of registers to where it reaches.
  for (const char* core : {"rv64_core", "rv32_core"}) {
    for (const auto& [netlist, path] :
         {std::pair<const char*, const char*>{"sw/template/system", ""},
          {"yaml/ring_allreduce", "gpu[3].cp"}}) {
      const command_result seen =
          test_netlist(std::string(netlist) + ".yaml", path, {{"params.core", core}});
      INFO(netlist << " " << core << "\n" << seen.errors << seen.output);
      CHECK(seen.exited_with(0));
      CHECK(seen.output.find(" checks, all right") != std::string::npos);
      CHECK(seen.output.find(" 0 checks") == std::string::npos);
    }
    const settings moved = {
        {"params.core", core}, {"core.local", "0xa0000000"}, {"map.bus[2].at", "0xa0000000"}};
    const command_result seen = test_netlist("sw/template/system.yaml", "", moved);
    INFO(core << " moved\n" << seen.errors);
    CHECK(seen.exited_with(0));
    const command_result nowhere = test_netlist("sw/template/system.yaml", "",
                                                {{"params.core", core}, {"core.local", "0x20000"}});
    INFO(nowhere.errors);
    CHECK(nowhere.exited_with(2));
    CHECK(nowhere.errors.find("core sees no 16 KiB of memory at 0x20000 (its parameter local)") !=
          std::string::npos);
  }
  const command_result host =
      test_netlist("yaml/scin_dgx8.yaml", "host.cp", {{"params.core", "rv64_core"}});
  INFO(host.errors);
  CHECK(host.exited_with(0));
}
#endif

TEST_CASE("the registers of the netlists are as described") {
  for (const auto& [netlist, core] : {std::pair<const char*, const char*>{"ring_allreduce", ""},
                                      {"scin_dgx8", "host.cp"},
                                      {"mesh_tiles", "tile[3].cp.core"},
                                      {"host_copy", "gpu.cp"},
                                      {"gather", "control.cp"}}) {
    const command_result seen = test_netlist(std::string("yaml/") + netlist + ".yaml", core);
    INFO(netlist << "\n" << seen.errors);
    CHECK(seen.exited_with(0));
  }
}

TEST_CASE("registers behind a bridge and behind a network are tested") {
  for (const auto& [netlist, core, registers] :
       {std::tuple<const char*, const char*, const char*>{"gather", "node[3].cp", "592"},
        {"scin_dgx8", "gpu[5].cp", "3036"}}) {
    const command_result seen = test_netlist(std::string("yaml/") + netlist + ".yaml", core);
    INFO(netlist << "\n" << seen.errors << seen.output);
    CHECK(seen.exited_with(0));
    CHECK(seen.output.find(std::string("registers: ") + registers + " registers as ") !=
          std::string::npos);
    CHECK(seen.output.find(" checks, all right") != std::string::npos);
  }
}

TEST_CASE("a register test that cannot be made says why") {
  const command_result nobody = test_netlist("yaml/star8.yaml", "");
  CHECK(nobody.exited_with(2));
  CHECK(nobody.errors.find("the netlist has no core that runs firmware") != std::string::npos);
  const command_result typo = test_netlist("yaml/ring_allreduce.yaml", "gpu[0].cpu");
  CHECK(typo.exited_with(2));
  CHECK(typo.errors.find("no core 'gpu[0].cpu' (did you mean 'gpu[0].cp'?)") != std::string::npos);
  const command_result blind = test_netlist("tests/package/outside_unit/meeting.yaml", "");
  CHECK(blind.exited_with(2));
}
