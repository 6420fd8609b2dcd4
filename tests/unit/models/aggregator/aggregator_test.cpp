#include <catch2/catch.hpp>

#include "tests/unit/models/aggregator/aggregator_bench.hpp"

using namespace heddle;
using mode = aggregator_regs::group_operation_mode;

namespace {

constexpr fs_t full = 144 * aggregator_bench::per_byte;  // 128 B and a header on the wire
constexpr fs_t word = 32 * aggregator_bench::per_byte;   // 8 B are padded to a flit

bool everybody(int) {
  return true;
}

// A chain of so many switches, ranks at the lowest and one at each of the others' sides.
aggregator_bench_options tiers(int count) {
  aggregator_bench_options o;
  o.parent_of.clear();
  o.leaf_of.clear();
  // Switch 0 is the root; two branches of depth count - 1.
  o.parent_of.push_back(-1);
  for (int branch = 0; branch < 2 && count > 1; ++branch) {
    int above = 0;
    for (int tier = 1; tier < count; ++tier) {
      o.parent_of.push_back(above);
      above = static_cast<int>(o.parent_of.size()) - 1;
    }
    o.leaf_of.insert(o.leaf_of.end(), 2, above);
  }
  if (count == 1) o.leaf_of = {0, 0, 0};
  return o;
}

}  // namespace

TEMPLATE_TEST_CASE_SIG(
    "a packet through k tiers takes 2k wires, 2k - 1 switches, k reductions, k + 1 packets", "",
    ((int k), k), 1, 2, 3) {
  aggregator_bench bench(tiers(k));
  const std::vector<float> data(32, 1.5F);
  const fs_t start = 10 * fs_per_us;
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, {});
  });
  for (int rank = 0; rank < bench.ranks(); ++rank)
    bench.at(start, [&bench, &data, rank] {
      bench.core(rank).write(bench.window_for(rank), data.data(), 128);
    });
  const auto tier = static_cast<fs_t>(k);
  const fs_t arrival = start + (tier + 1) * full + 2 * tier * aggregator_bench::latency +
                       (2 * tier - 1) * aggregator_bench::forwarding +
                       tier * aggregator_bench::pipeline;
  std::vector<float> before, after;
  std::uint64_t flag_before = 1, flag_after = 0;
  bench.at(arrival - 1, [&] { before = bench.floats_of(0, 32); });
  bench.at(arrival + 1, [&] { after = bench.floats_of(0, 32); });
  bench.at(arrival + word - 1, [&] { flag_before = bench.flag(0); });
  bench.at(arrival + word + 1, [&] { flag_after = bench.flag(0); });
  bench.run();
  CHECK(before == std::vector<float>(32, 0.0F));
  CHECK(after == std::vector<float>(32, 1.5F * static_cast<float>(bench.ranks())));
  CHECK(flag_before == 0);
  CHECK(flag_after == 1);
  CHECK(bench.failures().empty());
}

TEMPLATE_TEST_CASE_SIG("a child may push windows of segments ahead, and all get every byte", "",
                       ((unsigned window, unsigned bytes), window, bytes), (1, 128), (1, 384),
                       (1, 512), (2, 896), (2, 1024), (2, 1152), (1, 4096), (5, 4096)) {
  constexpr std::uint64_t length = bytes;
  aggregator_bench_options o;
  o.buffer = 512 * window;
  aggregator_bench bench(o);
  tree_stream stream;
  stream.length = length;
  stream.segment = 512;
  stream.window = window;
  std::vector<std::vector<float>> data;
  for (int rank = 0; rank < 4; ++rank) {
    data.emplace_back(length / 4);
    for (std::size_t i = 0; i < data.back().size(); ++i)
      data.back()[i] = static_cast<float>(i % 97) + static_cast<float>(rank);
  }
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  for (int rank = 0; rank < 4; ++rank)
    bench.at(fs_per_us,
             [&, rank] { bench.push(rank, data[static_cast<std::size_t>(rank)].data(), stream); });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) {
    const std::vector<float> got = bench.floats_of(rank, length / 4);
    for (std::size_t i = 0; i < got.size(); ++i)
      REQUIRE(got[i] == 4 * static_cast<float>(i % 97) + 6);
    CHECK(bench.flag(rank) == (length + 511) / 512);
  }
  CHECK(bench.failures().empty());
  CHECK(bench.statistic_of(*bench.at_switch(0).device, "reduced_bytes") == length);
  CHECK(bench.statistic_of(*bench.at_switch(0).device, "peak_operands") <=
        std::min<std::uint64_t>(512 * window, length));
}

TEMPLATE_TEST_CASE_SIG(
    "order tree: the same bits whatever the order of arrival, and arrival adds as it comes", "",
    ((bool keeps_order, int late_ns, dtype element), keeps_order, late_ns, element),
    (true, 0, dtype::fp32), (true, 700, dtype::fp32), (false, 0, dtype::fp32),
    (false, 700, dtype::fp32), (true, 700, dtype::fp16), (false, 700, dtype::fp16)) {
  constexpr fs_t first_late = late_ns * fs_per_ns;
  aggregator_bench bench({});
  tree_stream stream;
  stream.type = element;
  stream.keeps_order = keeps_order;
  // (1 + 2^-12 * ...) sums differ by order in fp32 for such a spread of magnitudes.
  const float values[] = {1e8F, 1.0F, -1e8F, 1.0F};
  const std::uint16_t halves[] = {0x7800, 0x3c00, 0xf800, 0x3c00};  // 32768, 1, -32768, 1
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  for (int rank = 0; rank < 4; ++rank)
    bench.at(10 * fs_per_us + static_cast<fs_t>(rank) * fs_per_ns + (rank == 0 ? first_late : 0),
             [&, rank] {
               std::vector<float> wide(32, values[rank]);
               std::vector<std::uint16_t> narrow(64, halves[rank]);
               bench.core(rank).write(bench.window_for(rank),
                                      element == dtype::fp32
                                          ? static_cast<const void*>(wide.data())
                                          : static_cast<const void*>(narrow.data()),
                                      128);
             });
  bench.run();
  CHECK(bench.failures().empty());
  if (element == dtype::fp16) {  // added in fp32 and rounded once: any order gives 2
    CHECK(bench.word_of<std::uint16_t>(2, aggregator_bench::result_at) == 0x4000);
    return;
  }
  const float in_tree = (1e8F + 1.0F) + (-1e8F + 1.0F);
  const float in_turn =
      first_late > 0 ? ((1.0F + -1e8F) + 1.0F) + 1e8F : ((1e8F + 1.0F) + -1e8F) + 1.0F;
  CHECK(bench.word_of<float>(1, aggregator_bench::result_at) == (keeps_order ? in_tree : in_turn));
}

TEMPLATE_TEST_CASE_SIG(
    "results for one rank, and for each its part, and all learn how far the stream is", "",
    ((mode what), what), mode::ROOT, mode::SCATTER) {
  aggregator_bench bench(tiers(2));
  tree_stream stream;
  stream.mode = what;
  stream.length = 1024;
  stream.segment = 256;
  stream.window = 2;
  stream.target = 2;
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    // Parts of 256 B: ranks 0 and 1 are below one switch, 2 and 3 below the other.
    for (int s = 0; s < 3; ++s)
      for (std::uint32_t child = 0; child < 2; ++child) {
        const std::uint64_t bytes = s == 0 ? 512 : 256;
        const std::uint64_t first = s == 2 ? 512 : 0;
        bench.write64(s, aggregator_regs::manager_child_first_offset(0), first + child * bytes);
        bench.write64(s, aggregator_regs::manager_child_bytes_offset(0), bytes);
        bench.write32(s, aggregator_regs::manager_child_index_offset(0), child);
        bench.write32(s, aggregator_regs::manager_child_set_offset(0), 0);
      }
    bench.arm(0, stream);
  });
  const std::vector<float> data(256, 2.0F);
  for (int rank = 0; rank < 4; ++rank)
    bench.at(10 * fs_per_us, [&, rank] { bench.push(rank, data.data(), stream); });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    CHECK(bench.flag(rank) == 4);
    const std::vector<float> got = bench.floats_of(rank, 256);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool is_mine =
          what == mode::ROOT ? rank == 2 : i / 64 == static_cast<std::size_t>(rank);
      REQUIRE(got[i] == (is_mine ? 8.0F : 0.0F));
    }
  }
  CHECK(bench.failures().empty());
}

TEMPLATE_TEST_CASE_SIG("a multicast reaches all others of the tree, over each link once", "",
                       ((int sender), sender), 0, 3) {
  aggregator_bench bench(tiers(3));
  tree_stream stream;
  stream.mode = mode::COPY;
  stream.length = 512;
  stream.segment = 512;
  std::vector<float> data(128);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  bench.at(20 * fs_per_us,
           [&] { bench.core(sender).write(bench.window_for(sender), data.data(), 512); });
  bench.run();
  for (int rank = 0; rank < 4; ++rank) {
    CAPTURE(rank);
    CHECK(bench.flag(rank) == (rank == sender ? 0 : 1));
    CHECK(bench.floats_of(rank, 128) == (rank == sender ? std::vector<float>(128) : data));
  }
  // The root sends each of the four packets into one branch.
  CHECK(bench.statistic_of(*bench.at_switch(0).device, "copies") == 4);
  CHECK(bench.failures().empty());
}

TEST_CASE("each link carries the vector once a direction, answers and flags") {
  aggregator_bench bench(tiers(2));
  tree_stream stream;
  stream.length = 1024;
  stream.segment = 512;
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  const std::vector<float> data(256, 1.0F);
  for (int rank = 0; rank < 4; ++rank)
    bench.at(10 * fs_per_us, [&, rank] { bench.push(rank, data.data(), stream); });
  bench.run();
  constexpr std::uint64_t packets = 8, flags = 2;
  constexpr std::uint64_t vector = packets * 144, answers = packets * 16;
  const auto sent = [&](int s, int port) -> const link_counters& {
    return bench.at_switch(s).core->port_at(port).counters();
  };
  for (const int port : {0, 1}) {
    for (const int leaf : {1, 2}) {
      CHECK(sent(leaf, port).payload.raw() == 1024 + flags * 8);
      CHECK(sent(leaf, port).bytes.raw() == vector + answers + flags * 32);
    }
    CHECK(sent(0, port).payload.raw() == 1024);
    CHECK(sent(0, port).bytes.raw() == vector + answers);
  }
  for (const int leaf : {1, 2}) CHECK(sent(leaf, 2).bytes.raw() == vector + answers);
}

TEMPLATE_TEST_CASE_SIG("bits of integers are combined as they are", "",
                       ((reduce_op op, std::uint32_t expected), op, expected),
                       (reduce_op::bit_and, 0x10), (reduce_op::bit_or, 0xf1),
                       (reduce_op::bit_xor, 0x80)) {
  aggregator_bench bench({});
  tree_stream stream;
  stream.type = dtype::int32;
  stream.op = op;
  const std::uint32_t values[] = {0x30, 0x51, 0x71, 0x90};
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  for (int rank = 0; rank < 4; ++rank)
    bench.at(10 * fs_per_us, [&, rank] {
      const std::vector<std::uint32_t> data(32, values[rank]);
      bench.core(rank).write(bench.window_for(rank), data.data(), 128);
    });
  bench.run();
  CHECK(bench.word_of<std::uint32_t>(3, aggregator_bench::result_at + 124) == expected);
  CHECK(bench.failures().empty());
}

TEMPLATE_TEST_CASE_SIG("a late child makes all wait, and no longer than it is late", "",
                       ((int late_us), late_us), 0, 30, 1000) {
  aggregator_bench bench({});
  tree_stream stream;
  stream.watchdog_ns = 1'100'000;
  const std::vector<float> data(32, 1.0F);
  const fs_t start = 10 * fs_per_us, late = static_cast<fs_t>(late_us) * fs_per_us;
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  for (int rank = 0; rank < 4; ++rank)
    bench.at(start + (rank == 2 ? late : 0),
             [&, rank] { bench.core(rank).write(bench.window_for(rank), data.data(), 128); });
  const fs_t arrival = start + late + 2 * full + 2 * aggregator_bench::latency +
                       aggregator_bench::forwarding + aggregator_bench::pipeline;
  float before = 1, after = 0;
  bench.at(arrival - 1, [&] { before = bench.word_of<float>(0, aggregator_bench::result_at); });
  bench.at(arrival + 1, [&] { after = bench.word_of<float>(0, aggregator_bench::result_at); });
  bench.run();
  CHECK(before == 0.0F);
  CHECK(after == 4.0F);
  CHECK(bench.failures().empty());
}

TEST_CASE("a test of the tree comes back and touches no member") {
  aggregator_bench bench(tiers(2));
  std::uint32_t tested[2] = {};
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, {});
    for (const int leaf : {1, 2}) bench.write32(leaf, aggregator_regs::group_control_offset(0), 4);
    sc_core::wait(to_sc_time(fs_per_us));
    for (const int leaf : {1, 2})
      tested[leaf - 1] = bench.read32(leaf, aggregator_regs::group_tested_offset(0));
  });
  bench.run();
  CHECK(tested[0] == 1);
  CHECK(tested[1] == 1);
  for (int rank = 0; rank < 4; ++rank) CHECK(bench.flag(rank) == 0);
  CHECK(bench.failures().empty());
}

// A group that was released and allocated again may be tested for a second tree.
TEST_CASE("results of tests are counted from when the group was armed") {
  aggregator_bench bench(tiers(1));
  std::uint32_t tested = 0, afresh = 1;
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, {});
    bench.write32(0, aggregator_regs::group_control_offset(0), 4);
    sc_core::wait(to_sc_time(fs_per_us));
    tested = bench.read32(0, aggregator_regs::group_tested_offset(0));
    bench.write32(0, aggregator_regs::group_control_offset(0), 2);
    bench.add_children(0, everybody);
    bench.arm(0, {});
    afresh = bench.read32(0, aggregator_regs::group_tested_offset(0));
  });
  bench.run();
  CHECK(tested == 1);
  CHECK(afresh == 0);
}

TEST_CASE("words of the manager are under way until members see them") {
  aggregator_bench bench({});
  const std::uint64_t at = aggregator_bench::result_at;
  std::vector<std::uint32_t> under_way;
  std::vector<std::uint64_t> seen;
  bench.at(0, [&] {
    const auto look = [&] {
      under_way.push_back(bench.read32(0, aggregator_regs::manager_words_under_way_offset(0)));
      seen.push_back(bench.word_of<std::uint64_t>(1, at));
    };
    look();
    for (const int rank : {0, 1}) {
      bench.write64(0, aggregator_regs::manager_word_address_offset(0),
                    aggregator_bench::base_of(rank) + at);
      bench.write64(0, aggregator_regs::manager_word_value_offset(0), 77);
      bench.write32(0, aggregator_regs::manager_word_send_offset(0), 1);
    }
    look();
    sc_core::wait(to_sc_time(10 * fs_per_us));
    look();
  });
  bench.run();
  CHECK(under_way == std::vector<std::uint32_t>{0, 2, 0});
  CHECK(seen == std::vector<std::uint64_t>{0, 0, 77});
  CHECK(bench.failures().empty());
}

TEMPLATE_TEST_CASE_SIG("an aggregator counts packets and their waiting, however many share a train",
                       "", ((std::uint32_t train), train), 1, 8) {
  constexpr std::uint64_t length = 4096, packets = length / 128;
  aggregator_bench_options o;
  o.train = train;
  aggregator_bench bench(o);
  tree_stream stream;
  stream.length = length;
  stream.segment = length;
  const std::vector<float> data(length / 4, 1.0F);
  bench.at(0, [&] {
    bench.add_children(0, everybody);
    bench.arm(0, stream);
  });
  constexpr fs_t late = 700 * fs_per_ns;
  for (int rank = 0; rank < 4; ++rank)
    bench.at(10 * fs_per_us + (rank == 3 ? late : 0),
             [&, rank] { bench.push(rank, data.data(), stream); });
  bench.run();
  const unit& device = *bench.at_switch(0).device;
  CHECK(bench.statistic_of(device, "contributions") == 4 * packets);
  CHECK(bench.statistic_of(device, "reductions") == packets);
  CHECK(bench.statistic_of(device, "reduced_bytes") == length);
  CHECK(bench.statistic_of(device, "copies") == 4 * packets);
  CHECK(bench.statistic_of(device, "waiting") == packets * late);
  CHECK(bench.failures().empty());
}
