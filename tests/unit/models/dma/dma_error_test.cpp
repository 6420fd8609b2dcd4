// Mistakes of the firmware and of the fabric, and how a channel comes back from them.
#include <catch2/catch.hpp>

#include "platform/contracts/register_audit.hpp"
#include "platform/tensor/reduce.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/unit/models/dma/dma_bench.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t far_base = dma_bench::far_base;
constexpr std::uint32_t idle = 0, fenced = 2, stopped = 3, resetting = 5;
constexpr std::uint32_t ring_overrun = 1, bad_descriptor = 2, bus_error = 3;

struct outcome {
  std::uint32_t state = 9, error = 9, completed = 9, irq_status = 9;
};

// Posts the descriptors, rings and looks 10 us later.
outcome after(dma_bench& bench, const std::vector<dma_descriptor>& posted, std::uint32_t doorbell) {
  outcome seen;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (std::size_t i = 0; i < posted.size(); ++i)
      bench.post(1, static_cast<std::uint32_t>(i), posted[i]);
    bench.ring_doorbell(1, doorbell);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    seen = {bench.state(1), bench.error(1), bench.completed(1), bench.get(0x8)};
  });
  bench.run();
  return seen;
}

std::string last_reason(dma_bench& bench) {
  return bench.sim.service<register_audit_log>().last().reason;
}

dma_descriptor reduction(std::uint32_t bytes, std::uint32_t type, reduce_op op,
                         std::uint64_t from = 0x1000, std::uint64_t to = 0x2000) {
  const auto number = static_cast<std::uint32_t>(op);
  return {DMA_REDUCE | type << DMA_DTYPE_POS | number << DMA_OP_POS, bytes, from, to, 0};
}

// Eight bursts of a copy of 16 have begun when its channel is reset, wherever they go.
constexpr std::uint32_t burst = 4096, copied = 16 * burst, begun = 8 * burst;
constexpr std::uint64_t copy_from = 0x10000, copy_to = 0x40000;
constexpr fs_t fetched = dma_bench::latency + dma_bench::descriptor;
constexpr fs_t accessed = dma_bench::latency + burst * dma_bench::per_byte;

struct reset_bench : dma_bench {
  bool is_exact = false;  // in RESET until `idle_at`, and not longer
  std::uint32_t before = 9, at_once = 9, completed_at_once = 9, completed_after = 9;

  reset_bench() : dma_bench([](dma_parameters& p) { p.read_ahead.set(4); }) {}

  void run_reset(
      const dma_descriptor& posted, fs_t reset_at, fs_t idle_at,
      const std::function<void()>& then = [] {}) {
    at(0, [=] {
      fill(copy_from, copied, 3);
      open(1, 4);
      post(1, 0, posted);
      ring_doorbell(1, 1);
      sc_core::wait(to_sc_time(reset_at));
      before = state(1);
      set(channel(1, 0x18), 1);
      at_once = state(1);
      completed_at_once = completed(1);
      sc_core::wait(to_sc_time(idle_at - 1 - now_fs()));
      const bool was_resetting = state(1) == resetting;
      sc_core::wait(to_sc_time(2));
      is_exact = was_resetting && state(1) == idle;
      then();
      sc_core::wait(to_sc_time(10 * fs_per_us));
      completed_after = completed(1);
    });
    run();
  }
};

// What has begun, and nothing of the rest.
std::vector<unsigned char> begun_bytes(reset_bench& bench) {
  std::vector<unsigned char> bytes = bench.local(copy_from, begun);
  bytes.resize(copied);
  return bytes;
}

}  // namespace

TEST_CASE("more posted than the ring holds") {
  dma_bench bench;
  const outcome seen = after(bench, {}, 5);
  CHECK(seen.state == stopped);
  CHECK(seen.error == ring_overrun);
  CHECK(seen.irq_status == 2);
}

TEST_CASE("a doorbell that goes back") {
  dma_bench bench;
  std::uint32_t error = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (std::uint32_t i = 0; i < 3; ++i) bench.post(1, i, word(1, 0x3000, 4));
    bench.ring_doorbell(1, 3);
    bench.ring_doorbell(1, 2);
    error = bench.error(1);
  });
  bench.run();
  CHECK(error == ring_overrun);
}

TEST_CASE("a descriptor that means nothing stops the channel behind the good ones") {
  dma_bench bench;
  const outcome seen = after(bench, {word(7, 0x3000, 4, DMA_FENCE), {0xf, 4, 0, 0, 0}}, 2);
  CHECK(seen.state == stopped);
  CHECK(seen.error == bad_descriptor);
}

// The copy is under way when the engine finds out, its fence holds back the word behind it, and two
// more descriptors are to be fetched.
TEST_CASE("what was posted before a bad descriptor completes, what was posted behind it does not") {
  dma_bench bench([](dma_parameters& p) { p.prefetch.set(3); });
  outcome early, late;
  bench.at(0, [&] {
    bench.fill(0x10000, 64 * 1024, 9);
    bench.open(1, 8);
    bench.post(1, 0, copy(0x10000, 0x40000, 64 * 1024));
    bench.post(1, 1, word(7, 0x3000, 4, DMA_FENCE | DMA_INTERRUPT));
    bench.post(1, 2, copy(0x1000, 0x2000, 0));
    bench.post(1, 3, word(7, 0x3100, 4));
    bench.post(1, 4, copy(0x10000, 0x2000, 64));
    bench.ring_doorbell(1, 5);
    sc_core::wait(to_sc_time(250 * fs_per_ns));
    early = {bench.state(1), bench.error(1), bench.completed(1), bench.get(0x8)};
    sc_core::wait(to_sc_time(10 * fs_per_us));
    late = {bench.state(1), bench.error(1), bench.completed(1), bench.get(0x8)};
  });
  bench.run();
  CHECK(early.state == fenced);
  CHECK(early.error == 0);
  CHECK(early.completed == 0);
  CHECK(late.state == stopped);
  CHECK(late.error == bad_descriptor);
  CHECK(late.completed == 2);
  CHECK(late.irq_status == 2);
  CHECK(last_reason(bench).find("descriptor 2 is a copy of length 0") == 0);
  CHECK(bench.local(0x40000, 64 * 1024) == bench.local(0x10000, 64 * 1024));
  CHECK(bench.local(0x3000, 1)[0] == 7);
  CHECK(bench.local(0x3100, 1)[0] == 0);
  CHECK(bench.local(0x2000, 1)[0] != 9);
  CHECK(bench.failures().empty());
}

TEST_CASE("what was fetched before descriptors that cannot be read completes") {
  dma_bench bench([](dma_parameters& p) { p.prefetch.set(1); });
  outcome seen;
  bench.at(0, [&] {
    bench.fill(0x1000, 4096, 9);
    const std::uint64_t last_of_memory = (1 << 20) - sizeof(dma_descriptor);
    bench.core.write(dma_bench::registers + bench.channel(1, 0), &last_of_memory, 8);
    bench.set(bench.channel(1, 0x8), 2);
    dma_descriptor first = copy(0x1000, 0x2000, 4096);
    bench.core.debug(tlm::TLM_WRITE_COMMAND, last_of_memory, &first, sizeof first);
    bench.ring_doorbell(1, 2);
    sc_core::wait(to_sc_time(10 * fs_per_us));
    seen = {bench.state(1), bench.error(1), bench.completed(1), 0};
  });
  bench.run();
  CHECK(seen.state == stopped);
  CHECK(seen.error == bus_error);
  CHECK(seen.completed == 1);
  CHECK(bench.local(0x2000, 4096) == bench.local(0x1000, 4096));
}

TEST_CASE("a channel that a bad descriptor would stop is as new after a reset") {
  dma_bench bench;
  outcome seen;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, {DMA_WAIT, 4, 0x5000, 1, 0});  // for what never comes
    bench.post(1, 1, copy(0x1000, 0x2000, 0));
    bench.ring_doorbell(1, 2);
    sc_core::wait(to_sc_time(fs_per_us));
    CHECK(bench.error(1) == 0);
    bench.set(bench.channel(1, 0x18), 1);
    sc_core::wait(to_sc_time(fs_per_us));
    bench.post(1, 0, word(0x42, 0x3000, 4));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(fs_per_us));
    seen = {bench.state(1), bench.error(1), bench.completed(1), 0};
  });
  bench.run();
  CHECK(seen.state == idle);
  CHECK(seen.error == 0);
  CHECK(seen.completed == 1);
}

TEST_CASE("a copy with two far ends is refused") {
  dma_bench bench;
  CHECK(after(bench, {copy(far_base, far_base + 64, 64)}, 1).error == bad_descriptor);
}

TEST_CASE("a word of 5 bytes is refused") {
  dma_bench bench;
  CHECK(after(bench, {word(1, 0x3000, 5)}, 1).error == bad_descriptor);
}

TEST_CASE("a far error stops the channel and completes nothing") {
  dma_bench bench;
  bench.far.broken = far_base + 4096;
  const outcome seen = after(bench, {copy(0x1000, far_base, 3 * 4096)}, 1);
  CHECK(seen.state == stopped);
  CHECK(seen.error == bus_error);
  CHECK(seen.completed == 0);
  CHECK(bench.failures().empty());
}

TEST_CASE("local memory that does not exist is a bus error") {
  dma_bench bench([](dma_parameters& p) { p.local_size.set({2 << 20}); });
  CHECK(after(bench, {copy(0x180000, 0x1000, 64)}, 1).error == bus_error);
}

TEST_CASE("a reset leaves the error and starts from zero") {
  dma_bench bench;
  outcome broken, fresh, done;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.ring_doorbell(1, 5);
    broken = {bench.state(1), bench.error(1), 0, 0};
    bench.set(bench.channel(1, 0x18), 0);  // not a reset
    CHECK(bench.state(1) == stopped);
    bench.set(bench.channel(1, 0x18), 1);
    fresh = {bench.state(1), bench.error(1), bench.completed(1), 0};
    bench.post(1, 0, word(0x42, 0x3000, 4));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(fs_per_us));
    done = {bench.state(1), bench.error(1), bench.completed(1), 0};
  });
  bench.run();
  CHECK(broken.error == ring_overrun);
  CHECK(fresh.state == idle);
  CHECK(fresh.error == 0);
  CHECK(fresh.completed == 0);
  CHECK(done.state == idle);
  CHECK(done.completed == 1);
  CHECK(bench.local(0x3000, 1)[0] == 0x42);
}

TEST_CASE("what was under way at a reset does not count afterwards") {
  dma_bench bench;
  std::uint32_t completed = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(0x1000, far_base, 64));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(300 * fs_per_ns));  // the far write is under way
    bench.set(bench.channel(1, 0x18), 1);
    sc_core::wait(to_sc_time(fs_per_us));
    completed = bench.completed(1);
  });
  bench.run();
  CHECK(completed == 0);
}

// Bursts and reads take turns on the data bus: ten accesses behind three latencies.
TEST_CASE("a reset of a local copy is over when its bursts have landed") {
  reset_bench bench;
  const std::uint64_t written = 0x1122334455667788;
  bench.run_reset(copy(copy_from, copy_to, copied), 250 * fs_per_ns,
                  fetched + 3 * dma_bench::latency + 10 * burst * dma_bench::per_byte, [&] {
                    CHECK(bench.local(copy_to, copied) == begun_bytes(bench));
                    bench.core.write(copy_to, &written, 8);
                  });
  std::vector<unsigned char> expected = begun_bytes(bench);
  std::memcpy(expected.data(), &written, 8);
  CHECK(bench.at_once == resetting);
  CHECK(bench.is_exact);
  CHECK(bench.completed_at_once == 0);
  CHECK(bench.completed_after == 0);
  CHECK(bench.local(copy_to, copied) == expected);
  CHECK(bench.failures().empty());
}

// Every request that the target takes makes room for one more read.
TEST_CASE("a reset of a copy to far memory is over with the last response") {
  reset_bench bench;
  const fs_t last_request = fetched + accessed + 4 * bench.far.accept + accessed;
  bench.run_reset(copy(copy_from, far_base, copied), 250 * fs_per_ns,
                  last_request + bench.far.accept + bench.far.respond);
  CHECK(bench.at_once == resetting);
  CHECK(bench.is_exact);
  CHECK(bench.completed_after == 0);
  CHECK(bench.far.requests.size() == 8);
  CHECK(bench.distant(0, copied) == begun_bytes(bench));
  CHECK(bench.failures().empty());
}

TEST_CASE("a reset of a copy from far memory is over when its bytes are in local memory") {
  reset_bench bench;
  const std::vector<unsigned char> data(copied, 0x77);
  bench.far.bytes.write(0, data.data(), copied);
  const fs_t last_request = fetched + 7 * bench.far.accept;
  bench.run_reset(copy(far_base, copy_to, copied), 150 * fs_per_ns,
                  last_request + bench.far.accept + bench.far.respond + accessed);
  std::vector<unsigned char> expected(begun, 0x77);
  expected.resize(copied);
  CHECK(bench.at_once == resetting);
  CHECK(bench.is_exact);
  CHECK(bench.far.requests.size() == 8);
  CHECK(bench.local(copy_to, copied) == expected);
  CHECK(bench.failures().empty());
}

TEST_CASE("a reset while descriptors are being read is over when they have come") {
  reset_bench bench;
  bench.run_reset(copy(copy_from, copy_to, copied), 50 * fs_per_ns, fetched);
  CHECK(bench.at_once == resetting);
  CHECK(bench.is_exact);
  CHECK(bench.local(copy_to, copied) == std::vector<unsigned char>(copied));
}

TEST_CASE("a reset after an error waits for the other bursts") {
  reset_bench bench;
  bench.far.broken = far_base + 3 * burst;
  const fs_t answer = bench.far.accept + bench.far.respond;
  const fs_t broken = fetched + accessed + 3 * bench.far.accept;
  const fs_t last_request = fetched + 4 * accessed + 6 * bench.far.accept;
  bench.run_reset(copy(copy_from, far_base, copied), broken + answer + 1, last_request + answer);
  CHECK(bench.before == stopped);
  CHECK(bench.at_once == resetting);
  CHECK(bench.is_exact);
  CHECK(bench.far.requests.size() == 16);
}

TEST_CASE("a reset with nothing under way is over at once") {
  dma_bench bench;
  std::uint32_t done = 9, at_once = 9, completed = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(copy_from, copy_to, burst));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(fs_per_us));
    done = bench.completed(1);
    bench.set(bench.channel(1, 0x18), 1);
    at_once = bench.state(1);
    completed = bench.completed(1);
  });
  bench.run();
  CHECK(done == 1);
  CHECK(at_once == idle);
  CHECK(completed == 0);
}

// Rules about doorbells bind firmware alone; this one comes from elsewhere.
TEST_CASE("a doorbell during a reset takes effect when that is over") {
  dma_bench bench;
  std::uint32_t before = 9, after = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(copy_from, far_base, burst));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(300 * fs_per_ns));
    bench.set(bench.channel(1, 0x18), 1);
    bench.post(1, 0, word(0x42, 0x3000, 4));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(200 * fs_per_ns));
    before = bench.state(1);
    sc_core::wait(to_sc_time(fs_per_us));
    after = bench.completed(1);
  });
  bench.run();
  CHECK(before == resetting);
  CHECK(after == 1);
  CHECK(bench.local(0x3000, 1)[0] == 0x42);
}

TEST_CASE("a reset that waits for a lost response says so") {
  dma_bench bench({}, true);
  bench.stub.answers_later = true;
  std::uint32_t at_once = 9, late = 9;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(copy_from, far_base, 64));
    bench.ring_doorbell(1, 1);
    sc_core::wait(to_sc_time(fs_per_us));
    bench.set(bench.channel(1, 0x18), 1);
    at_once = bench.state(1);
    sc_core::wait(to_sc_time(100 * fs_per_us));
    late = bench.state(1);
  });
  bench.run();
  CHECK(at_once == resetting);
  CHECK(late == resetting);
  CHECK(bench.dma.waiting_for() == "channel 1 to end 1 transfer from before its reset");
}

TEST_CASE("descriptors are numbered from 0 again after a reset") {
  dma_bench bench;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (std::uint32_t i = 0; i < 3; ++i) bench.post(1, i, word(1, 0x3000, 4));
    bench.ring_doorbell(1, 3);
    sc_core::wait(to_sc_time(fs_per_us));
    bench.set(bench.channel(1, 0x18), 1);
    bench.post(1, 0, word(1, 0x3000, 4));
    bench.post(1, 1, copy(copy_from, copy_to, 0));
    bench.ring_doorbell(1, 2);
  });
  bench.run();
  CHECK(last_reason(bench) ==
        "descriptor 1 is a copy of length 0: control 0x1, length 0, source 0x10000, destination "
        "0x40000");
}

TEST_CASE("a refused descriptor is told what is wrong with it") {
  const std::vector<std::pair<dma_descriptor, std::string>> refused = {
      {copy(0x1000, 0x2000, 0), "is a copy of length 0"},
      {copy(far_base, far_base + 64, 64), "is a copy without a local end"},
      {copy(0x1000, 0x2000, 64, 0x8000), "sets bits that are reserved"},
      {copy(far_base, 0x2000, 64, DMA_LINES), "makes lines of data that is not local"},
      {copy(0x1000, 0x2040, 64, DMA_LINES), "makes lines at an address that is no multiple of 128"},
      {word(1, 0x3000, 4, DMA_LINES), "makes lines, but is no copy"},
      {word(1, 0x3000, 4, DMA_CONTROL),
       "has the flag of copies that somebody acts on, but is no copy"},
      {{DMA_WAIT | DMA_CONTROL, 4, 0x1000, 1, 0},
       "has the flag of copies that somebody acts on, but is no copy"},
      {copy(0x1000, 0x2000, 64, DMA_ORDERED), "has the flag of ordered writes, but is no write"},
      {{DMA_WAIT | DMA_ORDERED, 4, 0x1000, 1, 0},
       "has the flag of ordered writes, but is no write"},
      {{DMA_WINDOW | DMA_ORDERED, 64, 0x1000, 0, 1},
       "has the flag of ordered writes, but is no write"},
      {word(1, 0x3000, 5), "is a write of neither 4 nor 8 bytes"},
      {{DMA_WAIT, 2, 0x1000, 1, 0}, "waits for a counter of neither 4 nor 8 bytes"},
      {{DMA_WAIT, 4, far_base, 1, 0}, "waits for a counter that is not local"},
      {{DMA_WINDOW, 64, far_base, 0, 1}, "is a window with a counter that is not local"},
      {{DMA_WINDOW, 64, 0x1000, 0, 0}, "is a window that counts in units of 0 bytes"},
      {reduction(0, 3, reduce_op::sum), "is a reduction of length 0"},
      {reduction(6, 3, reduce_op::sum),
       "is a reduction whose length is no multiple of the 4 B of int32"},
      {reduction(64, 9, reduce_op::sum), "is a reduction of the unknown dtype 9"},
      {reduction(64, 3, reduce_op{15}), "is a reduction with the unknown operator 15"},
      {reduction(64, 2, reduce_op::bit_or),
       "is a reduction with the operator or, which fp32 does not have"},
      {reduction(64, 3, reduce_op::sum, (1 << 20) - 32),
       "is a reduction whose source is not local throughout"},
      {reduction(64, 3, reduce_op::sum, 0x1000, far_base),
       "is a reduction whose destination is not local throughout"},
      {{0, 64, 0x1000, 0x2000, 0}, "has the unknown opcode 0"},
      {{15, 64, 0x1000, 0x2000, 0}, "has the unknown opcode 15"}};
  dma_bench bench;
  std::vector<std::string> reasons;
  std::vector<std::uint32_t> errors;
  bench.at(0, [&] {
    bench.open(1, 4);
    for (const auto& [descriptor, why] : refused) {
      bench.post(1, 0, descriptor);
      bench.ring_doorbell(1, 1);
      sc_core::wait(to_sc_time(fs_per_us));
      errors.push_back(bench.error(1));
      reasons.push_back(last_reason(bench));
      bench.set(bench.channel(1, 0x18), 1);
    }
  });
  bench.run();
  REQUIRE(reasons.size() == refused.size());
  for (std::size_t i = 0; i < refused.size(); ++i) {
    CHECK(errors[i] == bad_descriptor);
    const std::string& reason = reasons[i];
    CHECK(reason.substr(0, reason.find(": control ")) == "descriptor 0 " + refused[i].second);
  }
}

TEST_CASE("the ring cannot move while the channel runs") {
  dma_bench bench;
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  bench.at(0, [&] {
    bench.open(1, 4);
    bench.post(1, 0, copy(0x1000, far_base, 64));
    bench.ring_doorbell(1, 1);
    bench.set(bench.channel(1, 0x8), 8);
    status = bench.last_status;
  });
  bench.run();
  CHECK(status == tlm::TLM_GENERIC_ERROR_RESPONSE);
}
