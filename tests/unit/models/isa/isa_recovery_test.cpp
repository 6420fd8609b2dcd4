// After any instruction that was refused or aborted at any moment, the next good one works; and
// another stream beside it, with members in common, never notices.
#include <catch2/catch.hpp>

#include <random>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/random.hpp"
#include "tests/unit/models/isa/isa_bench.hpp"

using namespace heddle;

namespace {

using status = isa_bench::status;

constexpr std::uint64_t watchdog_ns = 20'000;
constexpr std::uint64_t data_offset = 4096, steady_offset = 40'000;

struct system_of {
  int members;
  std::uint64_t wave, entries, controllers;
  std::uint32_t train;
};

class incidents {
 public:
  explicit incidents(const system_of& of)
      : bench_([&] {
          isa_bench_options options;
          options.members = of.members;
          options.train = of.train;
          options.isa = [of](isa_parameters& p) {
            p.wave.set({of.wave});
            p.table.set({of.wave * of.entries});
            p.controllers.set(of.controllers);
            p.queue.set(3);
          };
          return options;
        }()),
        all_(bench_.all()) {
    for (std::size_t m = 0; m < bench_.members.size(); ++m) {
      bench_.members[m]->keeps_arrivals = false;
      bench_.members[m]->delay = [this](const packet&) { return below(200) * fs_per_ns; };
      bench_.members[m]->fails = [this, m](const packet& p) {
        return p.kind == failing_kind_ && m == failing_member_ && p.address >= failing_from_ &&
               p.address < isa_bench::base_of(static_cast<int>(m)) + steady_offset;
      };
    }
    bench_.members[0]->on_added = [this](std::uint64_t offset) {
      if (offset == isa_bench::flag_of(1)) ++steady_rounds_;
    };
  }

  void run(int count) {
    bench_.thread([this, count] {
      bench_.set_stream(0, all_, watchdog_ns);
      bench_.set_stream(1, all_);
      for (int n = 0; n < count; ++n) {
        const auto kind = below(7);
        INFO("incident " << n << " of kind " << kind);
        check_steady([&] { happen(kind); });
        recover();
        check_good();
      }
      is_over_ = true;
    });
    bench_.run();
    CHECK(is_over_);
    CHECK(bench_.failures().empty());
    CHECK(bench_.isa.waiting_for().empty());
    CHECK(bench_.count().peak_waves.raw() <=
          bench_.read32(isa_regs::table_bytes_offset) / bench_.read32(isa_regs::wave_bytes_offset));
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::uint32_t some_length() { return 2 * (1 + static_cast<std::uint32_t>(below(8'000))); }
  member_mask some_members() { return 1 + below(all_); }

  staged_instruction over(std::uint32_t length) const {
    staged_instruction i;
    i.length = length;
    i.source = i.destination = all_;
    i.offset = data_offset;
    return i;
  }

  void happen(std::uint64_t kind) {
    if (kind <= 1) {
      const auto m = static_cast<int>(below(bench_.members.size()));
      failing_member_ = static_cast<std::size_t>(m);
      failing_from_ = isa_bench::base_of(m) + data_offset + below(16'000);
      failing_kind_ = kind == 0 ? packet_kind::read_request : packet_kind::write_request;
    }
    if (kind == 2) return push_bad();
    for (std::uint64_t n = 1 + below(3); n > 0; --n) bench_.push(over(some_length()));
    if (kind == 3) return bench_.arrive(0, all_ & some_members());  // somebody may be missing
    bench_.arrive(0, all_);
    if (kind == 4) bench_.arrive(0, some_members());  // again, before or after the first start
    if (kind != 5) return;
    isa_bench::wait_ns(below(3'000));
    bench_.reset();
    bench_.reset();
  }
  void push_bad() {
    staged_instruction bad = over(some_length());
    switch (below(5)) {
      case 0:
        bad.length |= 1;
        break;
      case 1:
        bad.source |= member_mask{1} << 50;
        break;
      case 2:
        bad.offset = 64 * 1024 - 2;
        bad.length += 2;
        break;
      case 3:
        bad.quant = quantization{8, 48};
        break;
      default:
        bad.is_scale = true;
    }
    bench_.push(bad);
  }
  void recover() {
    isa_bench::wait_ns(below(2 * watchdog_ns));
    failing_kind_ = packet_kind::none;
    bench_.reset();
    for (int tries = 0; bench_.state() != status::IDLE && tries < 1'000; ++tries)
      isa_bench::wait_ns(100);
    CHECK(bench_.state() == status::IDLE);
    isa_bench::wait_ns(2'000);  // arrivals and flags that were under way
    bench_.reset();
    bench_.write32(isa_regs::irq_status_offset, ~0U);
    for (memory_member* each : bench_.members) std::memset(each->at(0), 0, 8);
  }
  void check_good() {
    check_one(over(some_length()), [this] {
      CHECK(bench_.error() == isa_error::NONE);
      CHECK(bench_.state() == status::IDLE);
      for (int m = 0; m < bench_.options.members; ++m) {
        CHECK(bench_.completions(m) == 1);
        CHECK(bench_.flagged_error(m) == 0);
      }
    });
  }
  template <class Check>
  void check_one(const staged_instruction& i, Check check) {
    const tensor_bytes golden = fill(i);
    bench_.push(i);
    bench_.arrive(i.stream, all_);
    isa_bench::wait_ns(2'000'000);
    check();
    compare(i, golden);
  }
  // A whole collective of stream 1 while something happens on stream 0.
  template <class Action>
  void check_steady(Action action) {
    staged_instruction steady = over(some_length());
    steady.stream = 1;
    steady.offset = steady_offset;
    const std::uint64_t rounds = steady_rounds_;
    const tensor_bytes golden = fill(steady);
    bench_.push(steady);
    bench_.arrive(1, all_);
    isa_bench::wait_ns(below(1'000));
    action();
    isa_bench::wait_ns(2'000'000);
    CHECK(steady_rounds_ == rounds + 1);
    CHECK(bench_.error(1) == isa_error::NONE);
    compare(steady, golden);
  }
  tensor_bytes fill(const staged_instruction& i) {
    rank_inputs inputs;
    for (std::size_t m = 0; m < bench_.members.size(); ++m) {
      fill_random(i.type, bench_.members[m]->at(i.offset), i.length / 2, random_(), m);
      inputs.push_back(bench_.members[m]->at(i.offset));
    }
    return golden_tree_allreduce(i.type, i.op, inputs, i.length / 2);
  }
  void compare(const staged_instruction& i, const tensor_bytes& golden) {
    for (memory_member* each : bench_.members)
      CHECK(std::equal(golden.begin(), golden.end(), each->at(i.offset)));
  }

  std::mt19937_64 random_{1};
  isa_bench bench_;
  const member_mask all_;
  packet_kind failing_kind_ = packet_kind::none;  // none
  std::size_t failing_member_ = 0;
  std::uint64_t failing_from_ = 0;
  std::uint64_t steady_rounds_ = 0;
  bool is_over_ = false;
};

}  // namespace

TEST_CASE("after any incident the next good instruction works: one entry, one controller") {
  incidents({3, 128, 1, 1, 1}).run(150);
}
TEST_CASE("after any incident the next good instruction works: many entries, two controllers") {
  incidents({4, 256, 16, 2, 1}).run(150);
}
TEST_CASE("after any incident the next good instruction works: trains, four controllers") {
  incidents({5, 4096, 4, 4, 32}).run(150);
}
