// Random loads, stores and additions of all accelerators at once, beside ordinary traffic: whatever
// the buffers and credits, everything ends, data is exact, absent members are left alone.
#include <catch2/catch.hpp>

#include <random>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/models/nvls/nvls_bench.hpp"

using namespace heddle;

namespace {

// Of every memory: inputs that are only read, slices that one rank each stores to all, counters,
// and slices that one rank each writes to one other.
constexpr std::uint32_t inputs = 0, stored = 0x1'0000, counters = 0x6'0000, ordinary = 0x8'0000,
                        input_bytes = 0x1'0000, slice = 0x4000;
constexpr int operations = 40;

struct random_traffic : nvls_bench {
  const int ranks;
  const std::uint64_t present;
  int ended = 0;
  std::uint64_t added = 0;
  std::vector<std::vector<std::byte>> expected_slices;  // by rank
  std::vector<tensor_bytes> tensors;

  explicit random_traffic(const nvls_options& o)
      : nvls_bench(o),
        ranks(o.ranks),
        present(((std::uint64_t{1} << o.ranks) - 1) & ~o.absent),
        expected_slices(static_cast<std::size_t>(o.ranks), std::vector<std::byte>(slice)) {
    for (int rank = 0; rank < ranks; ++rank) {
      tensors.emplace_back(input_bytes);
      fill_random(dtype::fp16, tensors.back().data(), input_bytes / 2, 7,
                  static_cast<std::uint64_t>(rank));
      fill(rank, inputs, tensors.back().data(), input_bytes);
      at(0, [this, rank] { load(rank); });
      at(0, [this, rank] { store(rank); });
      at(0, [this, rank] { write(rank); });
    }
  }

  bool is_member(int rank) const { return (present >> rank & 1U) != 0; }

  void load(int rank) {
    std::mt19937 random(static_cast<unsigned>(rank) + 100);
    for (int i = 0; i < operations; ++i) {
      const auto element = static_cast<std::uint32_t>(random() % 2000);
      const auto count = 1 + static_cast<std::uint32_t>(random() % 3000);
      tensor_bytes got(std::size_t{count} * 2);
      const auto result = ld_reduce(rank, inputs + element * 2, got.data(), count * 2, dtype::fp16);
      CHECK(result.status == tlm::TLM_OK_RESPONSE);
      rank_inputs operands;
      for (int other = 0; other < ranks; ++other)
        if (is_member(other))
          operands.push_back(tensors[static_cast<std::size_t>(other)].data() + element * 2);
      CHECK(got == golden_tree_allreduce(dtype::fp16, reduce_op::sum, operands, count));
      sc_core::wait(to_sc_time(random() % 50 * fs_per_ns));
    }
    ++ended;
  }

  void store(int rank) {
    std::mt19937 random(static_cast<unsigned>(rank) + 200);
    std::vector<std::byte>& mine = expected_slices[static_cast<std::size_t>(rank)];
    for (int i = 0; i < operations; ++i) {
      const auto at = static_cast<std::uint32_t>(random() % (slice - 1));
      const auto bytes = 1 + static_cast<std::uint32_t>(random() % (slice - at));
      for (std::uint32_t j = 0; j < bytes; ++j) mine[at + j] = static_cast<std::byte>(random());
      CHECK(
          st(rank, stored + static_cast<std::uint32_t>(rank) * slice + at, mine.data() + at, bytes)
              .status == tlm::TLM_OK_RESPONSE);
      const std::uint64_t addend = random() % 1000;
      added += addend;
      CHECK(red(rank, counters, addend).status == tlm::TLM_OK_RESPONSE);
    }
    ++ended;
  }

  void write(int rank) {
    const int to = (rank + 1) % ranks;
    const std::uint64_t place = base_of(to) + ordinary;
    std::vector<std::byte> sent(slice), back(slice);
    for (int i = 0; i < operations / 4; ++i) {
      std::fill(sent.begin(), sent.end(), static_cast<std::byte>(rank + i));
      core(rank).write(place, sent.data(), slice);
      core(rank).read(place, back.data(), slice);
      CHECK(back == sent);
    }
    ++ended;
  }

  void check() {
    run();
    CHECK(ended == 3 * ranks);
    CHECK(failures().empty());
    CHECK(engine.waiting_for().empty());
    for (int rank = 0; rank < ranks; ++rank) {
      INFO("memory of rank " << rank);
      CHECK(word_of<std::uint64_t>(rank, counters) == (is_member(rank) ? added : 0));
      for (int from = 0; from < ranks; ++from) {
        const auto got = bytes_of(rank, stored + static_cast<std::uint32_t>(from) * slice, slice);
        CHECK(got == (is_member(rank) ? expected_slices[static_cast<std::size_t>(from)]
                                      : std::vector<std::byte>(slice)));
      }
    }
  }
};

nvls_options options(int ranks, std::uint32_t train) {
  nvls_options o;
  o.ranks = ranks;
  o.train = train;
  return o;
}

}  // namespace

TEST_CASE("random traffic of eight, packet by packet") {
  random_traffic(options(8, 1)).check();
}

TEST_CASE("random traffic of eight, in trains") {
  random_traffic(options(8, 32)).check();
}

TEST_CASE("random traffic among three of five") {
  nvls_options o = options(5, 1);
  o.absent = 0b01001;
  random_traffic(o).check();
}

TEST_CASE("random traffic with a single member") {
  nvls_options o = options(4, 32);
  o.absent = 0b1011;
  random_traffic(o).check();
}

TEST_CASE("random traffic with one entry in the reduction buffer") {
  nvls_options o = options(4, 1);
  o.buffer = 1;
  random_traffic traffic(o);
  traffic.check();
  CHECK(traffic.statistic_of(traffic.engine, "peak_buffer") == 1);
}

TEST_CASE("random traffic with a reduction buffer for one train") {
  nvls_options o = options(4, 32);
  o.buffer = 32;
  random_traffic traffic(o);
  traffic.check();
  CHECK(traffic.statistic_of(traffic.engine, "peak_buffer") == 32);
}

TEST_CASE("random traffic with credits for one packet") {
  nvls_options o = options(4, 1);
  o.link_buffer = 144;
  random_traffic(o).check();
}

TEST_CASE("random traffic with credits for one train") {
  nvls_options o = options(4, 32);
  o.link_buffer = 32 * 144;
  random_traffic(o).check();
}

TEST_CASE("random traffic with one credit and one buffer") {
  nvls_options o = options(3, 1);
  o.link_buffer = 144;
  o.buffer = 1;
  random_traffic(o).check();
}
