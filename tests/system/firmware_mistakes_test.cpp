// What firmware gets wrong: exit 1, and messages that name core, register, time and reason.
#include <catch2/catch.hpp>

#include "tests/support/heddle_run.hpp"

using namespace heddle;

namespace {

struct outcome {
  command_result result;
  std::string summary;
  nlohmann::json stats;
};

outcome run_firmware(const std::string& name, settings more = {},
                     const std::string& netlist = "two_accelerators") {
  const scratch_folder folder;
  more.emplace_back("params.firmware", name);
  command line =
      run_command(project_file("tests/system/firmware/" + netlist + ".yaml"), "out", more);
  line.words[0] = HEDDLE_WITH_MISTAKES;
  line.folder = folder.path();
  outcome seen;
  seen.result = run(line);
  INFO(name << "\n" << seen.result.errors);
  REQUIRE(seen.result.exited_with(1));
  seen.summary = folder.content("out/summary.txt");
  seen.stats = nlohmann::json::parse(folder.content("out/stats.json"));
  CHECK(seen.stats["exit"] == 1);
  return seen;
}

// The line is on the terminal and in summary.txt.
void says(const outcome& seen, const std::string& line) {
  INFO(line << "\n----\n" << seen.result.errors << "----\n" << seen.summary);
  CHECK(("\n" + seen.result.errors).find("\n" + line + "\n") != std::string::npos);
  CHECK(("\n" + seen.summary).find("\n" + line + "\n") != std::string::npos);
}

// As above; the terminal has it at the time when it happens.
void refuses(const outcome& seen, const std::string& text) {
  INFO(text << "\n----\n" << seen.result.errors << "----\n" << seen.summary);
  const std::string line = "\nerror: register access refused: " + text + "\n";
  CHECK(("\n" + seen.result.errors).find(line) != std::string::npos);
  CHECK(("\n" + seen.summary).find(line) != std::string::npos);
}

}  // namespace

TEST_CASE("firmware that reads where nothing is") {
  says(run_firmware("read_nowhere"),
       "failed: gpu[0].cp: bus error: read of 4 bytes at 0x40000 (nothing is there) at 25 ns: "
       "TLM_ADDRESS_ERROR_RESPONSE");
}

TEST_CASE("firmware that reads a hole between registers") {
  const outcome seen = run_firmware("read_register_hole");
  says(seen, "failed: gpu[0].cp: bus error: read of 4 bytes at 0x10020 (gpu[0].dma) at 2.15 us");
  says(seen, "failed: 2 register violations: 2 error");  // one a core
  refuses(seen,
          "gpu[0].dma: read of offset 0x20 at 2.15 us by gpu[0].cp: there is no "
          "register");
}

TEST_CASE("firmware that writes a read-only register") {
  const outcome seen = run_firmware("write_read_only");
  says(seen,
       "failed: gpu[0].cp: bus error: write of 4 bytes at 0x101d0 (gpu[0].dma "
       "channel[3].completed) at 2.132 us");
  refuses(seen,
          "gpu[1].dma: write of 0x7 to channel[3].completed (offset 0x1d0) at 2.132 us by "
          "gpu[1].cp: the register is read-only");
}

TEST_CASE("firmware that writes a register while its unit works") {
  const outcome seen = run_firmware("write_while_busy");
  says(seen,
       "failed: gpu[0].cp: bus error: write of 8 bytes at 0x20010 (gpu[0].vector source) at "
       "2.16 us");
  says(seen, "  gpu[0].vector waits for an operation over 2048 B");
}

TEST_CASE("firmware that overruns a descriptor ring") {
  const outcome seen = run_firmware("overrun_ring");
  const std::string reason =
      "5 is not within 0 announced, 0 completed and a ring of 4: count up from the last "
      "channel[3].doorbell, and wait for channel[3].completed before the ring is full";
  says(seen,
       "error: register contract broken, the access was performed: gpu[0].dma: write of 0x5 to "
       "channel[3].doorbell (offset 0x1cc) at 2.26 us by gpu[0].cp: " +
           reason);
  says(seen, "failed: 2 register violations: 2 error");  // one a core
}

TEST_CASE("firmware that posts a bad descriptor") {
  const outcome seen = run_firmware("bad_descriptor");
  refuses(seen,
          "gpu[0].dma: write of 0x1 to channel[3].doorbell (offset 0x1cc) at 2.36 us: "
          "descriptor 0 has the unknown opcode 0: control 0x0, length 64, source 0x1000000000, "
          "destination 0x1000100000");
  says(seen, "  gpu[0].dma waits for channel 3 to be reset after BAD_DESCRIPTOR");
}

TEST_CASE("firmware that copies to an address that nobody has") {
  const outcome seen = run_firmware("copy_to_nowhere");
  refuses(seen,
          "gpu[0].dma: write of 0x1 to channel[3].doorbell (offset 0x1cc) at 2.46 us: bus "
          "error at 0xff0000000000");
  says(seen, "  gpu[0].dma waits for channel 3 to be reset after BUS");
}

TEST_CASE("firmware that polls forever") {
  const outcome seen = run_firmware("poll_forever");
  const std::string what = "0x101d0 (gpu[0].dma channel[3].completed) to reach 0x1, since 2.125 us";
  says(seen, "failed: gpu[0].cp: hang: polls " + what +
                 " (now 0x0), longer than poll_limit: 5 ms (raise it where a device is only slow)");
  says(seen, "  gpu[0].cp waits for " + what);
}

TEST_CASE("firmware that ends with a code") {
  says(run_firmware("return_code"),
       "failed: gpu[1].cp: firmware 'return_code' ended with code 42 at 0 s");
  const heddle_run run(
      project_file("yaml/ring_allreduce.yaml"),
      {{"params.gpus", "2"}, {"workload.bytes", "1 KiB"}, {"workload.timeout", "1 us"}});
  CHECK_THAT(
      run.result().errors,
      Catch::Contains("ended with code 1 at 5.294 us; the last that it logged: timeout 0x1\n"));
}

TEST_CASE("firmware that leaves before its jobs are done") {
  says(run_firmware("leaves_at_once"),
       "failed: the firmware of all cores has ended, but only 0 of 1 jobs are done");
  says(run_firmware("leaves_after_mark", {{"workload.repeat", "3"}, {"workload.check", "off"}}),
       "failed: the firmware of all cores has ended, but only 1 of 3 jobs are done");
}

TEST_CASE("firmware that marks a job which it has not taken, or marks it twice") {
  const std::string none =
      "failed: gpu[0].cp: marks the end of job 0, but has none: "
      "hal_next_job() gives it";
  const std::string twice = "failed: gpu[0].cp: marks the start of job 0 once more";
  const std::string at = "  at tests/system/firmware/marks_";
  says(run_firmware("marks_no_job"), none + "\n" + at + "no_job.c:5 in main");
  says(run_firmware("marks_twice"), twice + "\n" + at + "twice.c:7 in main");
#ifdef HEDDLE_HAS_RV64
  const settings on_rv64 = {{"params.core", "rv64_core"}};
  CHECK_THAT(run_firmware("marks_no_job", on_rv64).result.errors,
             Catch::Contains(none) && Catch::Contains("firmware/marks_no_job.c:5"));
  CHECK_THAT(run_firmware("marks_twice", on_rv64).result.errors,
             Catch::Contains(twice) && Catch::Contains("firmware/marks_twice.c:7"));
#endif
}

TEST_CASE("firmware that logs a text which is not there") {
  const std::string what = "failed: gpu[0].cp: a text for the log at 0x0";
  const std::string at = "tests/system/firmware/log_nothing.c:5";
  says(run_firmware("log_nothing"), what + " cannot be read\n  at " + at + " in main");
#ifdef HEDDLE_HAS_RV64
  CHECK_THAT(run_firmware("log_nothing", {{"params.core", "rv64_core"}}).result.errors,
             Catch::Contains(what) && Catch::Contains(at));
#endif
}

TEST_CASE("a barrier that returns at once is wrong, although it moves no data") {
  const outcome seen = run_firmware("leaves_after_mark");
  says(seen,
       "failed: wrong order: barrier: rank 0 (gpu[0].cp) left it at 0 s, but the last rank came at "
       "0 s, and no wire takes less than 250 ns");
  CHECK(seen.stats["collectives"][0]["verdict"] == "failed");
  CHECK(seen.stats["collectives"][0]["verified"] == false);
  const outcome unchecked =
      run_firmware("leaves_after_mark", {{"workload.repeat", "2"}, {"workload.check", "off"}});
  CHECK(unchecked.stats["collectives"][0]["verdict"] == "not_checked");
  CHECK(unchecked.stats["collectives"][0]["verified"] == false);
}

TEST_CASE("what firmware leaves is checked, however soon it leaves") {
  const outcome seen = run_firmware(
      "leaves_after_mark", {{"workload.collective", "allreduce"}, {"workload.bytes", "1 KiB"}});
  CHECK(seen.summary.find("1 KiB") != std::string::npos);
  CHECK(seen.stats["collectives"][0]["verified"] == false);
}

TEST_CASE("firmware that waits for an interrupt which never comes") {
  const outcome seen = run_firmware("wait_for_no_interrupt");
  says(seen,
       "failed: hang: nothing happens after 2.56 us, but the firmware of 2 cores has not "
       "finished");
  says(seen, "  gpu[0].cp waits for an interrupt, since 2.265 us");
  says(seen, "  gpu[1].cp waits for an interrupt, since 2.265 us");
  CHECK(seen.stats["waiting"].size() == 2);
}

TEST_CASE("firmware that hangs beside traffic which would never end") {
  says(run_firmware("wait_for_no_interrupt", {}, "beside_traffic"),
       "failed: hang: for 20 us nothing but synthetic traffic has happened, and the firmware of 2 "
       "cores has not finished");
}
