// Two cores that change the same words: behind a bus, and where both have direct access.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "models/cpu/rv_core/rv_core.hpp"
#include "models/memory/memory.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/rv/assembler.hpp"
#include "tests/unit/models/rv/elf_writer.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;
using namespace heddle::rv::assembler;

namespace {

constexpr std::uint64_t code_base = 0x80000000;
constexpr std::uint64_t on_bus = 0x1000000, direct = 0x80400000;  // the latter inside `local`
constexpr word release = 1U << 25, acquire = 1U << 26;
constexpr word lr = 2, sc = 3, swap_ = 1, add_ = 0, xor_ = 4, and_ = 12, or_ = 8, min_ = 16,
               max_ = 20, minu = 24, maxu = 28;

struct two_cores : test_bench {
  scratch_folder folder;
  memory& shared = add<memory>("shared");
  memory_bus& way = add<memory_bus>("way");
  memory_initiator& looker = add_stimulus<memory_initiator>("looker");

  // One program a core.
  two_cores(std::uint64_t base, const std::array<std::vector<word>, 2>& programs) {
    map(way, 0, 1 << 20, shared, "in");
    bind(looker, "bus", way, "in");
    for (int i = 0; i < 2; ++i) {
      const std::string number = std::to_string(i);
      elf_writer made;
      made.words = programs[i];
      const std::string file = folder.file("x" + number + ".elf");
      made.write(file);
      auto& core = add<rv64_core>("core" + number, [&](rv_core_parameters& p) { p.elf.set(file); });
      auto& bus = add<memory_bus>("bus" + number);
      auto& ram = add<memory>("ram" + number);
      bind(core, "bus", bus, "in");
      map(bus, code_base, 1 << 20, ram, "in");
      map(bus, base, 1 << 20, way, "in");
    }
  }
  std::uint64_t word_at(std::uint64_t offset) {
    std::uint64_t value = 0;
    looker.debug(tlm::TLM_READ_COMMAND, offset, &value, sizeof value);
    return value;
  }
  void set_word(std::uint64_t offset, std::uint64_t value) {
    at(0, [this, offset, value] {
      std::uint64_t copy = value;
      looker.debug(tlm::TLM_WRITE_COMMAND, offset, &copy, sizeof copy);
    });
  }
};

word slli(word rd, word rs1, word amount) {
  return i_type(1, 0x13, rd, rs1, amount);
}
word bne(word rs1, word rs2, std::int64_t offset) {
  return b_type(1, rs1, rs2, offset);
}

// What a core does with a word, again and again: its operand begins as `operand` and goes through
// `step` (of t1) each time.
struct part {
  std::int64_t operand;
  word step;
  bool is_complemented = false;
};

using words = std::vector<word>;

words start(std::uint64_t base) {
  return {lui(s1, static_cast<std::int32_t>(base)), slli(s1, s1, 32), i_type(5, 0x13, s1, s1, 32)};
}

void append(words& to, const words& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// The sum of what it found there is in `ra` afterwards.
void repeat(words& to, int offset, word funct5, word width, const part& mine, int times) {
  append(to, {addi(a1, s1, offset), addi(t1, zero, mine.operand), addi(s0, zero, times),
              addi(ra, zero, 0)});
  append(to,
         {i_type(4, 0x13, a2, t1, mine.is_complemented ? -1 : 0), amo(funct5, width, t0, a1, a2),
          add(ra, ra, t0), mine.step, addi(s0, s0, -1), bne(s0, zero, -20)});
}

void end(words& to) {
  append(to, {fence, addi(a0, zero, 0), ecall});
}

constexpr int times = 16;  // 32 bits, two by two
const word twice = slli(t1, t1, 2), up = addi(t1, t1, 1), down = addi(t1, t1, -1),
           same = addi(t1, t1, 0);

struct row {
  const char* name;
  word funct5;
  std::uint64_t before;
  std::array<part, 2> parts;
  std::uint64_t after32, after64;
};
constexpr std::uint64_t all = ~std::uint64_t{0};
const row rows[] = {
    {"add", add_, 0, {{{1, same}, {1, same}}}, 2 * times, 2 * times},
    {"xor", xor_, 0, {{{1, twice}, {2, twice}}}, 0xffffffff, 0xffffffff},
    {"or", or_, 0, {{{1, twice}, {2, twice}}}, 0xffffffff, 0xffffffff},
    {"and", and_, all, {{{1, twice, true}, {2, twice, true}}}, all << 32, all << 32},
    {"max", max_, 1, {{{10, up}, {-5, same}}}, 9 + times, 9 + times},
    {"maxu", maxu, 1, {{{10, up}, {0, same}}}, 9 + times, 9 + times},
    {"min", min_, 1, {{{-1, down}, {7, same}}}, 0x100000000 - times, all - times + 1},
    {"minu", minu, 1000, {{{900, down}, {2000, same}}}, 901 - times, 901 - times},
};

// Row by row and width by width, a word each.
void check_operations(std::uint64_t base) {
  std::array<words, 2> programs{start(base), start(base)};
  int offset = 0;
  for (const row& each : rows)
    for (const word width : {2U, 3U}) {
      for (std::size_t i = 0; i < 2; ++i)
        repeat(programs[i], offset, each.funct5, width, each.parts[i], times);
      offset += 8;
    }
  for (words& each : programs) end(each);
  two_cores bench(base, programs);
  offset = -8;
  for (const row& each : rows)
    for (int width = 0; width < 2; ++width) bench.set_word(offset += 8, each.before);
  bench.run();
  CHECK(bench.failures().empty());
  offset = 0;
  for (const row& each : rows)
    for (const word width : {2U, 3U}) {
      INFO(each.name << (width == 2 ? ".w" : ".d"));
      CHECK(bench.word_at(offset) == (width == 2 ? each.after32 : each.after64));
      offset += 8;
    }
}

void check_swaps(std::uint64_t base) {
  std::array<words, 2> programs{start(base), start(base)};
  for (int i = 0; i < 2; ++i) {
    for (const word width : {2U, 3U}) {
      const int at = static_cast<int>(width) * 8;
      repeat(programs[i], at, swap_, width, {1 + 100 * i, up}, times);
      append(programs[i], {s_type(3, s1, ra, 64 + 8 * i + 2 * at)});
    }
    end(programs[i]);
  }
  two_cores bench(base, programs);
  bench.run();
  CHECK(bench.failures().empty());
  for (const std::uint64_t at : {16U, 24U})  // 1 to 16 and 101 to 116 went in
    CHECK(bench.word_at(64 + 2 * at) + bench.word_at(72 + 2 * at) + bench.word_at(at) ==
          136 + 1736);
}

void check_reservations(std::uint64_t base) {
  words program = start(base);
  for (const word width : {2U, 3U})
    append(program, {addi(a1, s1, width * 8), addi(s0, zero, times), amo(lr, width, t0, a1, zero),
                     addi(t0, t0, 1), amo(sc, width, t2, a1, t0), bne(t2, zero, -12),
                     addi(s0, s0, -1), bne(s0, zero, -20)});
  end(program);
  two_cores bench(base, {program, program});
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(bench.word_at(16) == 2 * times);
  CHECK(bench.word_at(24) == 2 * times);
}

void check_lock(std::uint64_t base) {
  words program = start(base);
  append(program, {addi(s0, zero, times), addi(t1, zero, 1), amo(swap_, 2, t0, s1, t1) | acquire,
                   bne(t0, zero, -4), load(3, t2, s1, 8), addi(t2, t2, 1), s_type(3, s1, t2, 8),
                   amo(swap_, 2, zero, s1, zero) | release, addi(s0, s0, -1), bne(s0, zero, -28)});
  end(program);
  two_cores bench(base, {program, program});
  bench.run();
  CHECK(bench.failures().empty());
  CHECK(bench.word_at(8) == 2 * times);
}

}  // namespace

TEST_CASE("no change of two cores to a word behind a bus is lost") {
  check_operations(on_bus);
}

TEST_CASE("what two cores swap in behind a bus, one of them gets back") {
  check_swaps(on_bus);
}

TEST_CASE("what two cores swap in directly, one of them gets back") {
  check_swaps(direct);
}

TEST_CASE("no increment by reservation behind a bus is lost") {
  check_reservations(on_bus);
}

TEST_CASE("no increment by reservation in direct memory is lost") {
  check_reservations(direct);
}

TEST_CASE("a spin lock behind a bus lets one core in") {
  check_lock(on_bus);
}

TEST_CASE("a spin lock in direct memory lets one core in") {
  check_lock(direct);
}
