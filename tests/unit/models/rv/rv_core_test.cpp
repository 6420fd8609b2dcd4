// The core as a unit: what accesses cost, interrupts, how programs end.
#include "models/cpu/rv_core/rv_core.hpp"

#include <catch2/catch.hpp>

#include "models/clint/clint.hpp"
#include "models/memory/memory.hpp"
#include "platform/contracts/register_audit.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/rv/assembler.hpp"
#include "tests/unit/models/rv/elf_writer.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/memory/target_declaration.hpp"

using namespace heddle;
using namespace heddle::rv::assembler;

namespace {

constexpr std::uint64_t base = 0x80000000, device_base = 0x10000000, clint_base = 0x2000000,
                        host_base = 0xf000000;
constexpr fs_t ns = fs_per_ns;

template <class Core>
struct core_bench : test_bench {
  scratch_folder folder;
  memory_bus& bus = add<memory_bus>("bus");
  memory& ram = add<memory>("ram");
  memory_target& device = add_stimulus<memory_target>("device");
  clint& timer = add<clint>("clint");
  Core& core;

  core_bench(elf_writer program, const std::function<void(rv_core_parameters&)>& configure = {})
      : core(add<Core>("core", [&](rv_core_parameters& p) {
          program.write(folder.file("x.elf"));
          p.elf.set(folder.file("x.elf"));
          if (configure) configure(p);
        })) {
    bind(core, "bus", bus, "in");
    map(bus, base, 1 << 20, ram, "in");
    map(bus, device_base, 4096, device, "in");
    map(bus, clint_base, 0x10000, timer, "registers");
    bind(timer, "timer[0]", core, "timer");
    bind(timer, "software[0]", core, "software");
    device.latency = 30 * ns;
  }
  std::uint64_t statistic(const std::string& name) const {
    for (const auto* each : core.statistics()->all())
      if (each->name() == name) return each->raw();
    return ~std::uint64_t{0};
  }
  std::string failure() {
    if (failures().empty()) return "none";
    std::string text = failures().front();
    const std::string file = folder.file("x.elf");
    if (const auto at = text.find(file); at != std::string::npos)
      text.replace(at, file.size(), "x.elf");
    return text;
  }
};

elf_writer program(const std::vector<word>& words) {
  elf_writer made;
  made.words = words;
  made.functions = {{"start", base}};
  return made;
}

// Two loads and a store, whose arrival a fence waits for.
const std::vector<word> accesses = {
    lui(a1, device_base), addi(t0, zero, 1), lw(a0, a1, 0), sw(t0, a1, 4), fence,
    lw(a0, a1, 8),        addi(a0, zero, 0), ecall};

}  // namespace

TEST_CASE("accesses happen where the cycles of the instructions before them say") {
  core_bench<rv64_core> bench(program(accesses));
  bench.run();
  REQUIRE(bench.device.accesses.size() == 3);
  // 2 ALU instructions and the way to the bus: 42 cycles of 500 ps.
  CHECK(bench.device.accesses[0].when == 21 * ns);
  // 30 ns in the device, 2 cycles of the load, 4 to the bus.
  CHECK(bench.device.accesses[1].when == 54 * ns);
  // The fence waits until 84 ns and takes 3 cycles, then 40 to the bus.
  CHECK(bench.device.accesses[2].when == 105 * ns + ns / 2);
  CHECK(now_fs() == 137 * ns);
  CHECK(bench.failure() == "none");
  CHECK(bench.statistic("instructions") == 7);
  CHECK(bench.statistic("reads") == 2);
  CHECK(bench.statistic("writes") == 1);
}

TEST_CASE("a core that runs ahead makes its accesses at the same times") {
  core_bench<rv64_core> bench(program(accesses),
                              [](rv_core_parameters& p) { p.sync_accesses.set(false); });
  bench.run();
  REQUIRE(bench.device.accesses.size() == 3);
  CHECK(bench.device.accesses[0].when == 21 * ns);
  CHECK(bench.device.accesses[1].when == 54 * ns);
  CHECK(bench.device.accesses[2].when == 105 * ns + ns / 2);
  CHECK(now_fs() == 137 * ns);
}

TEST_CASE("a 32-bit core runs a 32-bit program in the same time") {
  elf_writer narrow = program(accesses);
  narrow.xlen = 32;
  core_bench<rv32_core> bench(narrow);
  bench.run();
  CHECK(bench.device.accesses.size() == 3);
  CHECK(now_fs() == 137 * ns);
  CHECK(bench.failure() == "none");
}

TEST_CASE("a sleeping core wakes with its timer and runs the handler") {
  std::vector<word> words = {u_type(0x17, t0, 0),    addi(t0, t0, 0x40),
                             csrw(0x305, t0),        lui(t1, clint_base + 0x4000),
                             addi(t2, zero, 2000),   s_type(3, t1, t2, 0),
                             addi(t2, zero, 0x80),   csrw(0x304, t2),
                             csr(6, zero, 0x300, 8), wfi};
  words.resize(16);
  words.push_back(lui(t2, host_base));
  words.push_back(sw(zero, t2, 0x1c));
  core_bench<rv64_core> bench(program(words));
  bench.run();
  // 4 cycles to the handler, 1 for its first instruction
  CHECK(now_fs() == 2002 * ns + ns / 2);
  CHECK(bench.statistic("interrupts") == 1);
  CHECK(bench.statistic("sleep_time") > 1900 * ns);
  CHECK(bench.statistic("sleep_time") < 2000 * ns);  // it had to set its timer
  CHECK(bench.failure() == "none");
}

TEST_CASE("a busy core is interrupted within a quantum") {
  std::vector<word> words = {u_type(0x17, t0, 0),    addi(t0, t0, 0x40),
                             csrw(0x305, t0),        lui(t1, clint_base + 0x4000),
                             addi(t2, zero, 2000),   s_type(3, t1, t2, 0),
                             addi(t2, zero, 0x80),   csrw(0x304, t2),
                             csr(6, zero, 0x300, 8), addi(a0, a0, 1),
                             jal(zero, -4)};
  words.resize(16);
  words.push_back(lui(t2, host_base));
  words.push_back(sw(zero, t2, 0x1c));
  core_bench<rv64_core> bench(program(words),
                              [](rv_core_parameters& p) { p.quantum.set({100 * ns}); });
  bench.run();
  CHECK(now_fs() >= 2000 * ns);
  CHECK(now_fs() <= 2110 * ns);
  CHECK(bench.statistic("interrupts") == 1);
}

TEST_CASE("a store to tohost ends the program with success") {
  elf_writer made = program({u_type(0x17, t0, 0x1000), addi(t1, zero, 1), sw(t1, t0, 0), idle});
  made.functions.emplace_back("tohost", base + 0x1000);
  core_bench<rv64_core> bench(made);
  bench.run();
  CHECK(bench.failure() == "none");
  CHECK(now_fs() == 1 * ns);
}

TEST_CASE("a store to tohost ends the program with the number of the test that failed") {
  elf_writer made = program({u_type(0x17, t0, 0x1000), addi(t1, zero, 7), sw(t1, t0, 0), idle});
  made.functions.emplace_back("tohost", base + 0x1000);
  core_bench<rv64_core> bench(made);
  bench.run();
  CHECK(bench.failure() == "core: firmware 'x.elf' ended with code 3 at 1 ns");
}

TEST_CASE("ecall without a handler ends the program with the code in a0") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 5), ecall}));
  bench.run();
  CHECK(bench.failure() == "core: firmware 'x.elf' ended with code 5 at 500 ps");
}

TEST_CASE("ebreak without a handler fails the run, whatever a0 holds") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 0), ebreak}));
  bench.run();
  CHECK(bench.failure() == "core: ebreak: an assertion or __builtin_trap?, pc 0x80000004 in start");
}

TEST_CASE("an access that nobody answers names address, time, pc and function") {
  core_bench<rv64_core> bench(program({lui(a1, 0x40000000), sw(zero, a1, 0)}));
  bench.run();
  CHECK(bench.failure() ==
        "core: bus error: write of 4 bytes at 0x40000000 (nothing is there) at 2.5 ns: "
        "TLM_ADDRESS_ERROR_RESPONSE, pc 0x80000004 in start");
}

TEST_CASE("a call of a null pointer names who made it") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 5), jalr(ra, zero, 0)}));
  bench.run();
  CHECK(bench.failure() ==
        "core: bus error: instruction fetch of 2 bytes at 0x0 (nothing is there) at 2 ns: "
        "no memory is there, pc 0x0, called from 0x80000006 in start");
}

TEST_CASE("registers refuse an atomic access as what it is") {
  core_bench<rv64_core> bench(program({lui(a1, clint_base), amo(0, 2, a0, a1, zero)}));
  bench.run();
  const register_audit& told = bench.sim.service<register_audit_log>().last();
  CHECK(told.text().find("clint: atomic access to software[0].msip (offset 0x0) at ") == 0);
  CHECK(told.reason == "registers take loads and stores only");
}

TEST_CASE("registers hold no instructions") {
  core_bench<rv64_core> bench(program({lui(a1, clint_base), jalr(ra, a1, 0)}));
  bench.run();
  CHECK(bench.failure() ==
        "core: bus error: instruction fetch of 2 bytes at 0x2000000 (clint software[0].msip) at "
        "2 ns: registers hold no instructions, pc 0x2000000, called from 0x80000006 in start");
}

TEST_CASE("an illegal instruction fails the run") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 5), 0}));
  bench.run();
  CHECK(bench.failure() == "core: illegal instruction 0x0, pc 0x80000004 in start");
}

TEST_CASE("a floating-point instruction traps while floating point is off") {
  core_bench<rv64_core> bench(program({0x0205f553}));
  bench.run();
  CHECK(bench.failure() ==
        "core: illegal instruction 0x205f553 (fadd.d fa0,fa1,ft0: floating point is off, "
        "mstatus.FS is 0), pc 0x80000000 in start");
}

TEST_CASE("a stack where no memory is refuses the program") {
  elf_writer made = program({addi(a0, zero, 0), ecall});
  made.functions.emplace_back("__stack_top", base + (1 << 20) + 4096);
  core_bench<rv64_core> bench(made);
  CHECK_THROWS_WITH(bench.run(), Catch::EndsWith("x.elf: its stack begins at 0x80101000, where no "
                                                 "memory of core ends"));
}

TEST_CASE("a core that sleeps for ever says where") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 5), idle}));
  bench.run();
  CHECK(bench.core.waiting_for() ==
        "nothing: it is in an endless loop, a jump to itself, since 2 ns, pc 0x80000004 in start");
}

TEST_CASE("a 64-bit add reaches a device as one access that carries the operand") {
  core_bench<rv64_core> bench(
      program({lui(a1, device_base), addi(a2, zero, 3), amo(0, 3, a0, a1, a2), ecall}));
  bench.device.on_debug = [](tlm::tlm_generic_payload& p) {
    if (auto* asked = p.get_extension<target_declaration>()) asked->knows_extensions = true;
    return 0U;
  };
  bench.device.on_blocking = [](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    auto* add = p.get_extension<atomic_extension>();
    if (add) add->is_performed = true;
    const bool is_add = p.get_command() == tlm::TLM_IGNORE_COMMAND && add && add->operand == 3;
    const std::uint64_t before = 9;
    std::memcpy(p.get_data_ptr(), &before, sizeof before);
    p.set_response_status(is_add ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE);
  };
  bench.run();
  CHECK(bench.failure() == "core: firmware 'x.elf' ended with code 9 at 23 ns");
}

TEST_CASE("a program of the other width is the user's mistake") {
  elf_writer narrow = program({ecall});
  narrow.xlen = 32;
  CHECK_THROWS_AS(core_bench<rv64_core>(narrow), user_error);
}

TEST_CASE("a program that asks for a service which there is not fails the run") {
  elf_writer made = program({u_type(0x17, t0, 0x1000), sw(t0, t0, 0), idle});
  made.functions.emplace_back("tohost", base + 0x1000);
  core_bench<rv64_core> bench(made);
  bench.run();
  CHECK(bench.failure() ==
        "core: program 'x.elf' asks tohost for what there is not (0x80001000), pc 0x80000004 in "
        "start");
}

TEST_CASE("a debugger that writes the pc cannot make it odd") {
  core_bench<rv64_core> bench(program({addi(a0, zero, 5), ecall}));
  debug_target& core = *bench.sim.service<debug_directory>().targets.front();
  constexpr unsigned pc = 32;
  REQUIRE(core.write_register(pc, base + 5));
  std::uint64_t value = 0;
  REQUIRE(core.read_register(pc, value));
  CHECK(value == base + 4);
  bench.run();
  CHECK(bench.failure() == "none");
}

TEST_CASE("an access that the registers of the core refuse is not one to nothing") {
  core_bench<rv64_core> bench(program({lui(t2, host_base), s_type(2, t2, zero, 0)}));
  bench.run();
  CHECK(bench.failure() ==
        "core: bus error: write of 4 bytes at 0xf000000 (registers of the core) at 500 ps, "
        "pc 0x80000004 in start");
}

TEST_CASE("a log of a text that is nowhere is a log without text") {
  core_bench<rv64_core> bench(
      program({lui(t2, host_base), lui(t1, 0x40000000), s_type(3, t2, t1, 0x28),
               s_type(3, t2, t1, 0x30), addi(a0, zero, 0), ecall}));
  bench.run();
  CHECK(bench.failure() == "none");
}
