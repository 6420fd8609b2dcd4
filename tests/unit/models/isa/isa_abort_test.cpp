// What fails under way: watchdog, bus errors, resets. The stream stops, members are told, a reset
// makes it usable again, and the next good instruction works.
#include <catch2/catch.hpp>

#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

using status = isa_bench::status;

staged_instruction allreduce(const isa_bench& bench, std::uint32_t bytes) {
  staged_instruction i;
  i.source = i.destination = bench.all();
  i.length = bytes;
  return i;
}

isa_bench_options of(int members) {
  isa_bench_options options;
  options.members = members;
  options.isa = [](isa_parameters& p) {
    p.table.set({1024});
    p.wave.set({256});
  };
  return options;
}

void expect_flags(const isa_bench& bench, std::uint32_t completions, isa_error error) {
  for (int m = 0; m < bench.options.members; ++m) {
    INFO("flag of member " << m);
    CHECK(bench.completions(m) == completions);
    CHECK(bench.flagged_error(m) == static_cast<std::uint32_t>(error));
  }
}

// After a reset everything is as it was in the beginning.
void check_next_good_one(isa_bench& bench, bool is_reset = false) {
  if (!is_reset) bench.reset();
  CHECK(bench.state() == status::IDLE);
  CHECK(bench.error() == isa_error::NONE);
  CHECK(bench.culprit() == 0);
  for (memory_member* each : bench.members) {
    std::memset(each->at(0), 0, 64);
    each->fails = [](const packet&) { return false; };
  }
  const std::uint32_t completed = bench.completed();
  bench.push(allreduce(bench, 3000));
  bench.arrive(0, bench.all());
  isa_bench::wait_ns(100'000);
  CHECK(bench.completed() == completed + 1);
  CHECK(bench.state() == status::IDLE);
  expect_flags(bench, 1, isa_error::NONE);
  CHECK(bench.isa.waiting_for().empty());
}

}  // namespace

TEST_CASE("the watchdog names the members that are missing") {
  isa_bench bench(of(4));
  constexpr fs_t first = 100 * fs_per_ns + 32 * fs_per_ps + 10 * fs_per_ns;  // at the counter
  bench.thread([&] {
    bench.set_stream(0, 0xf, 5'000);
    bench.write32(isa_regs::irq_enable_offset, 1);
    bench.push(allreduce(bench, 1000));
    bench.push(allreduce(bench, 1000));
    isa_bench::wait_ns(100);
    bench.arrive(0, 0x4);
    isa_bench::wait_ns(2'000);
    bench.arrive(0, 0x1);
    CHECK(bench.isa.waiting_for() == "gpu[0], gpu[1], gpu[3] to arrive at stream 0");
    isa_bench::wait_ns(20'000);
    REQUIRE(bench.line.changes.size() == 1);
    CHECK(bench.line.changes[0].first == first + 5'000 * fs_per_ns);
    CHECK(bench.state() == status::ERROR);
    CHECK(bench.error() == isa_error::MISSING_MEMBER);
    CHECK(bench.culprit() == 0xa);
    CHECK(bench.read32(isa_regs::stream_queued_offset(0)) == 0);
    CHECK(bench.audit() ==
          std::vector<std::string>{"stream 0 stops: MISSING_MEMBER (gpu[1], gpu[3])"});
    expect_flags(bench, 1, isa_error::MISSING_MEMBER);
    CHECK(bench.isa.waiting_for() == "stream 0 to be reset after MISSING_MEMBER (gpu[1], gpu[3])");
    check_next_good_one(bench);
  });
  bench.run();
}

TEST_CASE("who comes late to a stopped stream is told once") {
  isa_bench bench(of(3));
  bench.thread([&] {
    bench.set_stream(0, 0x7, 1'000);
    bench.push(allreduce(bench, 1000));
    bench.arrive(0, 0x3);
    isa_bench::wait_ns(5'000);
    expect_flags(bench, 1, isa_error::MISSING_MEMBER);
    bench.arrive(0, 0x4);  // its flag is up already
    isa_bench::wait_ns(5'000);
    expect_flags(bench, 1, isa_error::MISSING_MEMBER);
    bench.arrive(0, 0x7);  // for the next operation, not knowing of the failure
    isa_bench::wait_ns(5'000);
    for (int m = 0; m < 3; ++m) CHECK(bench.completions(m) == 2);
    CHECK(bench.error() == isa_error::MISSING_MEMBER);
    check_next_good_one(bench);
  });
  bench.run();
}

TEST_CASE("a stopped stream refuses, and keeps the reason why it stopped") {
  isa_bench bench(of(3));
  bench.thread([&] {
    bench.set_stream(0, 0x7, 1'000);
    bench.push(allreduce(bench, 1000));
    bench.arrive(0, 0x3);
    isa_bench::wait_ns(5'000);
    bench.push(allreduce(bench, 1000));
    bench.members[0]->add(isa_bench::isa_base() + isa_regs::stream_counter_offset(0), 3);
    isa_bench::wait_ns(5'000);
    CHECK(bench.state() == status::ERROR);
    CHECK(bench.error() == isa_error::MISSING_MEMBER);
    CHECK(bench.culprit() == 0x4);
    CHECK(bench.audit().size() == 3);
    check_next_good_one(bench);
  });
  bench.run();
}

TEST_CASE("members that no port has do no harm") {
  isa_bench bench(of(2));
  bench.thread([&] {
    bench.set_stream(0, ~member_mask{0}, 1'000);
    bench.arrive(0, 0x3);
    isa_bench::wait_ns(5'000);
    CHECK(bench.culprit() == ~member_mask{0x3});
    expect_flags(bench, 1, isa_error::MISSING_MEMBER);
    bench.reset();
    bench.set_stream(0, 0x3);
    check_next_good_one(bench, true);
  });
  bench.run();
}

TEST_CASE("a watchdog of centuries never goes off") {
  isa_bench bench(of(2));
  bench.thread([&] {
    bench.set_stream(0, 0x3, UINT64_MAX);
    bench.push(allreduce(bench, 1000));
    bench.arrive(0, 0x1);
    isa_bench::wait_ns(1'000'000);
    CHECK(bench.state() == status::WAIT);
    bench.arrive(0, 0x2);
    isa_bench::wait_ns(10'000);
    CHECK(bench.completed() == 1);
  });
  bench.run_for(fs_per_s);
  CHECK(bench.audit().empty());
}

TEST_CASE("a watchdog that is set anew for each round counts from its first arrival") {
  isa_bench bench(of(2));
  bench.thread([&] {
    bench.set_stream(0, 0x3, 2'000);
    for (std::uint32_t round = 1; round <= 5; ++round) {
      bench.push(allreduce(bench, 128));
      bench.arrive(0, 0x1);
      isa_bench::wait_ns(1'500);
      bench.arrive(0, 0x2);
      isa_bench::wait_ns(200);
      CHECK(bench.completed() == round);
    }
    isa_bench::wait_ns(10'000);
    CHECK(bench.error() == isa_error::NONE);
  });
  bench.run();
}

namespace {

void check_bus_error(packet_kind kind, std::uint64_t from_address) {
  isa_bench bench(of(3));
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    bench.write32(isa_regs::irq_enable_offset, 1);
    bench.members[1]->fails = [=](const packet& p) {
      return p.kind == kind && p.address >= isa_bench::base_of(1) + from_address;
    };
    bench.push(allreduce(bench, 10'000));
    bench.push(allreduce(bench, 10'000));
    bench.arrive(0, 0x7);
    isa_bench::wait_ns(100'000);
    CHECK(bench.state() == status::ERROR);
    CHECK(bench.error() == isa_error::BUS);
    CHECK(bench.culprit() == 0x2);
    CHECK(bench.completed() == 0);
    CHECK(bench.line.changes.size() == 1);
    CHECK(bench.audit() == std::vector<std::string>{"stream 0 stops: BUS (gpu[1])"});
    expect_flags(bench, 1, isa_error::BUS);
    check_next_good_one(bench);
  });
  bench.run();
  CHECK(bench.failures().empty());
}

}  // namespace

TEST_CASE("a bus error at the first operand stops the stream") {
  check_bus_error(packet_kind::read_request, 0);
}
TEST_CASE("a bus error at an operand in the middle stops the stream") {
  check_bus_error(packet_kind::read_request, 4096 + 5000);
}
TEST_CASE("a bus error at the last operand stops the stream") {
  check_bus_error(packet_kind::read_request, 4096 + 9'984);
}
TEST_CASE("a bus error at the first result stops the stream") {
  check_bus_error(packet_kind::write_request, 0);
}
TEST_CASE("a bus error at a result in the middle stops the stream") {
  check_bus_error(packet_kind::write_request, 4096 + 5000);
}
TEST_CASE("a bus error at the last result stops the stream") {
  check_bus_error(packet_kind::write_request, 4096 + 9'984);
}

TEST_CASE("an error leaves the other streams alone") {
  isa_bench bench(of(4));
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    bench.set_stream(1, 0xe);
    bench.members[0]->fails = [](const packet& p) { return p.kind == packet_kind::read_request; };
    staged_instruction failing = allreduce(bench, 10'000), good = failing;
    failing.source = failing.destination = 0x3;
    good.source = good.destination = 0xe;
    good.stream = 1;
    good.offset = 20'000;
    bench.push(failing);
    bench.push(good);
    bench.arrive(0, 0x3);
    bench.arrive(1, 0xe);
    isa_bench::wait_ns(100'000);
    CHECK(bench.error(0) == isa_error::BUS);
    CHECK(bench.error(1) == isa_error::NONE);
    CHECK(bench.completed(1) == 1);
    CHECK(bench.state(1) == status::IDLE);
  });
  bench.run();
}

TEST_CASE("a reset drops what runs: no flag, no error, and what comes after it is kept") {
  isa_bench bench(of(3));
  bench.thread([&] {
    bench.set_stream(0, 0x7);
    bench.write32(isa_regs::irq_enable_offset, 1);
    for (memory_member* each : bench.members)
      each->delay = [](const packet&) { return 500 * fs_per_ns; };
    bench.push(allreduce(bench, 20'000));
    bench.push(allreduce(bench, 20'000));
    bench.arrive(0, 0x7);
    isa_bench::wait_ns(2'000);
    CHECK(bench.state() == status::RUN);
    bench.reset();
    CHECK(bench.state() == status::RUN);  // until what is under way has come home
    bench.push(allreduce(bench, 128));
    bench.arrive(0, 0x7);
    isa_bench::wait_ns(20'000);
    CHECK(bench.state() == status::IDLE);
    CHECK(bench.error() == isa_error::NONE);
    CHECK(bench.completed() == 1);
    CHECK(bench.line.changes.empty());
    expect_flags(bench, 1, isa_error::NONE);
    bench.reset();  // of an idle stream: nothing
    check_next_good_one(bench, true);
  });
  bench.run();
  CHECK(bench.audit().empty());
}

TEST_CASE("a reset forgets arrivals") {
  isa_bench bench(of(2));
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    bench.arrive(0, 0x1);
    isa_bench::wait_ns(100);
    CHECK(bench.read64(isa_regs::stream_counter_offset(0)) == 1);
    bench.reset();
    CHECK(bench.read64(isa_regs::stream_counter_offset(0)) == 0);
    check_next_good_one(bench, true);
  });
  bench.run();
  CHECK(bench.audit().empty());
}

TEST_CASE("members change only while a stream is idle") {
  isa_bench bench(of(2));
  bench.thread([&] {
    bench.set_stream(0, 0x3);
    bench.arrive(0, 0x1);
    isa_bench::wait_ns(100);
    CHECK_FALSE(bench.write64(isa_regs::stream_members_offset(0), 0x1));
    bench.reset();
    CHECK(bench.write64(isa_regs::stream_members_offset(0), 0x1));
  });
  bench.run();
}
