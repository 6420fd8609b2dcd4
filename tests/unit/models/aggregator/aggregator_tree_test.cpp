// Random trees with several groups at once, in opposite orders over shared links.
#include <catch2/catch.hpp>

#include "tests/unit/models/aggregator/random_tree.hpp"

using namespace heddle;

TEMPLATE_TEST_CASE_SIG("groups that share links in opposite orders all end, with exact sums", "",
                       ((unsigned seed), seed), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) {
  random_tree tree(seed);
  const int groups = tree.pick(1, 4);
  tree_stream stream;
  stream.length = std::uint64_t{128} * static_cast<unsigned>(tree.pick(1, 24));
  stream.segment = static_cast<std::uint32_t>(128 * tree.pick(1, 4));
  stream.window = static_cast<std::uint32_t>(tree.pick(1, 3));
  tree.options.buffer =
      std::uint64_t{stream.segment} * stream.window * static_cast<unsigned>(groups);
  aggregator_bench bench(tree.options);
  const int ranks = bench.ranks();
  std::vector<int> data(stream.length / 4);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<int>(i);
  stream.type = dtype::int32;
  bench.at(0, [&] {
    for (int group = 0; group < groups; ++group) {
      bench.add_children(group, [](int) { return true; });
      bench.arm(group, stream);
    }
  });
  for (int rank = 0; rank < ranks; ++rank)
    bench.at(20 * fs_per_us, [&, rank] {
      for (int i = 0; i < groups; ++i) {  // in one order, or in the other
        const int group = rank % 2 == 0 ? i : groups - 1 - i;
        sc_core::sc_spawn([&bench, &data, &stream, rank, group] {
          bench.push(rank, data.data(), stream, group);
        });
      }
    });
  bench.run();
  CHECK(bench.failures().empty());
  const auto segments =
      static_cast<std::uint64_t>((stream.length + stream.segment - 1) / stream.segment);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int group = 0; group < groups; ++group) REQUIRE(bench.flag(rank, group) == segments);
    for (const std::size_t i : {std::size_t{0}, data.size() / 2, data.size() - 1})
      REQUIRE(bench.word_of<int>(rank, aggregator_bench::result_at + 4 * i) ==
              static_cast<int>(i) * ranks);
  }
}
