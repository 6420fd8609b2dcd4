// Instructions of F and D as a hart executes them: which registers, which bits, what traps.
#include <catch2/catch.hpp>

#include "models/cpu/rv/csr_file.hpp"
#include "models/cpu/rv/fp/float_arithmetic.hpp"
#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

using single = std::uint32_t;
using twofold = std::uint64_t;

constexpr word dynamic = 7, format_s = 0, format_d = 1;
constexpr std::uint64_t boxed = 0xffffffff00000000;
constexpr word enable[] = {lui(t0, 0x2000), assembler::csr(2, zero, 0x300, t0)};  // mstatus.FS

// rd fa0 (10), rs1 fa1, rs2 fa2.
constexpr word compute(word function, word format, word funct3 = dynamic, word rs2 = 12) {
  return r_type(function << 2 | format, funct3, 0x53, 10, 11, rs2);
}
constexpr word fused(word major, word format) {
  return r_type(13 << 2 | format, dynamic, major, 10, 11, 12);  // rs3 fa3
}

std::uint64_t bits(double value) {
  return fp::from_host<twofold>(value);
}
std::uint64_t bits(float value) {
  return boxed | fp::from_host<single>(value);
}

// A hart with floating point on and fa1 to fa3 set.
struct float_bench {
  explicit float_bench(int xlen, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0)
      : inner(xlen), hart(inner.hart) {
    hart->write_csr(0x300, 0x2000);
    hart->set_float_reg(11, a);
    hart->set_float_reg(12, b);
    hart->set_float_reg(13, c);
  }
  stop_reason run(std::vector<word> words) { return inner.run(std::move(words)); }
  std::uint64_t csr(unsigned number) { return inner.csr(number); }
  std::uint64_t flags() { return csr(1); }
  std::uint64_t result() const { return hart->float_reg(10); }

  hart_bench inner;
  std::unique_ptr<any_hart>& hart;
};

bool traps(int xlen, word instruction) {
  float_bench bench(xlen);
  return bench.run({instruction}) == stop_reason::unhandled &&
         bench.hart->unhandled().cause == trap_cause::illegal_instruction;
}

}  // namespace

TEST_CASE("arithmetic of both precisions") {
  struct row {
    const char* name;
    word instruction;
    std::uint64_t a, b, c, result;
  };
  const row rows[] = {
      {"fadd.s", compute(0, format_s), bits(1.5F), bits(2.25F), 0, bits(3.75F)},
      {"fsub.s", compute(1, format_s), bits(1.5F), bits(2.25F), 0, bits(-0.75F)},
      {"fmul.s", compute(2, format_s), bits(1.5F), bits(2.0F), 0, bits(3.0F)},
      {"fdiv.s", compute(3, format_s), bits(1.5F), bits(2.0F), 0, bits(0.75F)},
      {"fsqrt.s", compute(11, format_s, dynamic, 0), bits(2.25F), 0, 0, bits(1.5F)},
      {"fadd.d", compute(0, format_d), bits(1.5), bits(2.25), 0, bits(3.75)},
      {"fsub.d", compute(1, format_d), bits(1.5), bits(2.25), 0, bits(-0.75)},
      {"fmul.d", compute(2, format_d), bits(1.5), bits(2.0), 0, bits(3.0)},
      {"fdiv.d", compute(3, format_d), bits(1.5), bits(2.0), 0, bits(0.75)},
      {"fsqrt.d", compute(11, format_d, dynamic, 0), bits(2.25), 0, 0, bits(1.5)},
      {"fmadd.s", fused(0x43, format_s), bits(2.0F), bits(3.0F), bits(1.0F), bits(7.0F)},
      {"fmsub.s", fused(0x47, format_s), bits(2.0F), bits(3.0F), bits(1.0F), bits(5.0F)},
      {"fnmsub.s", fused(0x4b, format_s), bits(2.0F), bits(3.0F), bits(1.0F), bits(-5.0F)},
      {"fnmadd.s", fused(0x4f, format_s), bits(2.0F), bits(3.0F), bits(1.0F), bits(-7.0F)},
      {"fmadd.d", fused(0x43, format_d), bits(2.0), bits(3.0), bits(1.0), bits(7.0)},
      {"fmsub.d", fused(0x47, format_d), bits(2.0), bits(3.0), bits(1.0), bits(5.0)},
      {"fnmsub.d", fused(0x4b, format_d), bits(2.0), bits(3.0), bits(1.0), bits(-5.0)},
      {"fnmadd.d", fused(0x4f, format_d), bits(2.0), bits(3.0), bits(1.0), bits(-7.0)},
      {"fmin.s", compute(5, format_s, 0), bits(1.5F), bits(-2.0F), 0, bits(-2.0F)},
      {"fmax.s", compute(5, format_s, 1), bits(1.5F), bits(-2.0F), 0, bits(1.5F)},
      {"fmin.d", compute(5, format_d, 0), bits(1.5), bits(-2.0), 0, bits(-2.0)},
      {"fmax.d", compute(5, format_d, 1), bits(1.5), bits(-2.0), 0, bits(1.5)},
      {"fsgnj.s", compute(4, format_s, 0), bits(1.5F), bits(-2.0F), 0, bits(-1.5F)},
      {"fsgnjn.s", compute(4, format_s, 1), bits(1.5F), bits(-2.0F), 0, bits(1.5F)},
      {"fsgnjx.s", compute(4, format_s, 2), bits(-1.5F), bits(-2.0F), 0, bits(1.5F)},
      {"fsgnj.d", compute(4, format_d, 0), bits(1.5), bits(-2.0), 0, bits(-1.5)},
      {"fsgnjn.d", compute(4, format_d, 1), bits(1.5), bits(-2.0), 0, bits(1.5)},
      {"fsgnjx.d", compute(4, format_d, 2), bits(-1.5), bits(-2.0), 0, bits(1.5)},
      {"fcvt.s.d", compute(8, format_s, dynamic, 1), bits(1.25), 0, 0, bits(1.25F)},
      {"fcvt.d.s", compute(8, format_d, dynamic, 0), bits(1.25F), 0, 0, bits(1.25)},
  };
  for (const row& each : rows)
    for (const int xlen : {32, 64}) {
      INFO(each.name << " on RV" << xlen);
      float_bench bench(xlen, each.a, each.b, each.c);
      REQUIRE(bench.run({each.instruction}) == stop_reason::wait);
      CHECK(bench.result() == each.result);
      CHECK(bench.flags() == 0);
    }
}

TEST_CASE("comparisons, classes and conversions write integer registers") {
  struct row {
    const char* name;
    int xlen;  // 0: both
    word instruction;
    std::uint64_t a, b, result;
  };
  constexpr std::uint64_t minus1 = ~std::uint64_t{0};
  const row rows[] = {
      {"fle.s", 0, compute(20, format_s, 0), bits(1.0F), bits(1.0F), 1},
      {"flt.s", 0, compute(20, format_s, 1), bits(1.0F), bits(1.0F), 0},
      {"feq.s", 0, compute(20, format_s, 2), bits(1.0F), bits(1.0F), 1},
      {"fle.d", 0, compute(20, format_d, 0), bits(2.0), bits(1.0), 0},
      {"flt.d", 0, compute(20, format_d, 1), bits(-1.0), bits(1.0), 1},
      {"feq.d", 0, compute(20, format_d, 2), bits(0.0), bits(-0.0), 1},
      {"fclass.s", 0, compute(28, format_s, 1, 0), bits(-1.0F), 0, 2},
      {"fclass.d", 0, compute(28, format_d, 1, 0), bits(1.0), 0, 64},
      {"fcvt.w.s", 0, compute(24, format_s, dynamic, 0), bits(-3.0F), 0, minus1 - 2},
      {"fcvt.wu.s", 0, compute(24, format_s, dynamic, 1), bits(3.0F), 0, 3},
      {"fcvt.l.d", 64, compute(24, format_d, dynamic, 2), bits(-5e12), 0,
       minus1 - 5'000'000'000'000 + 1},
      {"fcvt.lu.d", 64, compute(24, format_d, dynamic, 3), bits(1e19), 0,
       10'000'000'000'000'000'000U},
      {"fmv.x.w", 0, compute(28, format_s, 0, 0), bits(-1.0F), 0, 0xffffffffbf800000},
      {"fmv.x.w takes the bits", 0, compute(28, format_s, 0, 0), 0x12345678, 0, 0x12345678},
      {"fmv.x.d", 64, compute(28, format_d, 0, 0), bits(-1.0), 0, bits(-1.0)},
  };
  for (const row& each : rows)
    for (const int xlen : {32, 64}) {
      if (each.xlen != 0 && each.xlen != xlen) continue;
      INFO(each.name << " on RV" << xlen);
      float_bench bench(xlen, each.a, each.b);
      REQUIRE(bench.run({each.instruction}) == stop_reason::wait);
      const std::uint64_t wanted = xlen == 32 ? static_cast<single>(each.result) : each.result;
      CHECK(bench.hart->reg(10) == wanted);
    }
}

TEST_CASE("integers become numbers of both precisions") {
  const auto made = [](int xlen, word instruction, std::uint64_t from) {
    float_bench bench(xlen);
    bench.hart->set_reg(11, from);
    REQUIRE(bench.run({instruction}) == stop_reason::wait);
    return bench.result();
  };
  constexpr std::uint64_t minus3 = ~std::uint64_t{2};
  for (const int xlen : {32, 64}) {
    CHECK(made(xlen, compute(26, format_s, dynamic, 0), minus3) == bits(-3.0F));
    CHECK(made(xlen, compute(26, format_d, dynamic, 0), minus3) == bits(-3.0));
    CHECK(made(xlen, compute(26, format_d, dynamic, 1), minus3) == bits(4294967293.0));
    CHECK(made(xlen, compute(30, format_s, 0, 0), 0x40490fdb) == (boxed | 0x40490fdb));
  }
  CHECK(made(64, compute(26, format_d, dynamic, 2), minus3) == bits(-3.0));
  CHECK(made(64, compute(26, format_s, dynamic, 3), minus3) == bits(18446744073709551616.0F));
  CHECK(made(64, compute(30, format_d, 0, 0), bits(0.1)) == bits(0.1));
}

TEST_CASE("a single that is not boxed is a NaN") {
  float_bench bench(64, bits(1.5), bits(1.0F));
  bench.run({compute(0, format_s)});
  CHECK(bench.result() == (boxed | 0x7fc00000));
  CHECK(bench.flags() == 0);  // a quiet one
  float_bench sign(64, 0x3f800000, bits(-1.0F));
  sign.run({compute(4, format_s, 0)});
  CHECK(sign.result() == (boxed | 0xffc00000));
}

TEST_CASE("loads box singles, and stores take bits as they are") {
  for (const int xlen : {32, 64}) {
    float_bench bench(xlen, 0x123456789abcdef0);
    bench.hart->set_reg(8, hart_bench::data);
    bench.inner.poke<std::uint64_t>(hart_bench::data, bits(-2.5));
    bench.inner.poke<std::uint32_t>(hart_bench::data + 8, 0x3fc00000);
    const word store_d = s_type(3, 8, 11, 16) ^ 0x04;  // major 0x27
    const word store_s = s_type(2, 8, 11, 24) ^ 0x04;
    REQUIRE(bench.run({i_type(3, 0x07, 10, 8, 0), i_type(2, 0x07, 12, 8, 8), store_d, store_s}) ==
            stop_reason::wait);
    CHECK(bench.result() == bits(-2.5));
    CHECK(bench.hart->float_reg(12) == bits(1.5F));
    CHECK(bench.inner.peek<std::uint64_t>(hart_bench::data + 16) == 0x123456789abcdef0);
    CHECK(bench.inner.peek<std::uint64_t>(hart_bench::data + 24) == 0x9abcdef0);
  }
}

TEST_CASE("f0 is a register like any other") {
  float_bench bench(64, bits(1.0), bits(2.0));
  bench.run({r_type(0 << 2 | format_d, dynamic, 0x53, 0, 11, 12)});
  CHECK(bench.hart->float_reg(0) == bits(3.0));
}

TEST_CASE("compressed loads and stores of D, and of F on RV32") {
  const auto parcels = [](int xlen) {
    // c.fld fa0,8(s0); c.fsd fa0,16(s0); c.fldsp fs0,24(sp); c.fsdsp fs0,32(sp)
    std::vector<std::uint16_t> made = {0x2408, 0xa808, 0x2462, 0xb022};
    // c.flw fa1,0(s0); c.fsw fa1,40(s0); c.flwsp fa2,0(sp); c.fswsp fa2,44(sp)
    if (xlen == 32) made.insert(made.end(), {0x600c, 0xf40c, 0x6602, 0xf632});
    made.insert(made.end(), {0x0073, 0x1050});  // wfi
    return made;
  };
  for (const int xlen : {32, 64}) {
    INFO("RV" << xlen);
    float_bench bench(xlen);
    bench.hart->set_reg(8, hart_bench::data);
    bench.hart->set_reg(2, hart_bench::data);
    for (unsigned i = 0; i < 8; ++i)
      bench.inner.poke<std::uint64_t>(hart_bench::data + 8 * i, 0x1111111122222222 * i);
    bench.inner.put16(hart_bench::code, parcels(xlen));
    REQUIRE(bench.inner.run_on() == stop_reason::wait);
    CHECK(bench.inner.peek<std::uint64_t>(hart_bench::data + 16) == 0x1111111122222222);
    CHECK(bench.inner.peek<std::uint64_t>(hart_bench::data + 32) == 0x1111111122222222 * 3);
    if (xlen == 64) continue;
    CHECK(bench.inner.peek<std::uint32_t>(hart_bench::data + 40) == 0);
    CHECK(bench.hart->float_reg(11) == boxed);
    CHECK(bench.inner.peek<std::uint32_t>(hart_bench::data + 44) == 0);
  }
}

TEST_CASE("what rounds does it by the instruction or by frm") {
  const auto third = [](word mode, std::uint64_t frm) {
    float_bench bench(64, bits(1.0), bits(3.0));
    bench.hart->write_csr(2, frm);
    REQUIRE(bench.run({compute(3, format_d, mode)}) == stop_reason::wait);
    CHECK(bench.flags() == fp::inexact);
    return bench.result();
  };
  constexpr std::uint64_t below = 0x3fd5555555555555;
  CHECK(third(0, 3) == below);      // to nearest
  CHECK(third(3, 0) == below + 1);  // up
  CHECK(third(dynamic, 3) == below + 1);
  CHECK(third(dynamic, 2) == below);
}

TEST_CASE("exceptions add up in fcsr until they are cleared") {
  float_bench bench(64, bits(1.0), bits(0.0), bits(1e308));
  bench.run({compute(3, format_d), compute(2, format_d, dynamic, 13),
             r_type(2 << 2 | format_d, dynamic, 0x53, 10, 13, 13)});
  CHECK(bench.flags() == (fp::divided_by_zero | fp::overflow | fp::inexact));
  CHECK(bench.csr(3) == (fp::divided_by_zero | fp::overflow | fp::inexact));
  bench.hart->write_csr(3, 0x7ff);
  CHECK(bench.csr(1) == 0x1f);
  CHECK(bench.csr(2) == 7);
  CHECK(bench.csr(3) == 0xff);
}

TEST_CASE("without mstatus.FS there is no floating point") {
  hart_bench bench(64);
  CHECK(bench.run({compute(0, format_d)}) == stop_reason::unhandled);
  CHECK(bench.hart->unhandled().value == compute(0, format_d));
  hart_bench reading(64);
  CHECK(reading.run({csrr(a0, 3)}) == stop_reason::unhandled);
  CHECK(reading.hart->write_csr(3, 0xe1));  // a debugger may
  CHECK(reading.csr(3) == 0xe1);
  hart_bench enabled(64);
  CHECK(enabled.run({enable[0], enable[1], compute(0, format_d)}) == stop_reason::wait);
  CHECK((enabled.csr(0x300) & 0x6000) == 0x6000);  // Dirty
  CHECK(enabled.csr(0x300) >> 63 == 1);            // SD
  enabled.hart->write_csr(0x300, 0);
  CHECK(enabled.csr(0x300) >> 63 == 0);
}

TEST_CASE("misa names F and D") {
  hart_bench bench(64);
  CHECK((bench.csr(0x301) & (1U << 3 | 1U << 5)) == (1U << 3 | 1U << 5));
}

TEST_CASE("a trap keeps floating point on") {
  float_bench bench(64);
  bench.hart->write_csr(0x305, hart_bench::handler);
  bench.inner.put(hart_bench::handler, {wfi});
  REQUIRE(bench.run({ecall}) == stop_reason::wait);
  CHECK((bench.csr(0x300) & 0x6000) == 0x6000);
}

TEST_CASE("what F and D do not define is illegal") {
  for (const int xlen : {32, 64}) {
    INFO("RV" << xlen);
    CHECK(traps(xlen, compute(0, 2)));            // Zfh
    CHECK(traps(xlen, compute(0, 3)));            // Q
    CHECK(traps(xlen, compute(0, format_d, 5)));  // reserved rounding
    CHECK(traps(xlen, compute(0, format_d, 6)));
    CHECK(traps(xlen, fused(0x43, format_d) & ~word{0x2000}));  // 5
    CHECK(traps(xlen, compute(11, format_d)));                  // a root of two operands
    CHECK(traps(xlen, compute(4, format_d, 3)));
    CHECK(traps(xlen, compute(5, format_d, 2)));
    CHECK(traps(xlen, compute(20, format_d, 3)));
    CHECK(traps(xlen, compute(24, format_d, dynamic, 4)));
    CHECK(traps(xlen, compute(8, format_s, dynamic, 0)));  // from a format to itself
    CHECK(traps(xlen, i_type(4, 0x07, 10, 8, 0)));
  }
  CHECK(traps(32, compute(24, format_d, dynamic, 2)));  // fcvt.l.d
  CHECK(traps(32, compute(26, format_d, dynamic, 2)));
  CHECK(traps(32, compute(28, format_d, 0, 0)));  // fmv.x.d
  CHECK(traps(32, compute(30, format_d, 0, 0)));
}

TEST_CASE("a rounding mode of frm that does not exist refuses what rounds") {
  float_bench bench(64, bits(1.0), bits(3.0));
  bench.hart->write_csr(2, 5);
  CHECK(bench.run({compute(4, format_d, 0)}) == stop_reason::wait);
  CHECK(bench.run({compute(3, format_d, 0)}) == stop_reason::wait);
  CHECK(bench.run({compute(3, format_d)}) == stop_reason::unhandled);
}
