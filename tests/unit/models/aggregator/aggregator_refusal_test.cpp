#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/models/aggregator/aggregator_bench.hpp"

using namespace heddle;
using error = aggregator_regs::group_status_error;

namespace {

constexpr std::uint32_t stopped = 3;  // state ERROR

std::uint32_t number(error of) {
  return static_cast<std::uint32_t>(of);
}

// Rank 0 at the root, rank 1 at the switch below it.
aggregator_bench_options two_tiers() {
  aggregator_bench_options o;
  o.parent_of = {-1, 0};
  o.leaf_of = {0, 1};
  return o;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("streams that cannot be are refused when they are armed", "",
                       ((std::uint64_t length, unsigned segment, int element, error reason), length,
                        segment, element, reason),
                       (130, 128, 2, error::ALIGN), (128, 64, 2, error::ALIGN),
                       (1 << 21, 1 << 21, 2, error::BUFFER), (128, 128, 9, error::TYPE),
                       (0, 128, 2, error::ALIGN), (128, 0, 2, error::ALIGN),
                       (UINT64_MAX - 127, 1 << 20, 2, error::WINDOW)) {
  aggregator_bench bench({});
  std::uint32_t state = 0, found = 0;
  tree_stream stream;
  stream.length = length;
  stream.segment = segment;
  stream.type = static_cast<dtype>(element);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    state = bench.state(0);
    found = bench.error(0);
  });
  bench.run();
  CHECK(state == stopped);
  CHECK(found == number(reason));
}

TEST_CASE("a child that never comes is named to all members, and the group beside it goes on") {
  aggregator_bench_options o;
  o.parent_of = {-1, 0, 0};
  o.leaf_of = {1, 1, 1, 2, 2, 2};
  aggregator_bench bench(o);
  tree_stream stream;
  stream.watchdog_ns = 5000;
  const std::vector<float> data(32, 1.0F);
  std::uint64_t culprits = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int rank) { return rank % 3 != 2; });
    bench.add_children(1, [](int rank) { return rank % 3 == 2; });
    bench.arm(0, stream);
    bench.arm(1, stream);
  });
  for (int rank = 0; rank < 6; ++rank) {
    if (rank == 4) continue;  // of group 0
    bench.at(10 * fs_per_us, [&bench, &data, rank] {
      bench.core(rank).write(bench.window_for(rank, rank % 3 == 2 ? 1 : 0), data.data(), 128);
    });
  }
  bench.at(100 * fs_per_us,
           [&] { culprits = bench.read64(2, aggregator_regs::group_culprit_offset(0)); });
  bench.run();
  for (const int rank : {0, 1, 3, 4}) {
    CHECK((bench.flag(rank) >> 32 & 0xf) == number(error::MISSING));
    CHECK(bench.flag(rank) >> 40 == 4);
  }
  CHECK(culprits == 2);
  for (const int rank : {2, 5}) {
    CHECK(bench.flag(rank, 1) == 1);
    CHECK(bench.floats_of(rank, 32) == std::vector<float>(32, 2.0F));
  }
}

TEMPLATE_TEST_CASE_SIG("pushing twice, or in the wrong place, stops the group", "",
                       ((unsigned offset, error expected), offset, expected), (0, error::TWICE),
                       (256, error::WINDOW)) {
  aggregator_bench bench({});
  tree_stream stream;
  stream.length = 1024;
  const std::vector<float> data(32, 1.0F);
  memory_initiator::result first, second, late;
  std::uint32_t reason = 0, again = stopped;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    first = bench.core(1).write(bench.window_for(1), data.data(), 128);
    second = bench.core(1).write(bench.window_for(1) + offset, data.data(), 128);
    reason = bench.error(0);
    late = bench.core(2).write(bench.window_for(2), data.data(), 128);  // is told by its flag
    bench.write32(0, aggregator_regs::group_control_offset(0), 1);
    again = bench.state(0);
  });
  bench.run();
  CHECK(first.status == tlm::TLM_OK_RESPONSE);
  CHECK(second.status != tlm::TLM_OK_RESPONSE);
  CHECK(late.status == tlm::TLM_OK_RESPONSE);
  CHECK(reason == number(expected));
  CHECK(bench.flag(3) >> 32 == (number(expected) | 1 << 8));
  CHECK(again == 0);
}

TEMPLATE_TEST_CASE_SIG("words behind the stream are those of switches: a member's stop the group",
                       "", ((std::uint32_t bytes), bytes), 4, 8) {
  aggregator_bench bench({});
  const std::uint64_t word = 1ULL << 32 | 7;
  memory_initiator::result forged;
  std::uint32_t reason = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
    forged =
        bench.core(1).write(bench.window_for(1) + aggregator_bench::stride - 128, &word, bytes);
    reason = bench.error(0);
  });
  bench.run();
  CHECK(forged.status != tlm::TLM_OK_RESPONSE);
  CHECK(reason == number(error::WINDOW));
  CHECK(bench.flag(3) >> 32 == (number(error::WINDOW) | 1 << 8));
}

TEMPLATE_TEST_CASE_SIG("an error that the manager of a switch below sends up has one of the names",
                       "", ((std::uint32_t code, error expected), code, expected),
                       (1, error::MISSING), (9, error::CIRCLE), (0, error::BUS), (10, error::BUS),
                       (15, error::BUS)) {
  constexpr std::uint32_t rank = 3;
  aggregator_bench bench(two_tiers());
  std::uint32_t state = 0, reason = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
    bench.write64(1, aggregator_regs::manager_word_address_offset(0),
                  aggregator_bench::window_of(0, 0) + aggregator_bench::stride - 128);
    bench.write64(1, aggregator_regs::manager_word_value_offset(0),
                  std::uint64_t{code | rank << 8} << 32);
    bench.write32(1, aggregator_regs::manager_word_send_offset(0), 1);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    state = bench.state(0);
    reason = bench.error(0);
  });
  bench.run();
  CHECK(state == stopped);
  CHECK(reason == number(expected));
  CHECK(bench.flag(0) >> 32 == (number(expected) | rank << 8));
  const auto names = aggregator_regs::group_status_error_names();
  CHECK(bench.at_switch(0).device->waiting_for() ==
        "group 0 to be reset after " + names.names().at(number(expected)));
  const std::string& told = bench.sim.service<register_audit_log>().last().reason;
  CHECK(told == (number(expected) == code
                     ? std::string("group 0: a neighbor of the tree stopped")
                     : fmt::format("group 0: a neighbor of the tree stopped with {}, which is no "
                                   "error",
                                   code)));
}

TEST_CASE("a word of the manager that is refused is reported, and no group stops") {
  aggregator_bench bench(two_tiers());
  const std::vector<float> data(32, 1.0F);
  const std::uint64_t address = aggregator_bench::window_of(1, 5);  // of a group without children
  std::uint32_t between = stopped, after = stopped;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
    bench.write64(0, aggregator_regs::manager_word_address_offset(0), address);
    bench.write64(0, aggregator_regs::manager_word_value_offset(0), 7);
    bench.write32(0, aggregator_regs::manager_word_send_offset(0), 1);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    between = bench.state(0);
    for (const int rank : {0, 1}) bench.core(rank).write(bench.window_for(rank), data.data(), 128);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    after = bench.error(0);
  });
  bench.run();
  CHECK(between == 1);  // still armed
  CHECK(after == number(error::NONE));
  for (const int rank : {0, 1}) {
    CHECK(bench.flag(rank) == 1);
    CHECK(bench.floats_of(rank, 32) == std::vector<float>(32, 2.0F));
  }
  const register_audit& told = bench.sim.service<register_audit_log>().last();
  CHECK(told.path == bench.at_switch(0).device->path());
  CHECK(told.register_name == "manager[0].word_send");
  CHECK(told.reason == fmt::format("nobody took what was written to {:#x}", address));
}

TEST_CASE("the table of an exchange has to fit into the window beside the chunks") {
  aggregator_bench bench({});
  tree_stream stream;
  stream.mode = aggregator_regs::group_operation_mode::EXCHANGE;
  stream.length = aggregator_bench::stride - 128;
  std::uint32_t found = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    found = bench.error(0);
  });
  bench.run();
  CHECK(found == number(error::WINDOW));
}

TEST_CASE("half a word of a neighbor says nothing") {
  aggregator_bench bench({});
  const std::uint32_t half = 1;
  memory_initiator::result pushed;
  std::uint32_t reason = 1;
  bench.at(0, [&] {
    bench.add_child(0, 0, aggregator_bench::base_of(0), 0, true);
    bench.add_child(0, 0, aggregator_bench::base_of(1), 1, false);  // as a switch would be
    bench.arm(0, {});
    pushed = bench.core(1).write(bench.window_for(1) + aggregator_bench::stride - 128, &half,
                                 sizeof half);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    reason = bench.error(0);
  });
  bench.run();
  CHECK(pushed.status == tlm::TLM_OK_RESPONSE);
  CHECK(reason == number(error::NONE));
  CHECK(bench.flag(0) == 0);
}

TEST_CASE("members exchange chunks below one switch: one above it is refused") {
  aggregator_bench_options o;
  o.parent_of = {-1, 0};
  o.leaf_of = {0, 1, 1};
  aggregator_bench bench(o);
  tree_stream stream;
  stream.mode = aggregator_regs::group_operation_mode::EXCHANGE;
  std::uint32_t below = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm_switch(1, 0, stream);
    below = bench.error(1);
  });
  bench.run();
  CHECK(below == number(error::TYPE));
}

TEMPLATE_TEST_CASE_SIG("a watchdog for longer than time lasts is none", "",
                       ((std::uint64_t ns), ns), UINT64_MAX, UINT64_MAX / 1'000'000,
                       10'000'000'000'000) {
  aggregator_bench bench({});
  tree_stream stream;
  stream.watchdog_ns = ns;
  const std::vector<float> data(32, 1.0F);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
  });
  for (int rank = 0; rank < 4; ++rank)
    bench.at((10 + static_cast<fs_t>(rank)) * fs_per_us, [&bench, &data, rank] {
      bench.core(rank).write(bench.window_for(rank), data.data(), 128);
    });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(bench.flag(rank) == 1);
    CHECK(bench.floats_of(rank, 32) == std::vector<float>(32, 4.0F));
  }
}

TEST_CASE("a segment longer than the stream and a window of any number are those of the stream") {
  aggregator_bench bench({});
  tree_stream stream;
  stream.segment = 1U << 31;
  stream.window = UINT32_MAX;
  const std::vector<float> data(32, 1.0F);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    for (int rank = 0; rank < 4; ++rank)
      bench.core(rank).write(bench.window_for(rank), data.data(), 128);
  });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.flag(rank) == 1);
}

TEST_CASE("who is no child is refused, and nobody else notices") {
  aggregator_bench bench({});
  const std::vector<float> data(32, 1.0F);
  memory_initiator::result stranger, unarmed, load;
  std::vector<float> got(32);
  bench.at(0, [&] {
    unarmed = bench.core(0).write(bench.window_for(0), data.data(), 128);
    bench.add_children(0, [](int rank) { return rank < 2; });
    bench.arm(0, {});
    stranger = bench.core(3).write(bench.window_for(3), data.data(), 128);
    load = bench.core(0).read(bench.window_for(0), got.data(), 128);
    for (const int rank : {0, 1}) bench.core(rank).write(bench.window_for(rank), data.data(), 128);
  });
  bench.run();
  CHECK(unarmed.status != tlm::TLM_OK_RESPONSE);
  CHECK(stranger.status != tlm::TLM_OK_RESPONSE);
  CHECK(load.status != tlm::TLM_OK_RESPONSE);
  CHECK(bench.floats_of(1, 32) == std::vector<float>(32, 2.0F));
}

// Packets carry 128 B, and a stranger's are refused each.
TEMPLATE_TEST_CASE_SIG("what is refused is counted in packets, however many share a train", "",
                       ((std::uint32_t train), train), 1, 8) {
  aggregator_bench_options o;
  o.train = train;
  aggregator_bench bench(o);
  std::vector<float> data(1024, 1.0F);
  memory_initiator::result write, read;
  bench.at(0, [&] {
    write = bench.core(0).write(bench.window_for(0), data.data(), 4096);
    read = bench.core(1).read(bench.window_for(1), data.data(), 1024);
  });
  bench.run();
  CHECK(write.status != tlm::TLM_OK_RESPONSE);
  CHECK(read.status != tlm::TLM_OK_RESPONSE);
  CHECK(bench.statistic_of(*bench.at_switch(0).device, "refused") == 4096 / 128 + 1024 / 128);
}

TEST_CASE("groups are given out until there are none, and come back") {
  aggregator_bench bench({});
  std::vector<std::uint32_t> given;
  std::uint32_t again = 0;
  bench.at(0, [&] {
    for (std::size_t i = 0; i <= aggregator_regs::group_count; ++i)
      given.push_back(bench.read32(0, aggregator_regs::allocate_offset));
    bench.write32(0, aggregator_regs::group_control_offset(17), 2);
    again = bench.read32(0, aggregator_regs::allocate_offset);
  });
  bench.run();
  for (std::uint32_t i = 0; i < aggregator_regs::group_count; ++i) CHECK(given[i] == i);
  CHECK(given.back() == UINT32_MAX);
  CHECK(again == 17);
}

TEST_CASE("groups that are each other's parents are refused") {
  aggregator_bench_options o;
  o.parent_of = {-1, 0};
  o.leaf_of = {1, 1};
  aggregator_bench bench(o);
  std::uint32_t state = 0, found = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
    bench.write64(0, aggregator_regs::group_parent_offset(0), aggregator_bench::window_of(1, 0));
    bench.write32(0, aggregator_regs::group_arm_offset(0), 1);
    state = bench.state(0);
    found = bench.error(0);
  });
  bench.run();
  CHECK(state == stopped);
  CHECK(found == number(error::CIRCLE));
}

TEST_CASE("a circle that was refused is in nobody's way") {
  aggregator_bench_options o;
  o.parent_of = {-1, 0, 0};
  o.leaf_of = {1, 1, 2, 2};
  aggregator_bench bench(o);
  const tree_stream stream;
  const std::vector<float> data(32, 1.0F);
  const auto reset = [&](int s) { bench.write32(s, aggregator_regs::group_control_offset(0), 1); };
  std::uint32_t refused = 0, beside = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    bench.write64(0, aggregator_regs::group_parent_offset(0), aggregator_bench::window_of(1, 0));
    bench.write32(0, aggregator_regs::group_arm_offset(0), 1);
    refused = bench.error(0);
  });
  bench.at(10 * fs_per_us, [&] {
    for (int s = 0; s < 3; ++s) reset(s);
    const std::uint64_t no_flag = 0;
    for (int rank = 0; rank < 4; ++rank)
      bench.fill(rank, aggregator_bench::flag_at, &no_flag, sizeof no_flag);
    bench.arm_switch(2, 0, stream);
    beside = bench.error(2);
    bench.arm_switch(0, 0, stream);
    bench.arm_switch(1, 0, stream);
    for (int rank = 0; rank < 4; ++rank)
      bench.core(rank).write(bench.window_for(rank), data.data(), 128);
  });
  bench.run();
  CHECK(refused == number(error::CIRCLE));
  CHECK(beside == 0);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.flag(rank) == 1);
}

TEST_CASE("results for a group that was reset meanwhile end in its switch") {
  aggregator_bench bench(two_tiers());
  const std::vector<float> data(32, 1.0F);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
  });
  bench.at(20 * fs_per_us, [&] { bench.core(1).write(bench.window_for(1), data.data(), 128); });
  bench.at(40 * fs_per_us, [&] {
    bench.write32(1, aggregator_regs::group_segment_offset(0), 0);
    bench.write32(1, aggregator_regs::group_control_offset(0), 1);
    bench.write32(1, aggregator_regs::group_arm_offset(0), 1);  // no segment: refused
    bench.write32(1, aggregator_regs::group_control_offset(0), 1);
  });
  bench.at(60 * fs_per_us, [&] { bench.core(0).write(bench.window_for(0), data.data(), 128); });
  bench.run();
  CHECK(bench.flag(0) == 1);
  CHECK(bench.flag(1) == 0);
  CHECK(bench.word_of<float>(1, aggregator_bench::result_at) == 0);
}

TEST_CASE("what comes down beyond the end of a shorter stream stops its group") {
  aggregator_bench bench(two_tiers());
  const std::vector<float> data(64, 1.0F);
  tree_stream stream;
  stream.mode = aggregator_regs::group_operation_mode::COPY;
  std::uint32_t found = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, stream);
    stream.length = 256;
    bench.arm_switch(0, 0, stream);
  });
  bench.at(20 * fs_per_us,
           [&] { bench.core(0).write(bench.window_for(0) + 128, data.data(), 128); });
  bench.at(40 * fs_per_us, [&] { found = bench.error(1); });
  bench.run();
  CHECK(found == number(error::WINDOW));
}

TEST_CASE("a test beside what ranks have pushed already changes nothing") {
  aggregator_bench bench({});
  const std::vector<float> data(32, 1.0F);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, {});
  });
  const auto push = [&](int rank) {
    bench.core(rank).write(bench.window_for(rank), data.data(), 128);
  };
  bench.at(20 * fs_per_us, [&] {
    push(0);
    bench.write32(0, aggregator_regs::group_control_offset(0), 1U << 2);
    for (int rank = 1; rank < 4; ++rank) push(rank);
  });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) {
    CHECK(bench.flag(rank) == 1);
    CHECK(bench.word_of<float>(rank, aggregator_bench::result_at) == 4);
  }
}
