// Planted driver bugs: each fails the run with its line and what to do about it.
#include <catch2/catch.hpp>

#include "tests/system/contracts/bug_run.hpp"
#include "tests/system/contracts/planted_bugs.hpp"

using namespace heddle;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_bug(const bug_file& file, const planted_bug& bug, const settings& more) {
  const std::string line = line_of(file.name, bug.number);
  const bug_outcome seen = run_bug(bug.number, more);
  INFO("bug " << bug.number << " at " << line << "\n"
              << seen.result.errors << "----\n"
              << seen.summary);
  CHECK(!line.empty());
  CHECK(seen.result.exited_with(1));
  CHECK(contains(seen.result.errors, bug.says));
  // Not part of a longer number, and not only in the history of the report.
  const bool is_named = contains(seen.result.errors, "\n  at " + line + " in ") ||
                        contains(seen.result.errors, "(" + line + ")");
  CHECK(is_named);
}

void check_file(const std::string& name, const settings& more = {}) {
  std::size_t checked = 0;
  for (const bug_file& file : planted_bugs()) {
    if (file.name != name) continue;
    for (const planted_bug& bug : file.bugs) {
      // A RISC-V core makes no misaligned access to a device: the trap has words of its own.
      const bool is_misaligned = bug.number == 17 || bug.number == 126;
      if (!more.empty() && is_misaligned) continue;
      check_bug(file, bug, more);
      ++checked;
    }
  }
  CHECK(checked >= 5);
}

const settings on_rv64 = {{"params.core", "rv64_core"}};

}  // namespace

TEST_CASE("bugs of a DMA driver are caught at their line") {
  check_file("dma_bugs.c");
}

TEST_CASE("bugs of a vector driver are caught at their line") {
  check_file("vector_bugs.c");
}

TEST_CASE("bugs of a multimem driver are caught at their line") {
  check_file("multimem_bugs.c");
}

TEST_CASE("bugs of a driver of gather units are caught at their line") {
  check_file("gather_bugs.c");
}

TEST_CASE("bugs of a driver of the in-switch accelerator are caught at their line") {
  check_file("isa_bugs.c");
}

TEST_CASE("bugs of a driver of a tile's DMA engine are caught at their line") {
  check_file("mesh_bugs.c");
}

TEST_CASE("bugs around buffers, flags and interrupts are caught at their line") {
  check_file("buffer_bugs.c");
}

#ifdef HEDDLE_HAS_RV64
TEST_CASE("bugs of drivers are caught at their line on the RV64 core") {
  for (const char* file : {"dma_bugs.c", "vector_bugs.c", "multimem_bugs.c", "isa_bugs.c",
                           "gather_bugs.c", "mesh_bugs.c", "buffer_bugs.c"})
    check_file(file, on_rv64);
}
#endif

TEST_CASE("a report on a broken contract shows the accesses before it") {
  const bug_outcome seen = run_bug(5);
  INFO(seen.result.errors);
  CHECK(contains(seen.result.errors, "\n  last accesses to gpu[0].dma:\n"));
  CHECK(contains(seen.result.errors,
                 " gpu[0].cp write channel[3].ring_entries 0x4, tests/system/"
                 "contracts/dma_bugs.c:"));
  CHECK(contains(seen.result.errors, " gpu[0].cp write channel[3].doorbell 0x2, tests/system/"));
  CHECK(contains(seen.summary, "\n  last accesses to gpu[0].dma:\n"));
}

TEST_CASE("a contract that is only logged lets the access through") {
  const bug_outcome seen = run_bug(6, {{"contracts", "log"}});
  INFO(seen.result.errors);
  CHECK(contains(seen.result.errors,
                 "warning: register contract broken, the access was performed: gpu[0].dma: write"));
  CHECK(contains(seen.result.errors, "is not a multiple of 32"));
  CHECK(!contains(seen.result.errors, "bus error"));
  CHECK(!contains(seen.result.errors, "refused"));
  CHECK(contains(seen.summary, "register contract broken, the access was performed: gpu[0].dma"));
}

TEST_CASE("an access that cannot be performed is ignored where contracts are only logged") {
  const bug_outcome seen = run_bug(14, {{"contracts", "log"}});
  INFO(seen.result.errors);
  CHECK(contains(seen.result.errors,
                 "warning: register access ignored: gpu[0].dma: write of 0x7 to channel[3]"));
  CHECK(!contains(seen.result.errors, "refused"));
}

TEST_CASE("a contract may be fatal for one unit alone") {
  const std::string only = "{default: log, units: {\"*.vector\": fatal}}";
  const bug_outcome dma = run_bug(6, {{"contracts", only}});
  INFO(dma.result.errors);
  CHECK(!contains(dma.result.errors, "failed: gpu[0].dma"));
  const bug_outcome vector = run_bug(36, {{"contracts", only}});
  INFO(vector.result.errors);
  CHECK(vector.result.exited_with(1));
  CHECK(contains(vector.result.errors,
                 "fatal: register access refused: gpu[0].vector: write of 0x0 to elements"));
  CHECK(contains(vector.result.errors, "failed: 1 register violation: 1 fatal\n"));
}

TEST_CASE("a broken contract is told once and ends the run as its severity says") {
  const std::string reason = "4 stores to memory are not fenced yet";
  const auto tells_once = [&](const std::string& text) {
    return contains(text, reason) && text.find(reason) == text.rfind(reason);
  };
  const bug_outcome logged = run_bug(1, {{"contracts", "log"}});
  INFO(logged.result.errors << logged.summary);
  CHECK(logged.result.exited_with(0));
  CHECK(tells_once(logged.result.errors));
  CHECK(contains("\n" + logged.summary, "\n1 register violation: 1 log\n"));
  const bug_outcome wrong = run_bug(1, {{"contracts", "error"}});
  INFO(wrong.result.errors);
  CHECK(wrong.result.exited_with(1));
  CHECK(tells_once(wrong.result.errors));
  CHECK(tells_once(wrong.summary));
  CHECK(contains(wrong.result.errors, "error: register contract broken, the access was performed"));
  CHECK(contains(wrong.result.errors, "\nfailed: 1 register violation: 1 error\n"));
  const bug_outcome fatal = run_bug(1, {{"contracts", "fatal"}});
  INFO(fatal.result.errors);
  CHECK(fatal.result.exited_with(1));
  CHECK(tells_once(fatal.result.errors));
  CHECK(contains(fatal.result.errors, "\nfailed: 1 register violation: 1 fatal\n"));
}

TEST_CASE("firmware goes on after an error, and not after a fatal one") {
  const std::string core = GENERATE("core", "rv64_core");
#ifndef HEDDLE_HAS_RV64
  if (core == "rv64_core") return;
#endif
  const std::string end = "firmware 'driver_bugs' ended with code";
  const bug_outcome wrong = run_bug(5, {{"params.core", core}});
  INFO(wrong.result.errors);
  CHECK(contains(wrong.result.errors, end));
  CHECK(contains(wrong.result.errors, "failed: 1 register violation: 1 error\n"));
  const bug_outcome fatal = run_bug(5, {{"params.core", core}, {"contracts", "fatal"}});
  INFO(fatal.result.errors);
  CHECK(fatal.result.exited_with(1));
  CHECK(!contains(fatal.result.errors, end));
  CHECK(!contains(fatal.result.errors, "bus error"));
  CHECK(contains(fatal.result.errors, "failed: 1 register violation: 1 fatal\n"));
}

TEST_CASE("contracts of the netlist name units that exist") {
  const bug_outcome seen = run_bug(6, {{"contracts", "{units: {\"gpu[7].*\": fatal}}"}});
  INFO(seen.result.errors);
  CHECK(seen.result.exited_with(2));
  CHECK(contains(seen.result.errors, "no unit matches 'gpu[7].*'"));
}
