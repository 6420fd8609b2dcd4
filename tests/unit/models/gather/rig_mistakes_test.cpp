// What software may get wrong: the command fails and says why, and the next one is done.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "platform/contracts/register_audit.hpp"
#include "tests/unit/models/gather/rig_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t us = fs_per_us;
constexpr std::uint64_t nowhere = std::uint64_t{1} << 40;
constexpr std::uint32_t failed = 2;
constexpr std::uint32_t bad_index = failed | 2U << 4, bus = failed | 3U << 4,
                        bad_length = failed | 4U << 4;

// Node 0 wants all properties of node 1, which take more than the property buffer of a server.
struct mistaken_bench : rig_bench {
  explicit mistaken_bench(const rig_bench_settings& s = settings()) : rig_bench(s), list(256) {
    std::iota(list.begin(), list.end(), 256);
  }

  static rig_bench_settings settings() {
    rig_bench_settings set;
    set.rows_per_node = 256;
    set.filters = false;
    return set;
  }
  std::uint32_t status(int unit) {
    return read32(0, rig_regs::unit_status_offset(static_cast<std::size_t>(unit)));
  }
  // Until it must have ended.
  void gather(const batch& b) {
    post(0, b);
    sc_core::wait(to_sc_time(60 * us));
  }
  void reset(int unit) {
    write32(nodes[0], rig_regs::unit_control_offset(static_cast<std::size_t>(unit)), 1);
  }
  bool has_all() {
    return std::all_of(list.begin(), list.end(), [&](std::uint32_t each) { return has(0, each); });
  }
  // After the mistake.
  void gather_again() {
    reset(0);
    gather({0, list});
    CHECK(status(0) == 0);
    CHECK(has_all());
  }
  bool is_told(const std::string& what) {
    const auto& told = sim.service<register_audit_log>().records();
    return std::any_of(told.begin(), told.end(), [&](const register_audit& each) {
      return each.reason.find(what) != std::string::npos;
    });
  }

  std::vector<std::uint32_t> list;
};

}  // namespace

TEST_CASE("properties that nobody takes: the command fails while others go on") {
  mistaken_bench b;
  b.start([&] {
    b.post(0, {0, b.list, 0, nowhere});
    b.gather({1, b.list});
    CHECK(b.status(0) == bus);
    CHECK(b.status(1) == 0);
    CHECK(b.has_all());
    b.gather_again();
  });
  b.run();
}

TEST_CASE("a node that does not have the rows that another looks for there") {
  mistaken_bench b;
  b.start([&] {
    b.write64(b.nodes[1], rig_regs::rows_per_node_offset, 128);  // those from 128 on
    b.gather({0, b.list});
    CHECK(b.status(0) == bad_index);
    b.write64(b.nodes[1], rig_regs::rows_per_node_offset, b.set.rows_per_node);
    b.gather_again();
  });
  b.run();
}

TEST_CASE("properties that their node cannot read") {
  mistaken_bench b;
  b.start([&] {
    b.write64(b.nodes[1], rig_regs::property_base_offset, nowhere);
    b.gather({0, b.list});
    CHECK(b.status(0) == bad_index);
    CHECK(b.is_told(fmt::format("looks for property {} at {:#x}, where the host answers",
                                b.set.rows_per_node, nowhere)));
    b.write64(b.nodes[1], rig_regs::property_base_offset, rig_bench::properties);
    b.gather_again();
  });
  b.run();
}

TEMPLATE_TEST_CASE_SIG("properties of no length, and of one that fits into no packet", "",
                       ((std::uint32_t length), length), 0, 1419) {
  mistaken_bench b;
  b.start([&] {
    b.write32(b.nodes[1], rig_regs::length_offset, length);
    CHECK(b.is_told("fits into no packet of 1500 B, which leaves 1418 B for it") == (length > 0));
    b.gather({0, b.list});
    CHECK(b.status(0) == bad_index);
    b.write32(b.nodes[1], rig_regs::length_offset, b.set.length);
    b.gather_again();
    b.write32(b.nodes[0], rig_regs::length_offset, length);
    b.gather({0, b.list});
    CHECK(b.status(0) == bad_length);
  });
  b.run();
}

TEST_CASE("units and nodes that are not there") {
  mistaken_bench b;
  b.start([&] {
    const std::uint32_t units = b.read32(0, rig_regs::units_offset);
    b.write32(b.nodes[0], rig_regs::clients_offset, UINT32_MAX);
    CHECK(b.read32(0, rig_regs::clients_offset) == (std::uint64_t{1} << units) - 1);
    CHECK((units == 32 || b.is_told(fmt::format("there are {} units", units))));
    b.write32(b.nodes[0], rig_regs::nodes_offset, 3);
    CHECK(b.read32(0, rig_regs::nodes_offset) == 2);
    CHECK(b.is_told("there is no node 2"));
    b.list.push_back(512);
    b.gather({0, b.list});
    CHECK(b.status(0) == bad_index);
    b.list.pop_back();
    b.gather_again();
  });
  b.run();
}

TEST_CASE("what units gather with keeps its value while one of them runs") {
  mistaken_bench b;
  b.start([&] {
    const auto keeps = [&](std::uint64_t offset, std::uint32_t value) {
      const std::uint32_t before = b.read32(0, offset);
      b.write32(b.nodes[0], offset, value);
      CHECK(b.read32(0, offset) == before);
    };
    b.write64(b.nodes[0], rig_regs::filter_bits_offset, 512);
    b.write32(b.nodes[0], rig_regs::clear_offset, 1);
    sc_core::wait(to_sc_time(us));
    b.set.filters = true;
    b.post(0, {0, b.list});
    keeps(rig_regs::nodes_offset, 1);
    keeps(rig_regs::rows_per_node_offset, 1U << 31);
    keeps(rig_regs::length_offset, 4);
    b.write64(b.nodes[0], rig_regs::filter_bits_offset, 0);
    b.write32(b.nodes[0], rig_regs::clear_offset, 1);
    sc_core::wait(to_sc_time(60 * us));
    CHECK(b.is_told("unit 0 gathers with it"));
    CHECK(b.status(0) == 0);
    CHECK(b.has_all());
  });
  b.run();
}

TEST_CASE("a filter is too short for the rows of all nodes") {
  mistaken_bench b;
  b.start([&] {
    b.write64(b.nodes[0], rig_regs::rows_per_node_offset, std::uint64_t{1} << 63);
    CHECK(b.read32(0, rig_regs::rows_per_node_offset) == UINT32_MAX);
    b.set.filters = true;
    b.gather({0, b.list});
    CHECK(b.status(0) == (failed | 6U << 4));
    CHECK(b.is_told("for 8589934590 columns"));
    b.write64(b.nodes[0], rig_regs::filter_base_offset, UINT64_MAX - 63);
    b.write64(b.nodes[0], rig_regs::filter_bits_offset, 1024);
    b.write32(b.nodes[0], rig_regs::clear_offset, 1);
    CHECK(b.is_told("ends beyond the memory"));
    const std::uint64_t memory = b.nodes[0].nic->memory_bytes();
    b.write64(b.nodes[0], rig_regs::filter_base_offset, 0);
    b.write64(b.nodes[0], rig_regs::filter_bits_offset, 8 * memory + 1);
    b.write32(b.nodes[0], rig_regs::clear_offset, 1);
    CHECK(b.is_told(fmt::format("a filter of {} bits at 0x0 ends beyond", 8 * memory + 1)));
  });
  b.run();
}

TEST_CASE("how requests share packets stays as it is while some wait") {
  mistaken_bench b;
  b.start([&] {
    constexpr std::uint32_t kept = 1U | 100'000U << 8;  // waits for 45 us
    b.write32(b.nodes[0], rig_regs::concatenation_offset, kept);
    b.list.resize(3);
    b.post(0, {0, b.list});
    sc_core::wait(to_sc_time(20 * us));
    b.write32(b.nodes[0], rig_regs::concatenation_offset, 0);
    CHECK(b.read32(0, rig_regs::concatenation_offset) == kept);
    CHECK(b.is_told("property requests wait for others now"));
  });
  b.run();
}

TEST_CASE("a larger MTU leaves room for longer properties") {
  rig_bench_settings set = mistaken_bench::settings();
  set.length = 3000;
  set.rows_per_node = 16;
  set.configure = [](rig_parameters& p) { p.mtu.set({9000}); };
  mistaken_bench b(set);
  b.start([&] { b.post(0, {0, {16, 17, 18}}); });
  b.run();
  CHECK(b.completions.size() == 1);
  for (std::uint32_t index = 16; index < 19; ++index) CHECK(b.has(0, index));
  CHECK_FALSE(b.is_told("packet"));
  CHECK_FALSE(b.is_told("is not within"));
}
