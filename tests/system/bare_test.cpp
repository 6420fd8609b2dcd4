// Programs for the bare core in the manner of the public RISC-V tests, which run the same way:
// heddle run yaml/rv64_bare.yaml --set core.elf=rv64mi-p-csr
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

command_result run_bare(const std::string& program, const settings& more = {}) {
  const bool is_narrow = program.size() > 2 && program.substr(program.size() - 2) == "32";
  const scratch_folder folder;
  settings values = {{"params.core", is_narrow ? "rv32_core" : "rv64_core"},
                     {"core.elf", HEDDLE_BARE_DIR "/" + program + ".elf"}};
  values.insert(values.end(), more.begin(), more.end());
  return run(run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"), values));
}

void check_across_fabric(const std::string& program) {
  const std::string fabric = GENERATE("fabric", "mesh");
  const scratch_folder folder;
  const command_result seen =
      run(run_command(project_file("tests/system/bare/" + fabric + ".yaml"), folder.file("out"),
                      {{"params.program", HEDDLE_BARE_DIR "/" + program}}));
  INFO(fabric << "\n" << seen.errors);
  CHECK(seen.exited_with(0));
}

}  // namespace

TEST_CASE("a program in the manner of the public tests passes on both widths") {
  const std::string name = GENERATE("floats", "memory", "misaligned", "registers", "traps");
  const std::string width = GENERATE("", "32");
  const command_result seen = run_bare(name + width);
  INFO(name << width << "\n" << seen.errors);
  CHECK(seen.exited_with(0));
}

TEST_CASE("a run says that its core has no program") {
  const scratch_folder folder;
  const command_result seen =
      run(run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"), {}));
  CHECK(seen.exited_with(0));
  CHECK(folder.content("out/summary.txt")
            .find("core slept: `elf` or `firmware` names its program\n") != std::string::npos);
}

TEST_CASE("the time of a core is mtime of its clint, whatever its tick") {
  const std::string program = GENERATE("time", "time32");
  const std::string tick = GENERATE("1 ns", "10 ns");
  const std::string quantum = GENERATE("0 ns", "1 us");
  const command_result seen =
      run_bare(program, {{"params.tick", tick}, {"params.quantum", quantum}});
  INFO(program << " " << tick << " " << quantum << "\n" << seen.errors);
  CHECK(seen.exited_with(0));
}

TEST_CASE("a tick of a core that is not that of its clint is refused") {
  const command_result seen = run_bare("time", {{"core.tick", "10 ns"}});
  CHECK(seen.exited_with(2));
  CHECK_THAT(seen.errors, Catch::Contains("core: its `time` CSR is the mtime of a "
                                          "clint, whose tick is 1 ns: leave `tick` of the core "
                                          "out"));
  CHECK(run_bare("time", {{"core.tick", "1 ns"}}).exited_with(0));
}

TEST_CASE("interrupts find their handlers, however far the core runs ahead") {
  const std::string program = GENERATE("interrupts", "interrupts32");
  const std::string quantum = GENERATE("0 ns", "1 us", "50 us");
  const command_result seen = run_bare(program, {{"params.quantum", quantum}});
  INFO(program << " " << quantum << "\n" << seen.errors);
  CHECK(seen.exited_with(0));
}

TEST_CASE("two cores lose no change to words that one of them has across a fabric") {
  check_across_fabric("contend");
}

TEST_CASE("code that a core has stored across a fabric runs after fence.i") {
  check_across_fabric("far_code");
}

TEST_CASE("misaligned accesses are served where the netlist says so") {
  const std::string name = GENERATE("served", "served32");
  const command_result served = run_bare(name, {{"params.misaligned", "serve"}});
  INFO(served.errors);
  CHECK(served.exited_with(0));
  CHECK(run_bare(name).exited_with(1));
  const command_result strict = run_bare("misaligned", {{"params.misaligned", "serve"}});
  CHECK(strict.exited_with(1));
  CHECK(strict.errors.find("ended with code 2 at ") != std::string::npos);  // its first test
}

TEST_CASE("a program writes text by way of tohost") {
  const command_result seen = run_bare("console");
  INFO(seen.errors);
  CHECK(seen.exited_with(0));
  CHECK(seen.output.find("hello\nhello\n") == 0);
}

TEST_CASE("a program of 32 bits writes text by way of the halves of tohost") {
  const std::string quantum = GENERATE("0 ns", "1 us");
  const std::string local = GENERATE("2 GiB", "0 B");
  const command_result seen =
      run_bare("console32", {{"params.quantum", quantum}, {"core.local_size", local}});
  INFO(seen.errors);
  CHECK(seen.exited_with(0));
  CHECK(seen.output.find("hello\nhello\nhello\nhello\n") == 0);
}

TEST_CASE("a jump to itself is told as an endless loop, and WFI as a wait") {
  const auto waits = [](const std::string& program) {
    const command_result seen = run_bare(program);
    CHECK(seen.exited_with(1));
    const std::size_t at = seen.errors.find("core waits for ");
    REQUIRE(at != std::string::npos);
    return seen.errors.substr(at, seen.errors.find('\n', at) - at);
  };
  using Catch::Matches;
  CHECK_THAT(waits("idle_loop"),
             Matches("core waits for nothing: it is in an endless loop, a jump to itself, since "
                     ".*, pc 0x8000.* in park"));
  CHECK_THAT(waits("idle_interruptible"),
             Matches("core waits for an interrupt in an endless loop, a jump to itself, since "
                     ".*, pc 0x8000.* in park"));
  CHECK_THAT(waits("idle_wfi"), Matches("core waits for an interrupt, since .*, pc 0x8000.*"));
}

TEST_CASE("the last line of a console is shown without its end, however the run ends") {
  const std::string end = GENERATE("passed", "failed", "asleep", "endless");
  const scratch_folder folder;
  command line = run_command(project_file("yaml/rv64_bare.yaml"), folder.file("out"),
                             {{"core.elf", HEDDLE_BARE_DIR "/prompt_" + end + ".elf"}});
  if (end == "endless") line.words.insert(line.words.end(), {"--until", "10 us"});
  const command_result seen = run(line);
  INFO(end << "\n" << seen.errors);
  CHECK(seen.exited_with(end == "passed" ? 0 : 1));
  CHECK(seen.output.find("ready\n> \n") == 0);
  CHECK(seen.output.find("\nresults: ") != std::string::npos);
}
