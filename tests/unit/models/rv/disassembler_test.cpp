// Every instruction of the firmware as GNU objdump prints it, and the rare ones from a table.
#include "models/cpu/rv/disassembler.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <sstream>

#include "models/cpu/rv/decoder.hpp"
#include "tests/support/command.hpp"

using namespace heddle;
using namespace heddle::rv;

namespace {

std::string shown(std::uint32_t bits, std::uint64_t pc = 0x80000000) {
  return disassemble(decode(bits, 64), pc, 64).text;
}

// "80000012:\t1141\tadd\tsp,sp,-16 # ...": address, bits, mnemonic, operands.
const std::regex objdump_line(R"(^\s*([0-9a-f]+):\t([0-9a-f]+)\s+\t(\S+)\t?(.*)$)");

}  // namespace

TEST_CASE("instructions print in their short forms") {
  struct row {
    std::uint32_t bits;
    const char* text;
  };
  const row rows[] = {
      {0x00008067, "ret"},
      {0x008582e7, "jalr t0,8(a1)"},
      {0x00850067, "jr 8(a0)"},
      {0x0005851b, "sext.w a0,a1"},
      {0xfff5c513, "not a0,a1"},
      {0x40b0053b, "negw a0,a1"},
      {0x0005a533, "sltz a0,a1"},
      {0x02159513, "sll a0,a1,0x21"},
      {0xfffff517, "auipc a0,0xfffff"},
      {0x0310000f, "fence rw,w"},
      {0x8330000f, "fence.tso"},
      {0x0000100f, "fence.i"},
      {0x30552073, "csrs mtvec,a0"},
      {0x34025573, "csrrw a0,mscratch,4"},
      {0x7c002573, "csrr a0,0x7c0"},
      {0xc0102573, "rdtime a0"},
      {0xb0302573, "csrr a0,mhpmcounter3"},
      {0x1405b52f, "lr.d.aq a0,(a1)"},
      {0x1ec5b52f, "sc.d.aqrl a0,a2,(a1)"},
      {0xc0c5a52f, "amominu.w a0,a2,(a1)"},
      {0x00102573, "frflags a0"},
      {0x00251073, "fsrm a0"},
      {0x0021d573, "fsrmi a0,3"},
      {0x003595f3, "fscsr a1,a1"},
      {0x02b57553, "fadd.d fa0,fa0,fa1"},
      {0x02b51553, "fadd.d fa0,fa0,fa1,rtz"},
      {0x22a50553, "fmv.d fa0,fa0"},
      {0x6ab5f543, "fmadd.d fa0,fa1,fa1,fa3"},
      {0xc2051553, "fcvt.w.d a0,fa0,rtz"},
      {0x3558, "fld fa4,168(a0)"},
      {0x10500073, "wfi"},
      {0xffffffff, ".word 0xffffffff"},
      {0x757d, "lui a0,0xfffff"},
      {0x852e, "mv a0,a1"},
      {0x9002, "ebreak"},
      {0xfe050fe3, "beqz a0,7ffffffe"},
  };
  for (const row& each : rows) CHECK(shown(each.bits) == each.text);
}

TEST_CASE("the target of a jump wraps around in 32 bits") {
  const disassembly seen = disassemble(decode(0xff9ff06f, 32), 0, 32);
  CHECK(seen.text == "j fffffff8");
  CHECK(seen.has_target);
  CHECK(seen.target == 0xfffffff8);
}

#ifdef HEDDLE_RV64_OBJDUMP
TEST_CASE("every instruction of the firmware prints as objdump prints it") {
  const auto [program, fewest] = GENERATE(
      table<std::string, std::size_t>({{HEDDLE_SHOWN_PROGRAM, 3000}, {HEDDLE_SHOWN_FLOATS, 150}}));
  command asked;
  asked.words = {HEDDLE_RV64_OBJDUMP, "-d", program};
  const command_result dumped = run(asked);
  REQUIRE(dumped.exited_with(0));
  std::istringstream lines(dumped.output);
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch part;
    if (!std::regex_match(line, part, objdump_line)) continue;
    const auto bits = static_cast<std::uint32_t>(std::stoul(part[2], nullptr, 16));
    std::string wanted = part[3].str() + (part[4].length() > 0 ? " " + part[4].str() : "");
    for (const char* const comment : {" # ", " <"}) wanted = wanted.substr(0, wanted.find(comment));
    INFO(line);
    CHECK(shown(bits, std::stoull(part[1], nullptr, 16)) == wanted);
    ++compared;
  }
  CHECK(compared > fewest);
}
#endif
