#include "transactors/bus/bus.hpp"

#include <catch2/catch.hpp>

#include "platform/random/random_stream.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t bus_latency = 7;

// low: 0x1000..0x1fff; high: 0x8000..0x8fff, absolute; the rest, when asked for: far.
struct bus_bench : test_bench {
  memory_bus& bus = add<memory_bus>("bus", [](bus_parameters& p) { p.latency.set({bus_latency}); });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  memory_target& low = add_stimulus<memory_target>("low");
  memory_target& high = add_stimulus<memory_target>("high");
  memory_target& far = add_stimulus<memory_target>("far");
  unsigned char data[64] = {};

  explicit bus_bench(bool has_default = true) {
    bind(core, "bus", bus, "in");
    map(bus, 0x1000, 0x1000, low, "in");
    map(bus, 0x8000, 0x1000, high, "in", true);
    if (has_default)
      bus.add_default_range().connect(*far.find_port("in"), nullptr);
    else
      bind(add_stimulus<memory_initiator>("nobody"), "bus", far, "in");
  }
  std::uint64_t count(int index) const { return bus.statistics()->all()[index]->raw(); }
};

std::vector<std::uint64_t> addresses(const memory_target& target) {
  std::vector<std::uint64_t> all;
  for (const auto& each : target.accesses) all.push_back(each.address);
  return all;
}

using list = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("addresses lose their base unless the range is absolute") {
  bus_bench bench;
  bench.at(0, [&] {
    for (const std::uint64_t at : {0x1000, 0x1ffc, 0x8004, 0x0, 0x2000, 0x7ffc, 0x9000})
      bench.core.read(at, bench.data, 4);
  });
  bench.run();
  CHECK(addresses(bench.low) == list{0x0, 0xffc});
  CHECK(addresses(bench.high) == list{0x8004});
  CHECK(addresses(bench.far) == list{0x0, 0x2000, 0x7ffc, 0x9000});
  CHECK(bench.count(0) == 7);
  CHECK(bench.count(1) == 0);
}

// Each is found in another way: by its page, by the range, or by a search alone.
TEST_CASE("ranges of any size take their addresses, whatever was accessed before") {
  struct range {
    std::uint64_t base, size;
  };
  const std::vector<range> ranges = {{0x0, 0x100},       {0x100, 0xf00},    {0x1000, 0x1000},
                                     {0x2800, 0x2000},   {0x10000, 0x1000}, {0x100000, 0x40000},
                                     {0x140000, 0x80000}};
  test_bench bench;
  auto& bus = bench.add<memory_bus>("bus", [](bus_parameters&) {});
  auto& core = bench.add_stimulus<memory_initiator>("core");
  std::vector<memory_target*> targets;
  bench.bind(core, "bus", bus, "in");
  for (const range& each : ranges) {
    targets.push_back(
        &bench.add_stimulus<memory_target>("target" + std::to_string(targets.size())));
    bench.map(bus, each.base, each.size, *targets.back(), "in");
  }
  std::vector<list> expected(ranges.size());
  bench.at(0, [&] {
    random_stream random(1, "bus");
    unsigned char data[4] = {};
    for (int i = 0; i < 2'000; ++i) {
      const std::size_t to = random.below(static_cast<std::uint32_t>(ranges.size()));
      const std::uint64_t offset =
          random.below(static_cast<std::uint32_t>(ranges[to].size / 4)) * 4;
      core.read(ranges[to].base + offset, data, 4);
      expected[to].push_back(offset);
    }
  });
  bench.run();
  for (std::size_t i = 0; i < ranges.size(); ++i) CHECK(addresses(*targets[i]) == expected[i]);
}

TEST_CASE("the payload has its address back and time has passed") {
  bus_bench bench;
  bench.low.latency = 100;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_READ_COMMAND, 0x1010, bench.data, 4);
  memory_initiator::result got;
  bench.at(0, [&] { got = bench.core.transport(payload, 5); });
  bench.run();
  CHECK(payload.get_address() == 0x1010);
  CHECK(got.done == 5 + bus_latency + 100);
  CHECK(bench.low.accesses.at(0).when == 5 + bus_latency);
}

TEST_CASE("holes and accesses that leave their range are decode errors") {
  bus_bench bench(false);
  std::vector<tlm::tlm_response_status> got;
  bench.at(0, [&] {
    got.push_back(bench.core.read(0x0, bench.data, 4).status);
    got.push_back(bench.core.read(0x2000, bench.data, 4).status);
    got.push_back(bench.core.read(0x1ffd, bench.data, 4).status);
    got.push_back(bench.core.read(0x1ffc, bench.data, 4).status);
  });
  bench.run();
  CHECK(got == std::vector<tlm::tlm_response_status>{
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE});
  CHECK(bench.count(0) == 1);
  CHECK(bench.count(1) == 3);
}

TEST_CASE("an access that streams ends with its streaming width") {
  bus_bench bench(false);
  std::vector<tlm::tlm_response_status> got;
  const auto stream = [&](std::uint64_t address, unsigned width) {
    tlm::tlm_generic_payload payload;
    set_access(payload, tlm::TLM_WRITE_COMMAND, address, bench.data, 64);
    payload.set_streaming_width(width);
    got.push_back(bench.core.transport(payload, 0).status);
  };
  bench.at(0, [&] {
    stream(0x1ffc, 4);
    stream(0x1ffc, 5);
    stream(0x1ffc, 0);
    stream(0x1ffc, 64);
  });
  bench.run();
  CHECK(got == std::vector<tlm::tlm_response_status>{
                   tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE});
  CHECK(addresses(bench.low) == list{0xffc});
}

TEST_CASE("accesses to the default range end where a mapped range begins") {
  bus_bench bench;
  std::vector<tlm::tlm_response_status> got;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_WRITE_COMMAND, 0x7ff8, bench.data, 16);
  bench.at(0, [&] {
    got.push_back(bench.core.read(0x7ff0, bench.data, 17).status);
    got.push_back(bench.core.read(0xfff, bench.data, 2).status);
    bench.core.begin(payload);
    got.push_back(payload.get_response_status());
    got.push_back(bench.core.read(0x7ff0, bench.data, 16).status);
    got.push_back(bench.core.read(0xfff, bench.data, 1).status);
    got.push_back(bench.core.read(0x9000, bench.data, 64).status);
    got.push_back(bench.core.read(UINT64_MAX, bench.data, 1).status);
  });
  bench.run();
  CHECK(got == std::vector<tlm::tlm_response_status>{
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                   tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE,
                   tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE});
  CHECK(addresses(bench.far) == list{0x7ff0, 0xfff, 0x9000, UINT64_MAX});
  CHECK(bench.low.accesses.empty());
  CHECK(bench.high.accesses.empty());
  CHECK(bench.count(1) == 3);
}

TEST_CASE("ranges that overlap are refused by name") {
  bus_bench bench;
  CHECK_THROWS_WITH(bench.bus.add_range(0x1fff, 1, false),
                    "0x1fff..0x1fff overlaps 0x1000..0x1fff in the map of bus");
  CHECK_THROWS_AS(bench.bus.add_range(0x0, 0x10000, false), user_error);
}

TEST_CASE("direct access regions are translated and cut to the range") {
  bus_bench bench;
  tlm::tlm_dmi low, high, far;
  const auto wide = [&](std::uint64_t first, std::uint64_t last) {
    return [&bench, first, last](tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
      dmi.set_dmi_ptr(bench.data);
      dmi.set_start_address(first);
      dmi.set_end_address(last);
      return true;
    };
  };
  bench.low.on_pointer = wide(0x10, 0xffff);
  bench.high.on_pointer = wide(0x7ff0, 0x8fff);
  bench.at(0, [&] {
    REQUIRE(bench.core.ask_for_pointer(0x1020, low));
    REQUIRE(bench.core.ask_for_pointer(0x8000, high));
    REQUIRE_FALSE(bench.core.ask_for_pointer(0x5000, far));
  });
  bench.run();
  CHECK(low.get_start_address() == 0x1010);
  CHECK(low.get_end_address() == 0x1fff);
  CHECK(low.get_dmi_ptr() == bench.data);
  CHECK(high.get_start_address() == 0x8000);
  CHECK(high.get_end_address() == 0x8fff);
  CHECK(high.get_dmi_ptr() == bench.data + 0x10);
  CHECK(far.get_start_address() == 0x2000);  // "no" holds between the ranges only
  CHECK(far.get_end_address() == 0x7fff);
  CHECK(bench.count(0) == 0);
}

TEST_CASE("that a hole has no direct access says nothing of what is mapped") {
  bus_bench bench(false);
  std::vector<std::uint64_t> denied;
  bench.at(0, [&] {
    for (const std::uint64_t address : {0x0ULL, 0x7fffULL, 0x9000ULL}) {
      tlm::tlm_dmi dmi;
      REQUIRE_FALSE(bench.core.ask_for_pointer(address, dmi));
      denied.push_back(dmi.get_start_address());
      denied.push_back(dmi.get_end_address());
    }
  });
  bench.run();
  CHECK(denied == list{0x0, 0xfff, 0x2000, 0x7fff, 0x9000, UINT64_MAX});
}

TEST_CASE("withdrawals of direct access are translated, all of memory included") {
  bus_bench bench;
  bench.at(0, [&] {
    bench.low.socket->invalidate_direct_mem_ptr(0x10, 0x1f);
    bench.low.socket->invalidate_direct_mem_ptr(0, UINT64_MAX);
    bench.high.socket->invalidate_direct_mem_ptr(0x8010, 0x801f);
  });
  bench.run();
  CHECK(bench.core.invalidated == std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                                      {0x1010, 0x101f}, {0x1000, 0x1fff}, {0x8010, 0x801f}});
}

TEST_CASE("withdrawals outside of a range are told to nobody") {
  bus_bench bench;
  bench.at(0, [&] {
    bench.low.socket->invalidate_direct_mem_ptr(0x1000, 0x1fff);
    bench.high.socket->invalidate_direct_mem_ptr(0x7000, 0x7fff);
    bench.high.socket->invalidate_direct_mem_ptr(0x9000, 0x9fff);
  });
  bench.run();
  CHECK(bench.core.invalidated.empty());
}

TEST_CASE("debug accesses are routed and count nothing") {
  bus_bench bench(false);
  unsigned moved[2] = {};
  std::uint64_t seen = 0;
  bench.low.on_debug = [&](tlm::tlm_generic_payload& p) {
    seen = p.get_address();
    return 4U;
  };
  bench.at(0, [&] {
    moved[0] = bench.core.debug(tlm::TLM_READ_COMMAND, 0x1234, bench.data, 4);
    moved[1] = bench.core.debug(tlm::TLM_READ_COMMAND, 0x3000, bench.data, 4);
  });
  bench.run();
  CHECK(moved[0] == 4);
  CHECK(moved[1] == 0);
  CHECK(seen == 0x234);
  CHECK(bench.count(0) + bench.count(1) == 0);
}

TEST_CASE("debug accesses move the bytes up to the end of their range") {
  bus_bench bench;
  unsigned to_far = 0, to_low = 0, to_last = 0;
  bench.at(0, [&] {
    to_far = bench.core.debug(tlm::TLM_READ_COMMAND, 0x7ff0, bench.data, 64);
    to_low = bench.core.debug(tlm::TLM_READ_COMMAND, 0x1ff8, bench.data, 64);
    to_last = bench.core.debug(tlm::TLM_READ_COMMAND, 0x7ff0, bench.data, 16);
  });
  bench.run();
  CHECK(to_far == 16);
  CHECK(to_low == 8);
  CHECK(to_last == 16);
}

// A pipelined target looks at the address when it gets to it, long after the call has returned.
TEST_CASE("a non-blocking target sees its own address until it responds") {
  bus_bench bench;
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_READ_COMMAND, 0x1040, bench.data, 4);
  std::uint64_t later = 0, at_response = 0;
  fs_t called = 0;
  bench.core.completes_responses = false;
  bench.low.on_forward = [&](tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) called = now_fs() + to_fs(delay);
    return tlm::TLM_ACCEPTED;
  };
  bench.at(10, [&] { bench.core.begin(payload, 3); });
  bench.at(50, [&] {
    later = payload.get_address();
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    bench.low.socket->nb_transport_bw(payload, phase, delay);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::BEGIN_RESP;
    bench.low.socket->nb_transport_bw(payload, phase, delay);
    at_response = payload.get_address();
  });
  bench.at(60, [&] { bench.core.end_response(payload); });
  bench.run();
  CHECK(called == 13 + bus_latency);
  CHECK(later == 0x40);
  CHECK(at_response == 0x1040);
  REQUIRE(bench.core.phases.size() == 2);
  CHECK(bench.core.phases[0].phase == tlm::END_REQ);
  CHECK(bench.core.phases[1].phase == tlm::BEGIN_RESP);
  CHECK(bench.low.accesses.size() == 2);  // BEGIN_REQ, END_RESP
  CHECK(bench.count(0) == 1);
}

TEST_CASE("a non-blocking access to a hole is completed with an error") {
  bus_bench bench(false);
  tlm::tlm_generic_payload payload;
  set_access(payload, tlm::TLM_READ_COMMAND, 0x4000, bench.data, 4);
  tlm::tlm_sync_enum got = tlm::TLM_ACCEPTED;
  bench.at(0, [&] { got = bench.core.begin(payload); });
  bench.run();
  CHECK(got == tlm::TLM_COMPLETED);
  CHECK(payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_CASE("responses find their initiators") {
  bus_bench bench;
  memory_initiator& other = bench.add_stimulus<memory_initiator>("other");
  bench.bind(other, "bus", bench.bus, "in");
  tlm::tlm_generic_payload first, second;
  set_access(first, tlm::TLM_READ_COMMAND, 0x1000, bench.data, 4);
  set_access(second, tlm::TLM_READ_COMMAND, 0x8000, bench.data, 4);
  bench.at(0, [&] {
    bench.core.begin(first);
    other.begin(second);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    bench.high.socket->nb_transport_bw(second, phase, delay);
    phase = tlm::BEGIN_RESP;
    bench.low.socket->nb_transport_bw(first, phase, delay);
  });
  bench.run();
  REQUIRE(bench.core.phases.size() == 1);
  CHECK(bench.core.phases[0].payload == &first);
  REQUIRE(other.phases.size() == 1);
  CHECK(other.phases[0].payload == &second);
}
