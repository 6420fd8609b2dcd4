// Random programs on the model and on the plain interpreter: same registers, memory, pc, count and
// trap.
#include <catch2/catch.hpp>

#include <random>

#include "tests/unit/models/rv/hart_bench.hpp"
#include "tests/unit/models/rv/plain_interpreter.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

// Registers 16 to 23 hold addresses and are not written; all others take any value.
class program_source {
 public:
  program_source(std::uint64_t seed, int xlen) : random_(seed), xlen_(xlen) {}

  std::uint64_t any() { return random_(); }
  word below(word count) { return static_cast<word>(random_() % count); }
  word target() {
    const word found = below(24);
    return found < 16 ? found : found + 8;
  }
  word source() { return below(32); }
  word address() { return 16 + below(8); }

  word next() {
    const word op_word = xlen_ == 64 && below(3) == 0 ? 8 : 0;
    switch (below(12)) {
      case 0:
      case 1:
        return i_type(below(8), 0x13 | op_word, target(), source(), small_or_shift());
      case 2:
      case 3:
        return r_type(below(4) == 0 ? 0x20 : 0, below(8), 0x33 | op_word, target(), source(),
                      source());
      case 4:
        return r_type(1, below(8), 0x33 | op_word, target(), source(), source());
      case 5:
        return u_type(below(2) == 0 ? 0x37 : 0x17, target(), static_cast<std::int64_t>(any()));
      case 6:
        return load(below(8), target(), address(), 8 * (below(64) - 32) + odd());
      case 7:
        return s_type(below(4), address(), source(), 8 * (below(64) - 32) + odd());
      case 8:
        return b_type(below(8), source(), source(), 2 * (below(32) - 4));
      case 9:
        return amo(below(3) == 0 ? 2 + below(2) : below(8) * 4, 2 + below(2), target(), address(),
                   source());
      case 10:
        return below(4) == 0 ? jal(target(), 2 * (below(32) - 4)) : compressed_pair();
      default:
        return compressed_pair();
    }
  }

 private:
  std::int64_t small_or_shift() {
    const std::int64_t any_imm = static_cast<std::int64_t>(below(4096)) - 2048;
    return below(2) == 0 ? any_imm : below(64) | (below(2) == 0 ? 0x400 : 0);
  }
  std::int64_t odd() { return below(16) == 0 ? below(8) : 0; }
  // Two parcels that write no address register; a few jump or are reserved.
  word compressed_pair() { return compressed() | compressed() << 16; }
  word compressed() {
    for (;;) {
      const word parcel = below(0x10000);
      const word rd = parcel >> 7 & 31;
      if ((parcel & 3) == 3 || (rd >= 16 && rd < 24)) continue;
      if ((parcel & 3) == 0 && below(4) != 0) continue;  // memory by way of any value: traps
      return parcel;
    }
  }

  std::mt19937_64 random_;
  int xlen_;
};

// A word of which something else than SYSTEM comes.
word no_system(program_source& source) {
  for (;;) {
    const auto found = static_cast<word>(source.any());
    if ((found & 0x7f) != 0x73) return found;
  }
}

struct pair {
  explicit pair(int xlen) : model(xlen) {
    plain.xlen = xlen;
    plain.memory_base = hart_bench::memory_base;
    plain.pc = hart_bench::code;
  }
  void fill(program_source& source) {
    for (unsigned i = 1; i < 32; ++i)
      set(i, source.below(4) == 0 ? source.below(64) : source.any());
    for (unsigned i = 16; i < 24; ++i) set(i, hart_bench::data + 256 * i + 8);
    for (unsigned i = 0; i < 0x2000; i += 8) model.poke(hart_bench::data + i, source.any());
  }
  void set(unsigned number, std::uint64_t value) {
    model.hart->set_reg(number, value);
    plain.x[number] = plain.xlen == 64
                          ? static_cast<std::int64_t>(value)
                          : static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
  }
  // Some blocks, then as many steps; false when they differ.
  bool run_and_compare(std::uint64_t cycles) {
    plain.memory = model.bytes;
    const stop_reason reason = model.hart->run(cycles);
    while (plain.executed < model.hart->instructions() && plain.step()) continue;
    if (plain.executed != model.hart->instructions()) return false;
    if (reason == stop_reason::unhandled) {
      if (plain.step()) return false;
      const trap_record& trap = model.hart->unhandled();
      if (static_cast<int>(trap.cause) != plain.cause || trap.value != plain.value) return false;
    }
    for (unsigned i = 0; i < 32; ++i) {
      const auto value = static_cast<std::uint64_t>(plain.x[i]);
      if (model.hart->reg(i) != (plain.xlen == 64 ? value : value & 0xffffffff)) return false;
    }
    return model.hart->pc() == plain.pc && model.bytes == plain.memory;
  }
  hart_bench model;
  plain_interpreter plain;
};

}  // namespace

TEST_CASE("random programs end as the plain interpreter says") {
  std::uint64_t executed = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const int xlen = seed % 2 == 0 ? 32 : 64;
    program_source source(seed, xlen);
    pair both(xlen);
    both.fill(source);
    for (unsigned i = 0; i < 100; ++i) both.model.poke(hart_bench::code + 4 * i, source.next());
    INFO("seed " << seed);
    REQUIRE(both.run_and_compare(500));
    executed += both.plain.executed;
  }
  CHECK(executed > 5000);  // not only programs that trap at once
}

TEST_CASE("any word does what the plain interpreter says") {
  for (const int xlen : {32, 64}) {
    program_source source(static_cast<std::uint64_t>(xlen), xlen);
    for (int i = 0; i < 3000; ++i) {
      pair both(xlen);
      both.fill(source);
      const word tried = no_system(source);
      both.model.poke(hart_bench::code, tried);
      INFO(std::hex << tried << " at " << std::dec << xlen);
      REQUIRE(both.run_and_compare(1));
    }
  }
}

TEST_CASE("long straight arithmetic ends as the plain interpreter says") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const int xlen = seed % 2 == 0 ? 32 : 64;
    program_source source(seed + 1000, xlen);
    pair both(xlen);
    both.fill(source);
    for (unsigned i = 0; i < 1000; ++i) {
      const word op = xlen == 64 && source.below(3) == 0 ? 0x3b : 0x33;
      const word funct3 =
          op == 0x33 ? source.below(8) : std::array{0U, 4U, 5U, 6U, 7U}[source.below(5)];
      both.model.poke(hart_bench::code + 4 * i,
                      r_type(1, funct3, op, source.target(), source.source(), source.source()));
      if (source.below(2) == 0)
        both.model.poke(hart_bench::code + 4 * i,
                        i_type(0, 0x13, source.target(), source.source(), source.below(4096)));
    }
    INFO("seed " << seed);
    REQUIRE(both.run_and_compare(900));
    CHECK(both.plain.executed >= 900);
  }
}
