// Parts of a token hub: layout manager, token tracker, and the pool of SMs.
#include <catch2/catch.hpp>

#include "models/gpu/hub/kernel_groups.hpp"
#include "models/gpu/hub/layout_manager.hpp"
#include "models/gpu/hub/row_check.hpp"
#include "models/gpu/hub/token_tracker.hpp"
#include "models/gpu/sm/sm_pool.hpp"
#include "platform/time/agenda.hpp"
#include "tests/support/test_bench.hpp"

using namespace heddle;

namespace {

constexpr fs_t memory_latency = 100 * fs_per_ns;

layout_manager layout_of(std::uint32_t entries, std::uint32_t misses) {
  layout_manager layout({entries, misses, memory_latency});
  layout.configure(1000, {3, 2});
  return layout;
}

}  // namespace

TEST_CASE("places are given in the order of first touch, and once") {
  layout_manager layout = layout_of(512, 16);
  const translation first = layout.translate(0, 700, true, 1, 0);
  CHECK(first.is_new);
  CHECK(first.place == 0);
  CHECK(first.ready == memory_latency);
  CHECK(layout.translate(0, 20, true, 1, 0).place == 1);
  const translation again = layout.translate(0, 700, true, 1, fs_per_ns);
  CHECK_FALSE(again.is_new);
  CHECK(again.place == 0);
  CHECK(again.ready == memory_latency);  // it shares the one read
  CHECK(layout.translate(0, 700, false, 1, 2 * memory_latency).ready == 2 * memory_latency);
}

TEST_CASE("nine planes that miss for one vector at once allocate one place") {
  layout_manager layout = layout_of(512, 16);
  for (int plane = 0; plane < 9; ++plane) {
    const translation at = layout.translate(1, 5, true, 32, 0);
    CHECK(at.place == 0);
    CHECK(at.is_new == (plane == 0));
    CHECK(at.ready == memory_latency);
  }
  CHECK(layout.given(1) == 1);
}

TEST_CASE("a TLB of one entry, one miss at a time, and tags that differ in the expert only") {
  layout_manager layout = layout_of(1, 1);
  CHECK(layout.translate(0, 7, true, 1, 0).ready == memory_latency);
  CHECK(layout.translate(1, 7, true, 1, 0).ready == 2 * memory_latency);
  CHECK(layout.translate(0, 8, true, 1, 0).ready == 3 * memory_latency);
  // It has been evicted and is read again, with the place it had.
  const translation again = layout.translate(0, 7, false, 1, 0);
  CHECK(again.ready == 4 * memory_latency);
  CHECK(again.place == 0);
  CHECK(layout.translate(1, 7, false, 1, fs_per_us).place == 0);
  CHECK(layout.translate(0, 8, false, 1, fs_per_us).place == 1);
  CHECK(layout.translate(0, 7, false, 32, 2 * fs_per_us).hits == 31);  // one read for a train
  CHECK(layout.translate(0, 7, false, 32, 3 * fs_per_us).hits == 32);
}

TEST_CASE("a block that is full, and a token that nobody has sent") {
  layout_manager layout = layout_of(4, 4);
  layout.translate(1, 1, true, 1, 0);
  layout.translate(1, 2, true, 1, 0);
  CHECK(layout.translate(1, 3, true, 1, 0).error == layout_error::overflow);
  CHECK(layout.given(1) == 2);
  CHECK(layout.translate(0, 1, false, 1, 0).error == layout_error::unmapped);
  CHECK(layout.translate(2, 1, true, 1, 0).error == layout_error::expert);
  CHECK(layout.translate(0, 1000, true, 1, 0).error == layout_error::expert);
}

TEST_CASE("rows are ready at their last byte, also the last one, which is not full") {
  const std::uint32_t tokens = GENERATE(1, 127, 128, 129);
  token_tracker tracker({1024, 1024, memory_latency});
  tracker.configure({0, tokens}, 128, 64, {});
  CHECK(tracker.rows() == (tokens + 127) / 128);
  std::uint32_t ready = 0;
  for (std::uint32_t place = 0; place < tokens; ++place) {
    const std::uint32_t row = tracker.row_of(1, place);
    tracker.enter(1, place, place);
    CHECK_FALSE(tracker.arrived(row, 32, 0).is_ready);
    const bool is_last = place % 128 == 127 || place + 1 == tokens;
    CHECK(tracker.arrived(row, 32, 0).is_ready == is_last);
    ready += is_last ? 1 : 0;
  }
  CHECK(ready == tracker.rows());
  CHECK(tracker.tokens_of(tracker.rows() - 1).size() == (tokens - 1) % 128 + 1);
  CHECK(tracker.row_spills() == 0);
}

TEST_CASE("firmware gets rows and tokens once, in order, and may issue what it got, once") {
  kernel_groups groups;
  groups.clear(true, 3, 2);
  CHECK(groups.pop_row(token_step::gemm1) == kernel_groups::none);
  groups.row_ready(token_step::gemm1, 2);
  groups.row_ready(token_step::gemm1, 0);
  CHECK_FALSE(groups.may_issue(token_step::gemm1, 2));  // it was not handed out
  CHECK(groups.pop_row(token_step::gemm1) == 2);
  CHECK_FALSE(groups.may_issue(token_step::gemm2, 2));  // of the other step
  CHECK(groups.may_issue(token_step::gemm1, 2));
  CHECK_FALSE(groups.may_issue(token_step::gemm1, 2));
  CHECK(groups.pop_row(token_step::gemm1) == 0);
  CHECK(groups.pop_row(token_step::gemm1) == kernel_groups::none);
  groups.row_ready(token_step::gemm2, 2);
  CHECK(groups.pop_row(token_step::gemm2) == 2);
  CHECK(groups.may_issue(token_step::gemm2, 2));
  CHECK_FALSE(groups.may_issue(token_step::gemm1, 3));  // there is none
  groups.token_ready(1);
  CHECK(groups.pop_token() == 1);
  CHECK(groups.pop_token() == kernel_groups::none);
  CHECK((groups.may_store(1) && groups.may_fetch(1) && groups.may_store(0)));
  CHECK_FALSE((groups.may_store(1) || groups.may_fetch(1)));
}

TEST_CASE("a row is held by memory when its last byte has been acknowledged, not before") {
  row_check rows;
  rows.clear(2);
  rows.write(1, 64, 10 * fs_per_ns);
  CHECK_FALSE(rows.holds(1, 128, fs_per_us));
  rows.write(1, 64, 5 * fs_per_ns);
  CHECK_FALSE(rows.holds(1, 128, 9 * fs_per_ns));
  CHECK(rows.holds(1, 128, 10 * fs_per_ns));
  CHECK_FALSE(rows.holds(0, 128, fs_per_us));
}

TEST_CASE("entries that do not lie on chip are seen a memory access later") {
  token_tracker tracker({1, 1, memory_latency});
  tracker.configure({1, 1}, 128, 64, {2, 2});
  CHECK(tracker.arrived(0, 32, 0).seen == 0);
  CHECK(tracker.arrived(1, 32, 0).seen == 0);
  CHECK(tracker.arrived(0, 32, 0).seen == memory_latency);
  CHECK(tracker.row_spills() == 1);
  CHECK(tracker.expert_done(0, 0).seen == 0);
  CHECK(tracker.expert_done(1, 0).seen == 0);
  const auto last = tracker.expert_done(0, 0);
  CHECK(last.is_ready);
  CHECK(last.seen == memory_latency);
  CHECK(tracker.token_spills() == 1);
}

namespace {

// Its agenda is there before the simulation begins.
struct pool_bench : test_bench {
  pool_bench() { agenda::instance(); }
};

struct pool_user final : sm_pool::listener {
  void batch_begins(int, const sm_batch& batch, fs_t) override { begun.push_back(batch.tag); }
  void batch_done(int group, const sm_batch& batch) override {
    done.push_back({group, batch.tag, now_fs()});
  }
  struct end {
    int group;
    std::uint32_t tag;
    fs_t when;
  };
  std::vector<std::uint32_t> begun;
  std::vector<end> done;
};

// A block of 1000 operations takes 1 us on an SM; 1000 B of operands take 1 us, 100 ns late.
sm_rates slow_rates() {
  sm_rates rates;
  rates.flops_of_sm = 1e9;
  rates.hbm = bandwidth(1'000'000'000);
  rates.hbm_latency = memory_latency;
  rates.l2_bytes = 2000;
  return rates;
}

sm_batch batch_of(std::uint32_t tag, std::uint32_t blocks, std::uint64_t operands = 0,
                  std::uint64_t bytes = 0) {
  sm_batch batch;
  batch.tag = tag;
  batch.blocks = blocks;
  batch.block_flops = 1000;
  batch.operands = operands;
  batch.operand_bytes = bytes;
  return batch;
}

}  // namespace

TEST_CASE("blocks take turns on the SMs of their group, and of groups that help") {
  pool_bench bench;
  pool_user user;
  sm_pool pool(user, slow_rates());
  pool.add_group(2, {1});
  pool.add_group(1);
  bench.at(0, [&] {
    pool.submit(0, batch_of(7, 5));  // two SMs: three turns; nobody helps
    pool.submit(1, batch_of(8, 1));
  });
  bench.run();
  REQUIRE(user.done.size() == 2);
  CHECK(user.done[0].tag == 8);
  CHECK(user.done[0].when == fs_per_us);
  CHECK(user.done[1].tag == 7);
  CHECK(user.done[1].when == 3 * fs_per_us);
  CHECK(pool.busy() == 6 * fs_per_us);
}

TEST_CASE("an idle group takes the blocks of one that it helps") {
  pool_bench bench;
  pool_user user;
  sm_pool pool(user, slow_rates());
  pool.add_group(1, {1});
  pool.add_group(1);
  bench.at(0, [&] { pool.submit(1, batch_of(1, 4)); });
  bench.run();
  REQUIRE(user.done.size() == 1);
  CHECK(user.done[0].group == 1);
  CHECK(user.done[0].when == 2 * fs_per_us);
}

TEST_CASE("a batch waits for its operands, unless they are still in L2") {
  pool_bench bench;
  pool_user user;
  sm_pool pool(user, slow_rates());
  pool.add_group(1);
  bench.at(0, [&] {
    pool.submit(0, batch_of(1, 1, 5, 2000));  // operands at 2.1 us
    pool.submit(0, batch_of(2, 1, 6, 1000));
    pool.submit(0,
                batch_of(3, 1, 5, 2000));  // goes before the second, whose operands are not there
  });
  bench.run();
  REQUIRE(user.begun == std::vector<std::uint32_t>{1, 3, 2});
  CHECK(user.done[0].when == 2 * fs_per_us + memory_latency);
  CHECK(user.done[1].when == 3 * fs_per_us + memory_latency);
  CHECK(user.done[2].when == 4 * fs_per_us + 2 * memory_latency);
  CHECK(pool.operand_misses() == 2);
}
