// Calls, returns, tail calls, traps and code that falls into the next function, by exact cycles.
#include "models/cpu/call_stack.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/models/rv/hart_bench.hpp"

using namespace heddle;
using namespace heddle::rv;
using namespace heddle::rv::assembler;

namespace {

constexpr std::uint64_t code = hart_bench::code;

// Functions of 0x100 bytes each, the first at the start of the code.
symbol_table functions(const std::vector<std::string>& names, std::uint64_t bytes = 0x100) {
  std::vector<elf_symbol> symbols;
  for (const std::string& each : names)
    symbols.push_back({each, code + 0x100 * symbols.size(), bytes, true});
  return symbol_table({}, symbols);
}

struct followed_hart final : hart_observer {
  explicit followed_hart(const symbol_table& symbols) : stack(symbols) {
    bench.hart->observe(this);
    stack.start(code);
    stack.on_change = [this](std::size_t function, std::uint64_t cycles) {
      changes.emplace_back(stack.name(function), cycles);
    };
  }
  ~followed_hart() = default;
  void leaves(const left_block& left) override { stack.leave_block(left); }
  void traps(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) override {
    stack.trap(pc, handler, cycles);
  }
  void begins(const begun_instruction& next) override { begun.push_back(next.pc); }

  // From the start of the code to a WFI.
  void run() {
    CHECK(bench.run_on() == stop_reason::wait);
    stack.finish(bench.hart->cycles());
  }
  void expect(std::size_t function, std::uint64_t calls, std::uint64_t self, std::uint64_t total) {
    INFO(stack.name(function));
    CHECK(stack.of(function).calls == calls);
    CHECK(stack.of(function).self == self);
    CHECK(stack.of(function).total == total);
  }

  hart_bench bench{64};
  call_stack stack;
  std::vector<std::pair<std::string, std::uint64_t>> changes;
  std::vector<std::uint64_t> begun;
};

}  // namespace

TEST_CASE("a function's own cycles and those of what it calls") {
  const symbol_table symbols = functions({"main", "outer", "inner"});
  followed_hart seen(symbols);
  const word nop = addi(zero, zero, 0);
  seen.bench.put(code, {jal(ra, 0x100), nop, jal(ra, 0xf8), wfi});
  seen.bench.put(code + 0x100, {addi(s0, ra, 0), jal(ra, 0xfc), nop, jalr(zero, s0, 0)});
  // `outer` returns by s0: no register of returns, yet to where its call said.
  seen.bench.put(code + 0x200, {nop, nop, jalr(zero, ra, 0)});
  seen.run();
  seen.expect(0, 1, 4, 4 + 2 * (4 + 3));
  seen.expect(1, 2, 8, 14);
  seen.expect(2, 2, 6, 6);
  REQUIRE(seen.changes.size() == 8);
  CHECK(seen.changes[0] == std::pair<std::string, std::uint64_t>("outer", 1));
  CHECK(seen.changes[1] == std::pair<std::string, std::uint64_t>("inner", 3));
  CHECK(seen.changes[2] == std::pair<std::string, std::uint64_t>("outer", 6));
  CHECK(seen.changes[3] == std::pair<std::string, std::uint64_t>("main", 8));
}

TEST_CASE("a tail call takes the place of its caller") {
  const symbol_table symbols = functions({"main", "thunk", "target"});
  followed_hart seen(symbols);
  seen.bench.put(code, {jal(ra, 0x100), wfi});
  seen.bench.put(code + 0x100, {addi(a0, a0, 1), jal(zero, 0xfc)});
  seen.bench.put(code + 0x200, {addi(a0, a0, 1), jalr(zero, ra, 0)});
  seen.run();
  seen.expect(0, 1, 2, 6);
  seen.expect(1, 1, 2, 2);
  seen.expect(2, 1, 2, 2);
}

TEST_CASE("of a recursion, the outermost activation counts") {
  const symbol_table symbols = functions({"main", "down"});
  followed_hart seen(symbols);
  seen.bench.hart->set_reg(a0, 3);
  seen.bench.hart->set_reg(sp, hart_bench::data);
  seen.bench.put(code, {jal(ra, 0x100), wfi});
  // down: push ra; if (--a0) down(); pop ra
  seen.bench.put(code + 0x100,
                 {addi(sp, sp, -8), s_type(3, sp, ra, 0), addi(a0, a0, -1), b_type(0, a0, zero, 8),
                  jal(ra, -16), load(3, ra, sp, 0), addi(sp, sp, 8), jalr(zero, ra, 0)});
  seen.run();
  seen.expect(1, 3, 2 * 8 + 7, 2 * 8 + 7);
  seen.expect(0, 1, 2, 2 + 23);
}

TEST_CASE("code that falls into the next function is cut there") {
  const symbol_table symbols({}, {{"first", code, 0, true}, {"second", code + 12, 0, true}});
  followed_hart seen(symbols);
  const word nop = addi(zero, zero, 0);
  seen.bench.put(code, {nop, nop, nop, nop, nop, wfi});
  seen.run();
  seen.expect(0, 1, 3, 3);
  seen.expect(1, 1, 3, 3);
  CHECK(seen.changes.back() == std::pair<std::string, std::uint64_t>("second", 3));
}

TEST_CASE("a trap calls its handler, which goes back") {
  const symbol_table symbols = functions({"main", "handler"});
  followed_hart seen(symbols);
  seen.bench.hart->write_csr(0x305, code + 0x100);
  seen.bench.put(code, {addi(a0, a0, 1), ecall, wfi});
  seen.bench.put(code + 0x100, {csrr(t0, 0x341), addi(t0, t0, 4), csrw(0x341, t0), mret});
  seen.run();
  seen.expect(1, 1, 4, 4);
  seen.expect(0, 1, 2, 6);
}

TEST_CASE("the HAL says little: the function that calls it does") {
  const symbol_table symbols = functions({"main", "hal_read32", "driver"});
  followed_hart seen(symbols);
  seen.bench.put(code, {jal(ra, 0x200), wfi});
  seen.bench.put(code + 0x200, {addi(s0, ra, 0), jal(ra, -0x104), jalr(zero, s0, 0)});
  seen.bench.put(code + 0x100, {addi(a0, a0, 1), jalr(zero, ra, 0)});
  seen.run();
  seen.expect(1, 1, 2, 2);
  REQUIRE_FALSE(seen.changes.empty());
  for (const auto& [name, cycles] : seen.changes) CHECK(name != "hal_read32");
}

TEST_CASE("whoever traces hears of each instruction, and cycles stay what they are") {
  const symbol_table symbols = functions({"main"});
  const auto cycles_of = [&](bool traces) {
    followed_hart seen(symbols);
    seen.bench.hart->set_reg(a0, 5);
    seen.bench.hart->trace_instructions(traces);
    seen.bench.put(code, {addi(a0, a0, -1), b_type(1, a0, zero, -4), wfi});
    seen.run();
    CHECK(seen.begun.size() == (traces ? 11 : 0));
    if (traces) CHECK(seen.begun[2] == code);
    return seen.bench.hart->cycles();
  };
  CHECK(cycles_of(true) == cycles_of(false));
}
