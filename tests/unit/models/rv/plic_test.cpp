// Which source a claim gets, and when the line to the hart is up.
#include "models/plic/plic.hpp"

#include <catch2/catch.hpp>

#include "tests/support/interrupt_recorder.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/statistic_of.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

struct line_driver final : unit {
  explicit line_driver(const unit_context& context) : unit(context), line(*this, "irq") {}
  interrupt_output_port line;
};

// Of 40 sources 1, 2 and 40 are driven.
struct plic_bench : test_bench {
  plic& unit;
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  interrupt_recorder& out = add_stimulus<interrupt_recorder>("out");
  std::vector<line_driver*> sources;

  plic_bench() : unit(add<plic>("plic", [](plic_parameters& p) { p.sources.set(40); })) {
    bind(core, "bus", unit, "registers");
    bind(unit, "out[0]", out, "irq");
    for (const int each : {1, 2, 40}) {
      const std::string number = std::to_string(each);
      sources.push_back(&add_stimulus<line_driver>("source" + number));
      bind(*sources.back(), "irq", unit, "in[" + number + "]");
    }
  }
  void write(std::uint64_t at, std::uint32_t value) {
    REQUIRE(core.write(at, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
  }
  std::uint32_t read(std::uint64_t at) {
    std::uint32_t value = 0;
    REQUIRE(core.read(at, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
    return value;
  }
  void priority(std::size_t source, std::uint32_t value) {
    write(plic_regs::source_priority_offset(source), value);
  }
  void enable_all() {
    write(plic_regs::enable_low_offset(0), ~0U);
    write(plic_regs::enable_high_offset(0), ~0U);
  }
  std::uint32_t claim() { return read(plic_regs::target_claim_offset(0)); }
  void complete(std::uint32_t source) { write(plic_regs::target_claim_offset(0), source); }
  // One process: registers may wait.
  void run_body(const std::function<void()>& body) {
    at(0, body);
    run();
  }
  std::size_t changes() const { return out.changes.size(); }
};

// What software finds that writes ones and reads them back.
struct probe_bench : test_bench {
  plic& unit;
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  std::size_t priorities = 0, thresholds = 0, claims = 0;
  std::vector<std::uint64_t> enables;

  probe_bench(std::uint64_t sources, std::uint64_t targets)
      : unit(add<plic>("plic", [=](plic_parameters& p) {
          p.sources.set(sources);
          p.targets.set(targets);
        })) {
    bind(core, "bus", unit, "registers");
    at(0, [this] {
      CHECK(found_at(plic_regs::source_priority_offset(0)) == 0);
      for (std::size_t i = 0; i < plic_regs::source_count; ++i)
        priorities += found_at(plic_regs::source_priority_offset(i)) != 0 ? 1 : 0;
      for (std::size_t i = 0; i < plic_regs::target_count; ++i) {
        enables.push_back(found_at(plic_regs::enable_low_offset(i)) |
                          found_at(plic_regs::enable_high_offset(i)) << 32);
        thresholds += found_at(plic_regs::target_threshold_offset(i)) != 0 ? 1 : 0;
        claims += found_at(plic_regs::target_claim_offset(i));  // nothing is pending
      }
    });
    run();
  }
  std::uint64_t found_at(std::uint64_t offset) {
    std::uint32_t value = ~0U;
    REQUIRE(core.write(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
    REQUIRE(core.read(offset, &value, sizeof value).status == tlm::TLM_OK_RESPONSE);
    return value;
  }
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("software that tries for sources and targets finds those of the unit", "",
                       ((std::uint64_t sources, std::uint64_t targets), sources, targets), (1, 1),
                       (8, 1), (31, 2), (32, 15), (63, 16)) {
  const probe_bench found(sources, targets);
  CHECK(found.priorities == sources);
  CHECK(found.thresholds == targets);
  CHECK(found.claims == 0);
  REQUIRE(found.enables.size() == plic_regs::target_count);
  for (std::size_t i = 0; i < found.enables.size(); ++i) {
    const std::uint64_t all = ~std::uint64_t{0} >> (63 - sources) & ~std::uint64_t{1};
    CHECK(found.enables[i] == (i < targets ? all : 0));
  }
}

TEST_CASE("a claim gets the highest priority, of equal ones the lowest number") {
  plic_bench bench;
  bench.run_body([&] {
    bench.enable_all();
    bench.priority(1, 1);
    bench.priority(2, 3);
    bench.priority(40, 3);
    for (line_driver* each : bench.sources) each->line.set(true);
    CHECK(bench.read(plic_regs::pending_sources_offset(0)) == 0b110);
    CHECK(bench.read(plic_regs::pending_sources_offset(1)) == 1U << 8);
    CHECK(bench.claim() == 2);
    CHECK(bench.claim() == 40);
    CHECK(bench.claim() == 1);
    CHECK(bench.claim() == 0);
    CHECK(bench.changes() == 2);  // up with the first, down with the last claim
  });
  CHECK(statistic_of(bench.unit, "claims") == 3);
  CHECK(statistic_of(bench.unit, "empty_claims") == 1);
}

TEST_CASE("a claimed source interrupts again once it is completed, if it is still up") {
  plic_bench bench;
  bench.run_body([&] {
    bench.enable_all();
    bench.priority(1, 1);
    bench.sources[0]->line.set(true);
    CHECK(bench.claim() == 1);
    CHECK(bench.out.changes.back().second == false);
    bench.complete(1);
    CHECK(bench.out.changes.back().second == true);
    CHECK(bench.claim() == 1);
    bench.sources[0]->line.set(false);
    bench.complete(1);
    CHECK(bench.out.changes.back().second == false);
    CHECK(bench.claim() == 0);
  });
}

TEST_CASE("what is not enabled, or not above the threshold, does not interrupt") {
  plic_bench bench;
  bench.run_body([&] {
    bench.priority(1, 2);
    bench.sources[0]->line.set(true);
    CHECK(bench.changes() == 0);
    bench.write(plic_regs::target_threshold_offset(0), 2);
    CHECK(bench.claim() == 0);
    bench.enable_all();
    CHECK(bench.changes() == 0);
    bench.write(plic_regs::target_threshold_offset(0), 1);
    CHECK(bench.changes() == 1);
    bench.priority(1, 0);
    CHECK(bench.changes() == 2);
  });
}

TEST_CASE("a claim finds what the threshold keeps from interrupting") {
  plic_bench bench;
  bench.run_body([&] {
    bench.enable_all();
    bench.write(plic_regs::target_threshold_offset(0), 7);
    bench.priority(1, 1);
    bench.priority(2, 3);
    for (line_driver* each : bench.sources) each->line.set(true);
    CHECK(bench.changes() == 0);
    CHECK(bench.claim() == 2);
    CHECK(bench.claim() == 1);
    CHECK(bench.claim() == 0);  // source 40 has priority 0
  });
}

TEST_CASE("ones outside of priorities, thresholds and enables are ignored") {
  plic_bench bench;
  bench.run_body([&] {
    bench.priority(1, 0xffff'fffa);
    CHECK(bench.read(plic_regs::source_priority_offset(1)) == 2);
    bench.write(plic_regs::target_threshold_offset(0), 0xffff'ffff);
    CHECK(bench.read(plic_regs::target_threshold_offset(0)) == 7);
    bench.enable_all();
    CHECK(bench.read(plic_regs::enable_low_offset(0)) == 0xffff'fffe);
  });
}

TEST_CASE("a source is completed only where it is enabled") {
  plic_bench bench;
  bench.run_body([&] {
    bench.enable_all();
    bench.priority(1, 1);
    bench.sources[0]->line.set(true);
    CHECK(bench.claim() == 1);
    bench.write(plic_regs::enable_low_offset(0), 0);
    bench.complete(1);
    bench.enable_all();
    CHECK(bench.claim() == 0);
    bench.complete(1);
    CHECK(bench.claim() == 1);
  });
}

TEST_CASE("what a line has asked for stays until it is claimed, also when the line is down again") {
  plic_bench bench;
  bench.run_body([&] {
    bench.enable_all();
    bench.priority(1, 1);
    bench.sources[0]->line.set(true);
    bench.sources[0]->line.set(false);
    CHECK(bench.read(plic_regs::pending_sources_offset(0)) == 0b10);
    CHECK(bench.out.changes.back().second == true);
    CHECK(bench.claim() == 1);
    bench.sources[0]->line.set(true);
    bench.sources[0]->line.set(false);  // the gateway forwards no second one meanwhile
    bench.complete(1);
    CHECK(bench.claim() == 0);
    CHECK(bench.out.changes.back().second == false);
  });
}
