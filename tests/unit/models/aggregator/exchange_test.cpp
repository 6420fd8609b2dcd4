// The scatter-gather engine: tables of chunks, equal, unequal and empty, and those that cannot be.
#include <catch2/catch.hpp>

#include "sw/drivers/exchange.h"
#include "tests/unit/models/aggregator/aggregator_bench.hpp"

using namespace heddle;
using mode = aggregator_regs::group_operation_mode;

namespace {

constexpr std::uint32_t longest = 0x8000;

tree_stream exchange() {
  tree_stream stream;
  stream.mode = mode::EXCHANGE;
  stream.length = longest;
  return stream;
}

aggregator_bench_options ranks(std::size_t count) {
  aggregator_bench_options o;
  o.leaf_of.assign(count, 0);
  return o;
}

struct exchange_bench : aggregator_bench {
  explicit exchange_bench(const aggregator_bench_options& o) : aggregator_bench(o) {}

  // Word i of what rank r sends is r << 20 | i.
  static std::vector<std::uint32_t> buffer_of(int rank) {
    std::vector<std::uint32_t> words(longest / 4);
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = static_cast<std::uint32_t>(rank) << 20 | static_cast<std::uint32_t>(i);
    return words;
  }
  memory_initiator::result push_table(int rank, const std::vector<exchange_entry>& entries,
                                      int group = 0) {
    std::vector<std::byte> table(sizeof(exchange_head) + entries.size() * sizeof(exchange_entry));
    const exchange_head head{static_cast<std::uint32_t>(entries.size()), {}};
    std::memcpy(table.data(), &head, sizeof head);
    if (!entries.empty())
      std::memcpy(table.data() + sizeof head, entries.data(),
                  entries.size() * sizeof(exchange_entry));
    return core(rank).write(window_for(rank, group), table.data(),
                            static_cast<std::uint32_t>(table.size()));
  }
  memory_initiator::result push_bytes(int rank, std::uint32_t first, std::uint32_t bytes,
                                      int group = 0) {
    const std::vector<std::uint32_t> words = buffer_of(rank);
    return core(rank).write(window_for(rank, group) + EXCHANGE_TABLE_BYTES + first,
                            reinterpret_cast<const std::byte*>(words.data()) + first, bytes);
  }
  std::uint32_t word_at(int rank, std::uint64_t offset) {
    return word_of<std::uint32_t>(rank, result_at + offset);
  }
};

// Bytes that `from` has for `to`: unequal, some nothing.
std::uint32_t bytes_between(std::size_t from, std::size_t to) {
  return static_cast<std::uint32_t>((from * 5 + to * 3) % 4 * 128);
}

}  // namespace

TEMPLATE_TEST_CASE_SIG("chunks of any length, empty ones too, find their way", "",
                       ((int count, unsigned train), count, train), (2, 1), (4, 1), (7, 1),
                       (7, 4)) {
  aggregator_bench_options o = ranks(static_cast<std::size_t>(count));
  o.train = train;
  o.link_buffer = 144 * train;  // for one packet
  exchange_bench bench(o);
  const auto n = static_cast<std::size_t>(count);
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, exchange());
  });
  for (int rank = 0; rank < count; ++rank)
    bench.at(20 * fs_per_us, [&bench, rank] {
      std::vector<exchange_entry> entries;
      std::uint32_t end = 0;
      const auto from = static_cast<std::size_t>(rank);
      for (std::size_t to = 0; to < n; ++to) {
        if (to == from) continue;
        const std::uint32_t bytes = bytes_between(from, to);
        entries.push_back(
            {static_cast<std::uint32_t>(to), end, bytes, static_cast<std::uint32_t>(from * 1024)});
        end += bytes;
      }
      bench.push_table(rank, entries);
      if (end > 0) bench.push_bytes(rank, 0, end);
    });
  bench.run();
  CHECK(bench.failures().empty());
  for (std::size_t to = 0; to < n; ++to) {
    CHECK(bench.flag(static_cast<int>(to)) == n - 1);
    for (std::size_t from = 0; from < n; ++from) {
      if (from == to) continue;
      std::uint32_t first = 0;
      for (std::size_t i = 0; i < to; ++i) first += i == from ? 0 : bytes_between(from, i);
      const std::uint32_t bytes = bytes_between(from, to);
      for (std::uint32_t at = 0; at < bytes; at += 4)
        REQUIRE(bench.word_at(static_cast<int>(to), from * 1024 + at) ==
                (static_cast<std::uint32_t>(from) << 20 | (first + at) / 4));
      CHECK(bench.word_at(static_cast<int>(to), from * 1024 + bytes) == 0);
    }
  }
}

TEMPLATE_TEST_CASE_SIG("all list their chunks in one order, and ports are still full", "",
                       ((bool is_rotated), is_rotated), true, false) {
  constexpr std::uint32_t chunk = 4096;
  constexpr int count = 8;
  exchange_bench bench(ranks(count));
  fs_t end = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, exchange());
  });
  for (int rank = 0; rank < count; ++rank)
    bench.at(20 * fs_per_us, [&, rank] {
      std::vector<exchange_entry> entries;
      for (int i = 1; i < count; ++i) {
        const auto to =
            static_cast<std::uint32_t>((is_rotated ? rank + i : i - 1 + (i > rank)) % count);
        entries.push_back({to, to * chunk, chunk, static_cast<std::uint32_t>(rank) * chunk});
      }
      bench.push_table(rank, entries);
      const auto own = static_cast<std::uint32_t>(rank);
      if (rank + 1 < count) bench.push_bytes(rank, (own + 1) * chunk, (count - 1 - own) * chunk);
      if (rank > 0) bench.push_bytes(rank, 0, own * chunk);
      while (bench.flag(rank) < count - 1) sc_core::wait(to_sc_time(10 * fs_per_ns));
      end = std::max(end, now_fs());
    });
  bench.run();
  CHECK(bench.failures().empty());
  // 7 chunks of 32 packets of 144 B, and what an access there and back takes for each push.
  const fs_t wire = 7 * 32 * 144 * aggregator_bench::per_byte;
  CHECK(end - 20 * fs_per_us >= wire);
  CHECK(end - 20 * fs_per_us <= wire + 3 * fs_per_us);
}

TEMPLATE_TEST_CASE_SIG("a table that cannot be is refused, and the group told", "",
                       ((int kind), kind), 0, 1, 2, 3, 4, 5) {
  const std::vector<exchange_entry> tables[] = {
      {{1, 0, 128, 0}, {2, 128, 128, 0}, {3, 256, 128, 0}},  // more than there are others
      {{1, 0, 100, 0}},                                      // not aligned
      {{9, 0, 128, 0}},                                      // no member
      {{1, longest, 128, 0}},                                // behind the buffer
      {{1, 0, 256, 0}, {2, 128, 128, 0}},                    // overlapping
      {{1, 0, 128, 0}}};                                     // bytes that no chunk has
  exchange_bench bench(ranks(3));
  memory_initiator::result table, bytes;
  std::uint32_t state = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, exchange());
    table = bench.push_table(0, tables[kind]);
    if (kind == 5) bytes = bench.push_bytes(0, 128, 128);
    state = bench.state(0);
  });
  bench.run();
  CHECK((kind == 5 ? bytes : table).status != tlm::TLM_OK_RESPONSE);
  CHECK(state == 3);
  CHECK(bench.flag(2) >> 32 != 0);
}

TEMPLATE_TEST_CASE_SIG("every byte of a chunk goes on once and in order, or the group is told", "",
                       ((int kind), kind), 0, 1, 2, 3) {
  struct two_pushes {
    std::vector<exchange_entry> table;
    std::uint32_t taken_first, taken_bytes;  // nothing where there are no bytes
    std::uint32_t refused_first, refused_bytes;
  };
  const two_pushes all[] = {
      {{{1, 0, 128, 0}, {2, 128, 128, 0}}, 128, 128, 0, 256},  // the second chunk once more
      {{{1, 0, 128, 0}, {2, 128, 256, 0}}, 128, 128, 0, 384},  // the beginning of it once more
      {{{1, 0, 256, 0}}, 0, 0, 128, 128},                      // without the beginning of a chunk
      {{{1, 0, 128, 0}, {2, 256, 128, 0}}, 0, 0, 0, 384}};     // with bytes that no chunk has
  const two_pushes& pushes = all[kind];
  aggregator_bench_options o = ranks(3);
  o.train = 4;  // one packet for both chunks
  exchange_bench bench(o);
  memory_initiator::result taken, refused;
  std::uint32_t state = 0;
  bench.at(0, [&] {
    bench.add_children(0, [](int) { return true; });
    bench.arm(0, exchange());
    bench.push_table(0, pushes.table);
    if (pushes.taken_bytes > 0) taken = bench.push_bytes(0, pushes.taken_first, pushes.taken_bytes);
    refused = bench.push_bytes(0, pushes.refused_first, pushes.refused_bytes);
    state = bench.state(0);
  });
  bench.run();
  if (pushes.taken_bytes > 0) {
    CHECK(taken.status == tlm::TLM_OK_RESPONSE);
    CHECK(bench.word_at(2, 4) == 33);
  }
  CHECK(refused.status != tlm::TLM_OK_RESPONSE);
  CHECK(state == 3);
  CHECK(bench.flag(2) >> 32 ==
        static_cast<std::uint32_t>(aggregator_regs::group_status_error::WINDOW));
  for (const std::uint64_t at : {4, 132}) CHECK(bench.word_at(1, at) == 0);
}

TEST_CASE("two exchanges at once do not touch each other") {
  exchange_bench bench(ranks(3));
  bench.at(0, [&] {
    for (const int group : {0, 1}) {
      bench.add_children(group, [](int) { return true; });
      bench.arm(group, exchange());
    }
  });
  for (int rank = 0; rank < 3; ++rank)
    for (const int group : {0, 1})
      bench.at(20 * fs_per_us, [&bench, rank, group] {
        const auto next = static_cast<std::uint32_t>((rank + 1 + group) % 3);
        bench.push_table(rank, {{next, 0, 256, static_cast<std::uint32_t>(group) * 512}}, group);
        bench.push_bytes(rank, 0, 256, group);
      });
  bench.run();
  CHECK(bench.failures().empty());
  for (int rank = 0; rank < 3; ++rank)
    for (const int group : {0, 1}) {
      CHECK(bench.flag(rank, group) == 1);
      const int from = (rank + 5 - group) % 3;
      CHECK(bench.word_at(rank, static_cast<std::uint64_t>(group) * 512 + 252) ==
            (static_cast<std::uint32_t>(from) << 20 | 63));
    }
}
