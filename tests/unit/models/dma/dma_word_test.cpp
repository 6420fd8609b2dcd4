// Words that go with the data before them: a DMA engine, two packetizers and the memory behind.
#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "models/dma/dma.hpp"
#include "models/memory/memory.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"
#include "tests/unit/models/dma/dma_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/packetizer/packetizer.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t window = 1 << 20, near_base = window, far_base = 2 * window,
                        registers = 0x1000'0000, ring = near_base + 0x8'0000;

// Windows of 1 MiB: our own, and that of the far memory. Packets of 4 KiB with headers of 16 B, a
// link of 1 B/ps and 10 ns.
struct word_bench : test_bench {
  memory_bus& bus = add<memory_bus>("bus");
  memory& ram = add<memory>("ram", of_a_window);
  memory& far = add<memory>("far", of_a_window);
  packetizer& ours = add<packetizer>("ours", packets_at(near_base));
  packetizer& theirs = add<packetizer>("theirs", packets_at(far_base));
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  memory_initiator& far_core = add_stimulus<memory_initiator>("far_core");
  memory_initiator& idle_core = add_stimulus<memory_initiator>("idle_core");
  memory_target& forgetful = add_stimulus<memory_target>("forgetful");
  memory_bus& far_bus = add<memory_bus>("far_bus");
  dma_engine& dma;
  std::uint32_t posted = 0;

  // `forgets_words`: behind `fabric` is a target that does not know of words behind data.
  explicit word_bench(const char* flags, bool forgets_words = false)
      : test_bench(dma_bench::monitored()), dma(add<dma_engine>("dma", [&](dma_parameters& p) {
          p.local_base.set({near_base});
          p.local_size.set({window});
          p.flags.load(parse_yaml_text(flags, "flags"));
        })) {
    bind(core, "bus", bus, "in");
    bind(dma, "memory", bus, "in");
    bind(dma, "fabric", forgets_words ? static_cast<unit&>(forgetful) : ours, "in");
    bind(idle_core, "bus", forgets_words ? static_cast<unit&>(ours) : forgetful, "in");
    bind(ours, "out", bus, "in");
    bind(theirs, "out", far_bus, "in");
    bind(far_core, "bus", far_bus, "in");
    bind(add_stimulus<memory_initiator>("nobody"), "bus", theirs, "in");
    map(bus, near_base, window, ram, "in");
    map(bus, registers, 0x1000, dma, "registers");
    map(far_bus, far_base, window, far, "in");
    link(ours, "port[0]", theirs, "port[0]", [](link_parameters& p) {
      p.rate.set(bandwidth(1'000'000'000'000));
      p.latency.set({10 * fs_per_ns});
    });
  }

  static void of_a_window(memory_parameters& p) {
    p.size.set({window});
    p.latency.set({10 * fs_per_ns});
    p.rate.set(bandwidth(1'000'000'000'000));
  }
  static std::function<void(packetizer_parameters&)> packets_at(std::uint64_t base) {
    return [base](packetizer_parameters& p) {
      p.ports.set(1);
      p.base.set({base});
      p.size.set({window});
      p.mtu.set({4096});
    };
  }
  static void store(memory_initiator& by, std::uint64_t address, std::uint32_t value) {
    by.debug(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
  }
  void post(const dma_descriptor& d) {
    core.debug(tlm::TLM_WRITE_COMMAND, ring + posted++ * sizeof d, const_cast<dma_descriptor*>(&d),
               sizeof d);
  }
  // Inside a process.
  void start() {
    for (std::uint32_t i = 0; i < 0x4000; i += 4) store(core, near_base + i, 0x01020304 * (i + 1));
    const std::uint64_t base = ring;
    const std::uint32_t entries = 256;
    core.write(registers + 0x100, &base, 8);
    core.write(registers + 0x108, &entries, 4);
    core.write(registers + 0x10c, &posted, 4);
  }
  std::vector<unsigned char> content(memory_initiator& by, std::uint64_t from,
                                     std::uint32_t bytes) const {
    std::vector<unsigned char> found(bytes);
    by.debug(tlm::TLM_READ_COMMAND, from, found.data(), bytes);
    return found;
  }
  std::uint32_t far_word(std::uint64_t offset) {
    std::uint32_t found = 0;
    far_core.debug(tlm::TLM_READ_COMMAND, far_base + offset, &found, sizeof found);
    return found;
  }
  const link_counters& sent() const {
    return dynamic_cast<const packet_port*>(ours.find_port("port[0]"))->counters();
  }
  std::uint64_t completed() const { return dma.statistics()->all()[0]->raw(); }
};

}  // namespace

TEST_CASE(
    "a word goes with the last packet of the copy before it, and is written behind the data") {
  word_bench bench("with_data");
  fs_t seen = 0;
  bool is_data_there = false;
  bench.at(0, [&] {
    bench.post(copy(near_base, far_base + 0x1000, 0x2000));
    bench.post(word(7, far_base + 0x8000, 4, DMA_ORDERED));
    bench.start();
    while (bench.far_word(0x8000) != 7) sc_core::wait(to_sc_time(fs_per_ns / 10));
    seen = now_fs();
    is_data_there = bench.content(bench.far_core, far_base + 0x1000, 0x2000) ==
                    bench.content(bench.core, near_base, 0x2000);
  });
  bench.run();
  CHECK(is_data_there);
  CHECK(seen > 0);
  CHECK(bench.sent().packets.raw() == 2);
  CHECK(bench.sent().bytes.raw() == 2 * (4096 + 16) + 16);
  CHECK(bench.completed() == 2);
  CHECK(bench.failures().empty());
}

namespace {

struct message_apart {
  dma_descriptor first, word;
  std::uint64_t packets;  // from us
};

message_apart message_apart_of(int kind) {
  const dma_descriptor ordered = word(7, far_base + 0x8000, 4, DMA_ORDERED);
  const dma_descriptor to_far = copy(near_base, far_base, 256);
  switch (kind) {
    case 0:
      return {to_far, word(7, far_base + 0x8000, 4, DMA_FENCE), 2};
    case 1:
      return {to_far, word(7, far_base + 0x8000, 4, DMA_FENCE | DMA_ORDERED), 2};
    case 2:
      return {to_far, word(7, far_base + 0x8000, 4), 2};
    case 3:
      return {word(3, far_base + 0x9000, 4), ordered, 2};
    case 4:
      return {copy(near_base, near_base + 0x4000, 256), ordered, 1};
    default:
      return {copy(far_base, near_base + 0x4000, 256), ordered, 2};
  }
}

}  // namespace

// Fenced; fenced and ordered; in any order; behind a word, a copy of our own, a copy from far.
TEMPLATE_TEST_CASE_SIG("words that may not go with the data have packets of their own", "",
                       ((int kind), kind), 0, 1, 2, 3, 4, 5) {
  const message_apart message = message_apart_of(kind);
  word_bench bench("with_data");
  bench.at(0, [&] {
    bench.post(message.first);
    bench.post(message.word);
    bench.start();
    sc_core::wait(to_sc_time(10 * fs_per_us));
    CHECK(bench.far_word(0x8000) == 7);
  });
  bench.run();
  CHECK(bench.completed() == 2);
  CHECK(bench.sent().packets.raw() == message.packets);
  CHECK(bench.failures().empty());
}

TEST_CASE("a word for our own memory is written there, behind a copy that goes elsewhere") {
  word_bench bench("with_data");
  bench.at(0, [&] {
    bench.post(copy(near_base, far_base, 256));
    bench.post(word(7, near_base + 0x8000, 4, DMA_ORDERED));
    bench.start();
    sc_core::wait(to_sc_time(10 * fs_per_us));
    CHECK(bench.content(bench.core, near_base + 0x8000, 4)[0] == 7);
  });
  bench.run();
  CHECK(bench.sent().packets.raw() == 1);
  CHECK(bench.completed() == 2);
  CHECK(bench.failures().empty());
}

TEST_CASE("a word that nobody writes stops the channel, which a reset brings back") {
  word_bench bench("with_data", true);
  std::uint32_t status = 0;
  bench.at(0, [&] {
    bench.post(copy(near_base, far_base, 256));
    bench.post(word(7, far_base + 0x8000, 4, DMA_ORDERED));
    bench.start();
    sc_core::wait(to_sc_time(10 * fs_per_us));
    bench.core.read(registers + 0x114, &status, 4);
    const std::uint32_t reset = 1;
    bench.core.write(registers + 0x118, &reset, 4);
    bench.posted = 0;
    bench.post(copy(near_base, near_base + 0x4000, 256));
    bench.start();
    sc_core::wait(to_sc_time(10 * fs_per_us));
    CHECK(bench.content(bench.core, near_base + 0x4000, 64) ==
          bench.content(bench.core, near_base, 64));
  });
  bench.run();
  CHECK(status == 0x33);  // ERROR, BUS
  CHECK(bench.completed() == 1);
}

// Copies and words one after the other, as the descriptors say.
TEMPLATE_TEST_CASE_SIG("any messages leave what their descriptors say", "", ((unsigned seed), seed),
                       1, 2, 3, 4, 5, 6, 7, 8) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned bound) { return static_cast<std::uint32_t>(random() % bound); };
  std::vector<dma_descriptor> all;
  std::uint64_t to = far_base;
  for (std::uint32_t i = 1 + below(12); i > 0; --i) {
    const std::uint32_t bytes = 1 + below(below(2) == 0 ? 100 : 9000);
    all.push_back(copy(near_base + below(0x1000), to, bytes));
    to += bytes;
    if (below(4) == 0) all.push_back(copy(near_base, near_base + 0x4000, 64));
    all.push_back(word(i, far_base + 0xf0000 + 8 * below(4), below(2) == 0 ? 4 : 8,
                       below(3) == 0 ? DMA_FENCE : DMA_ORDERED));
  }
  word_bench bench("with_data");
  bench.at(0, [&] {
    for (const dma_descriptor& each : all) bench.post(each);
    bench.start();
    std::vector<unsigned char> expected(window);
    for (const dma_descriptor& each : all) {
      if (each.destination < far_base) continue;
      unsigned char* const place = expected.data() + (each.destination - far_base);
      if ((each.control & DMA_OPCODE_MASK) == DMA_WRITE)
        std::memcpy(place, &each.source, each.length);
      else
        std::memcpy(place, bench.content(bench.core, each.source, each.length).data(), each.length);
    }
    sc_core::wait(to_sc_time(fs_per_ms));
    CHECK(bench.content(bench.far_core, far_base, window) == expected);
  });
  bench.run();
  CHECK(bench.completed() == all.size());
  CHECK(bench.failures().empty());
}
