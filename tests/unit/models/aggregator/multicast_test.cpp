// Multicast groups: overlapping ones, one of a single member, and those in the style of PCI
// Express.
#include <catch2/catch.hpp>

#include "tests/unit/models/aggregator/aggregator_bench.hpp"

using namespace heddle;
using mode = aggregator_regs::group_operation_mode;

namespace {

// Ranks 0 and 1 at switch 1, ranks 2 and 3 at switch 2, both below switch 0.
aggregator_bench_options two_tiers() {
  aggregator_bench_options o;
  o.parent_of = {-1, 0, 0};
  o.leaf_of = {1, 1, 2, 2};
  return o;
}

tree_stream copies() {
  tree_stream stream;
  stream.mode = mode::COPY;
  return stream;
}

}  // namespace

TEST_CASE("groups that overlap do not touch each other, and a group may have one member") {
  aggregator_bench bench(two_tiers());
  bench.at(0, [&] {
    bench.add_children(0, [](int rank) { return rank <= 1; });
    bench.add_children(1, [](int rank) { return rank == 1 || rank == 2; });
    bench.add_children(2, [](int rank) { return rank == 3; });
    for (const int group : {0, 1, 2}) bench.arm(group, copies());
  });
  const int sender_of[] = {0, 2, 3};
  memory_initiator::result done[3];
  for (int group = 0; group < 3; ++group)
    bench.at((20 + static_cast<fs_t>(group)) * fs_per_us, [&, group] {
      const std::vector<float> data(32, static_cast<float>(group + 1));
      const int sender = sender_of[group];
      done[group] = bench.core(sender).write(bench.window_for(sender, group), data.data(), 128);
    });
  bench.run();
  for (const auto& each : done) CHECK(each.status == tlm::TLM_OK_RESPONSE);
  CHECK(bench.flag(1, 0) == 1);
  CHECK(bench.flag(1, 1) == 1);
  CHECK(bench.word_of<float>(1, aggregator_bench::result_at) == 2.0F);
  for (const int rank : {0, 2, 3}) CHECK(bench.floats_of(rank, 32) == std::vector<float>(32));
  for (int group = 0; group < 3; ++group) CHECK(bench.state(0, group) == 0);
  CHECK(bench.failures().empty());
}

TEST_CASE("in the style of PCI Express anybody writes, and each member has its overlay") {
  aggregator_bench bench(two_tiers());
  tree_stream window;
  window.mode = mode::OVERLAY;
  window.length = 4096;
  bench.at(0, [&] {
    bench.add_children(0, [](int rank) { return rank != 3; });
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
      const int leaf = rank < 2 ? 1 : 2;
      bench.write64(leaf, aggregator_regs::manager_child_first_offset(0), 0x1000 * rank);
      bench.write32(leaf, aggregator_regs::manager_child_index_offset(0), rank % 2);
      bench.write32(leaf, aggregator_regs::manager_child_set_offset(0), 0);
    }
    bench.arm(0, window);
  });
  const std::uint32_t words[] = {0x11, 0x22, 0x33};
  memory_initiator::result stranger, member, outside;
  bench.at(20 * fs_per_us, [&] {
    stranger = bench.core(3).write(bench.window_for(3) + 40, words, sizeof words);
    member = bench.core(0).write(bench.window_for(0), words, 4);
    outside = bench.core(0).write(bench.window_for(0) + 4096, words, 4);
  });
  bench.run();
  CHECK(stranger.status == tlm::TLM_OK_RESPONSE);
  CHECK(member.status == tlm::TLM_OK_RESPONSE);
  CHECK(outside.status != tlm::TLM_OK_RESPONSE);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    const std::uint64_t at = aggregator_bench::result_at + 0x1000 * rank;
    const int number = static_cast<int>(rank);
    CHECK(bench.word_of<std::uint32_t>(number, at + 48) == (rank < 3 ? 0x33U : 0U));
    CHECK(bench.word_of<std::uint32_t>(number, at) == (rank == 1 || rank == 2 ? 0x11U : 0U));
    CHECK(bench.flag(number) == 0);
  }
  CHECK(bench.state(1) == 2);  // as before: RUN
  CHECK(bench.statistic_of(*bench.at_switch(0).device, "copies") == 2);
}
