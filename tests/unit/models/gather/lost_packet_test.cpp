// One packet is lost: the watchdog ends the gather, late responses belong to nobody, and the same
// list gathered again is exact only without the filter.
#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include "platform/contracts/register_audit.hpp"
#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t us = fs_per_us;
constexpr std::uint32_t failed_by_watchdog = 2U | 1U << 4;  // status

// Node 0 asks node 1 for 300 properties: 4 packets of requests, at least 18 of responses.
struct lossy_bench : rig_bench {
  lossy_bench(int loser, int packet) : rig_bench(settings_of(loser, packet)), list(300) {
    std::iota(list.begin(), list.end(), 1024);
  }

  static rig_bench_settings settings_of(int loser, int packet) {
    rig_bench_settings set;
    set.rows_per_node = 1024;
    set.configure = [=](rig_parameters& p) {
      if (static_cast<int>(p.number()) == loser) p.lose.set(static_cast<std::uint64_t>(packet));
    };
    return set;
  }

  // What the failed gather has brought is void: its owner may do with that memory as it likes.
  void spoil() {
    std::vector<std::byte> bytes(set.length, std::byte{0xa5});
    for (const std::uint32_t index : list)
      nodes[0].debug->debug(tlm::TLM_WRITE_COMMAND, destination + std::uint64_t{index} * set.length,
                            bytes.data(), set.length);
  }
  void reset() { write32(nodes[0], rig_regs::unit_control_offset(0), 1); }
  std::size_t arrived() {
    return static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [&](std::uint32_t each) { return has(0, each); }));
  }

  std::vector<std::uint32_t> list;
};

}  // namespace

TEMPLATE_TEST_CASE_SIG("a lost packet: the list gathered again without the filter is exact", "",
                       ((int node, int packet), node, packet), (0, 1), (0, 2), (0, 9), (0, 18),
                       (1, 1), (1, 3), (1, 4)) {
  lossy_bench b(node, packet);
  b.start([&] {
    b.post(0, {0, b.list, 40 * us});
    sc_core::wait(to_sc_time(60 * us));
    CHECK(b.read32(0, rig_regs::unit_status_offset(0)) == failed_by_watchdog);
    CHECK(b.arrived() < b.list.size());
    b.spoil();
    b.reset();
    b.set.filters = false;
    b.post(0, {0, b.list});
  });
  b.run();
  CHECK(b.counts(0).failures.raw() == 1);
  CHECK(b.counts(node).lost_packets.raw() == 1);
  CHECK(b.completions.size() == 1);
  CHECK(b.arrived() == b.list.size());
  CHECK(b.failures().empty());
}

TEST_CASE("a lost packet: gathered again with the filter, void properties stay as they are") {
  lossy_bench b(0, 9);
  b.start([&] {
    b.post(0, {0, b.list, 40 * us});
    sc_core::wait(to_sc_time(60 * us));
    const std::size_t first = b.arrived();
    CHECK(first > 0);
    b.spoil();
    b.reset();
    b.post(0, {0, b.list});
    sc_core::wait(to_sc_time(60 * us));
    CHECK(b.arrived() == b.list.size() - first);
  });
  b.run();
  CHECK(b.completions.size() == 1);
  CHECK(b.sim.service<register_audit_log>().fails_run());
}

TEST_CASE("responses that come after the watchdog are dropped, also while the list is repeated") {
  lossy_bench b(0, 0);
  b.start([&] {
    b.post(0, {0, b.list, 3 * us});
    sc_core::wait(to_sc_time(4 * us));
    CHECK(b.read32(0, rig_regs::unit_status_offset(0)) == failed_by_watchdog);
    b.spoil();
    b.reset();
    b.set.filters = false;
    b.post(0, {0, b.list});
  });
  b.run();
  CHECK(b.completions.size() == 1);
  CHECK(b.counts(0).orphans.raw() > 0);
  CHECK(b.arrived() == b.list.size());
  CHECK(b.failures().empty());
}
