// Firmware that crashes natively: one line names what it did and where, the run ends with exit 1
// and leaves its files.
#include <catch2/catch.hpp>
#include <csignal>
#include <tuple>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

// "": the run does not fail as it has to.
std::string failure_of(const std::string& firmware, settings values = {}) {
  const scratch_folder folder;
  values.emplace_back("params.firmware", firmware);
  command line =
      run_command(project_file("tests/system/firmware/two_accelerators.yaml"), "out", values);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.words.insert(line.words.end(), {"--wave", "out/crash.vcd"});
  line.folder = folder.path();
  const command_result result = run(line);
  INFO(firmware << "\n" << result.errors);
  CHECK(result.exited_with(1));
  REQUIRE(folder.has("out/summary.txt"));
  CHECK(nlohmann::json::parse(folder.content("out/stats.json"))["exit"] == 1);
  CHECK(folder.content("out/crash.vcd").find("sFAULT") != std::string::npos);
  const std::string summary = folder.content("out/summary.txt");
  const auto begin = summary.find("failed: ");
  return begin == std::string::npos ? "" : summary.substr(begin, summary.find('\n', begin) - begin);
}

// Two accelerators whose cores run that firmware, with results in out/.
command run_of(const std::string& firmware, const scratch_folder& folder) {
  command line = run_command(project_file("tests/system/firmware/two_accelerators.yaml"),
                             folder.file("out"), {{"params.firmware", firmware}});
  line.words[0] = HEDDLE_WITH_MISTAKES;
  return line;
}

// A run of firmware that computes without end. What the shell does to the process `$run` comes
// after a second.
command_result endless_run(const scratch_folder& folder, const std::string& what) {
  std::string words;
  for (const std::string& each : run_of("crash_loop", folder).words) words += " '" + each + "'";
  command shell;
  shell.words = {"bash", "-c", words + " & run=$!; sleep 1; " + what};
  return run(shell);
}

std::string at(const std::string& firmware, int line, const std::string& function = "main") {
  return ", tests/system/firmware/" + firmware + ".c:" + std::to_string(line) + " in " + function;
}

}  // namespace

TEST_CASE("native firmware that uses a pointer to nothing") {
  CHECK(failure_of("crash_null") ==
        "failed: gpu[0].cp: null pointer write at 0x0" + at("crash_null", 6));
  CHECK(failure_of("crash_wild") ==
        "failed: gpu[0].cp: wild pointer read at 0x123456780" + at("crash_wild", 5, "read_at"));
  CHECK(failure_of("crash_jump") ==
        "failed: gpu[0].cp: jump through a null pointer to 0x0" + at("crash_jump", 6));
  CHECK(failure_of("crash_jump_wild") ==
        "failed: gpu[0].cp: jump through a wild pointer to 0x123456780" + at("crash_jump_wild", 7));
  CHECK(failure_of("crash_no_address") ==
        "failed: gpu[0].cp: access through a wild pointer" + at("crash_no_address", 8));
}

TEST_CASE("native firmware that the C library stops for it") {
  CHECK(failure_of("crash_in_library") ==
        "failed: gpu[0].cp: null pointer read at 0x0" + at("crash_in_library", 13));
  CHECK(failure_of("crash_abort") ==
        "failed: gpu[0].cp: abort(), perhaps by a failed assertion" + at("crash_abort", 12));
}

TEST_CASE("native firmware that the processor stops") {
  CHECK(failure_of("crash_division") ==
        "failed: gpu[0].cp: division by zero, or of the smallest integer by -1" +
            at("crash_division", 6));
  CHECK(failure_of("crash_trap") ==
        "failed: gpu[0].cp: illegal instruction: an assertion or __builtin_trap?" +
            at("crash_trap", 5));
}

TEST_CASE("native firmware that runs out of stack") {
  const std::string expected =
      "failed: gpu[0].cp: stack overflow (parameter `stack`), tests/system/firmware/crash_stack.c:";
  CHECK(failure_of("crash_stack").find(expected) == 0);
  CHECK(failure_of("crash_stack", {{"gpu[*].cp.stack", "64 KiB"}}).find(expected) == 0);
}

TEST_CASE("native firmware with a frame that is larger than its stack") {
  const std::string expected =
      "failed: gpu[0].cp: stack overflow (parameter `stack`), tests/system/firmware/crash_frame.c:";
  CHECK(failure_of("crash_frame").find(expected) == 0);
}

TEST_CASE("a crash is that of its core, not of one that has ended") {
  CHECK(failure_of("crash_after_exit") ==
        "failed: gpu[1].cp: null pointer write at 0x0" + at("crash_after_exit", 14));
}

TEST_CASE("native firmware that overwrites the frames of whoever called it") {
  CHECK(failure_of("crash_overrun") ==
        "failed: gpu[0].cp: access through a wild pointer" + at("crash_overrun", 13));
}

TEST_CASE("native firmware that would end the simulator by way of the C library") {
  const std::tuple<const char*, const char*, int> ways[] = {
      {"crash_exit", "exit()", 12},
      {"crash_exit_at_once", "_exit()", 12},
      {"crash_quick_exit", "quick_exit()", 12},
      {"crash_raise", "raise(SIGTERM)", 12}};
  for (const auto& [firmware, call, line] : ways)
    CHECK(failure_of(firmware) == "failed: gpu[0].cp: " + std::string(call) +
                                      " of the C library: firmware returns from main(), or calls "
                                      "hal_exit()" +
                                      at(firmware, line));
}

TEST_CASE("native firmware that a floating-point exception stops") {
  CHECK(failure_of("crash_floats") ==
        "failed: gpu[0].cp: floating-point exception that the firmware has unmasked: division by "
        "zero" +
            at("crash_floats", 9));
}

// The simulator computes times in between, and ends the run afterwards.
TEST_CASE("how native firmware computes floating point is its own matter") {
  const scratch_folder folder;
  const command_result result = run(run_of("floats_that_trap", folder));
  INFO(result.errors);
  CHECK(result.exited_with(0));
}

TEST_CASE("a signal from elsewhere is meant for the simulator, not for native firmware") {
  const scratch_folder folder;
  CHECK(endless_run(folder, "kill -USR1 $run; wait $run; test $? -eq 138").exited_with(0));
}

TEST_CASE("native firmware that calls the HAL without end while no time passes") {
  CHECK(failure_of("crash_idle_calls", {{"gpu[*].cp.compute_limit", "1"}})
            .find("failed: gpu[0].cp: calls the HAL again and again while no time passes: an "
                  "endless loop?") == 0);
}

TEST_CASE("native firmware that computes without end") {
  CHECK(failure_of("crash_loop", {{"gpu[*].cp.compute_limit", "1"}}) ==
        "failed: gpu[0].cp: computes without a call of the HAL: an endless loop?" +
            at("crash_loop", 6));
}

TEST_CASE("Ctrl-C ends native firmware that computes without end") {
  const scratch_folder folder;
  const command_result result = endless_run(folder, "kill -INT $run; wait $run");
  INFO(result.errors);
  CHECK(result.exited_with(1));
  CHECK_THAT(folder.content("out/summary.txt"),
             Catch::Contains("failed: gpu[0].cp: computes without a call of the HAL: an endless "
                             "loop?" +
                             at("crash_loop", 6)));
}

// Cores log what they wait for, and nobody reads it.
TEST_CASE("the end of who reads its output ends the run, and is not the firmware's") {
  const scratch_folder folder;
  const command line = run_command(project_file("yaml/ring_allreduce.yaml"), folder.file("out"),
                                   {{"workload.bytes", "1 KiB"}, {"workload.timeout", "1 ns"}});
  std::string words;
  for (const std::string& each : line.words) words += " '" + each + "'";
  command shell;
  shell.words = {"bash", "-c", words + " 2>&1 | true; exit ${PIPESTATUS[0]}"};
  CHECK(run(shell).exited_with(128 + SIGPIPE));
  CHECK_FALSE(folder.has("out/summary.txt"));
}
