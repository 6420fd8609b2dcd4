// What a token hub refuses: the source gets an error, registers say which token and expert, and
// memory outside of the expert's block stays as it was.
#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include "models/gpu/hub/token_hub.hpp"
#include "models/memory/memory.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/unit/models/moe/dynamic_bench.hpp"
#include "transactors/bus/bus.hpp"

using namespace heddle;

namespace {

// The hub of GPU 0, with one expert and room for one token of GPU 1, which is played.
struct hub_bench : test_bench {
  static constexpr std::uint64_t window = 1 << 20, base = window, registers = 0x1000;
  static constexpr std::uint32_t hidden = 64, bytes = 2 * hidden, tokens = 2;
  static constexpr std::uint64_t descriptor = base, lists = base + 0x1000, counts = base + 0x2000,
                                 inputs = base + 0x3000, experts_in = base + 0x4000,
                                 experts_out = base + 0x5000, results = base + 0x6000,
                                 gates = base + 0x7000, gathered = base + 0x8000;

  memory_bus& bus = add<memory_bus>("bus");
  memory& ram;
  token_hub& hub = add<token_hub>("hub", [](token_hub_parameters& p) {
    p.ports.set(1);
    p.base.set({base});
    p.size.set({window});
    p.first_base.set({base});
  });
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  played_gpu& peer = add_stimulus<played_gpu>("peer", base + window, window, 0.0F);

  explicit hub_bench(fs_t memory_latency = 100 * fs_per_ns)
      : ram(add<memory>("ram", [memory_latency](memory_parameters& p) {
          p.size.set({window});
          p.latency.set({memory_latency});
        })) {
    map(bus, base, window, ram, "in");
    map(bus, registers, 0x1000, hub, "registers");
    bind(core, "bus", bus, "in");
    bind(hub, "memory", bus, "in");
    link(hub, "port[0]", peer, "port", [](link_parameters& p) {
      p.rate.set(bandwidth(16'000'000'000));
      p.latency.set({250 * fs_per_ns});
    });
  }

  void start(const std::vector<std::uint16_t>& own_lists, std::uint32_t places,
             const std::function<void(token_layer&)>& spoil = {}) {
    token_layer layer{};
    layer.gpus = 2;
    layer.experts_per_gpu = 1;
    layer.tokens = tokens;
    layer.topk = 2;
    layer.tile = 1;
    layer.hidden = hidden;
    layer.ffn = 64;
    layer.traffic = TOKEN_COPIES;
    layer.chunks = layer.parts = 1;
    layer.gemm1_matrices = 1;
    layer.dispatch_bytes = 2;
    layer.dispatch_sms = layer.gemm1_sms = layer.gemm2_sms = layer.combine_sms = 1;
    layer.range = gathered;
    layer.lists = lists;
    layer.counts = counts;
    layer.inputs = inputs;
    layer.experts_in = experts_in;
    layer.experts_out = experts_out;
    layer.results = results;
    layer.gates = gates;
    layer.gathered = gathered;
    if (spoil) spoil(layer);
    put(descriptor, &layer, sizeof layer);
    put(lists, own_lists.data(), own_lists.size() * sizeof(std::uint16_t));
    put(counts, &places, sizeof places);
    core.write(registers + token_hub_regs::layer_offset, &descriptor, sizeof descriptor);
    const std::uint32_t go = 1;
    core.write(registers + token_hub_regs::start_offset, &go, sizeof go);
    packet& p = *take_packet();
    p.header.attach<token_notice_list>().is_count = true;
    send(p, token_notice, 16);
  }
  // From the peer, for the hub's only expert.
  void send_vector(packet_kind kind, std::uint32_t token, std::uint16_t expert = 0) {
    packet& p = *take_packet();
    auto& list = p.header.attach<target_list>();
    list.experts.push_back(expert);
    list.stage = kind == token_store ? token_stage::dispatch : token_stage::combine;
    p.address = gathered + token * bytes;
    p.payload_bytes = bytes;
    if (kind == token_store) {
      const std::vector<float> values(hidden, 1.0F);
      p.payload = payload_slice::allocate(bytes);
      narrow(dtype::bf16, values.data(), p.payload.data(), values.size());
    }
    send(p, kind, kind == token_store ? 16 + bytes : 16);
  }
  void send(packet& p, packet_kind kind, std::uint32_t wire_bytes) {
    p.kind = kind;
    p.source = peer.id;
    p.destination = sim.service<fabric>().find_window(base)->endpoint;
    p.wire_bytes = wire_bytes;
    peer.send(p);
  }
  void put(std::uint64_t address, const void* from, std::size_t size) {
    core.debug(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(from),
               static_cast<std::uint32_t>(size));
  }
  std::vector<std::byte> bytes_at(std::uint64_t address, std::uint32_t size) {
    std::vector<std::byte> got(size);
    core.debug(tlm::TLM_READ_COMMAND, address, got.data(), size);
    return got;
  }
  template <class Value>
  void write(std::uint64_t offset, Value value) {
    core.write(registers + offset, &value, sizeof value);
  }
  std::uint32_t read(std::uint64_t offset) {
    std::uint32_t value = 0;
    core.debug(tlm::TLM_READ_COMMAND, registers + offset, &value, sizeof value);
    return value;
  }
  void check_error(token_hub_regs::status_error reason, std::uint32_t token, std::uint32_t expert) {
    CHECK((read(token_hub_regs::status_offset) & 3) == 2);
    CHECK(read(token_hub_regs::status_offset) >> 4 == static_cast<std::uint32_t>(reason));
    CHECK(read(token_hub_regs::error_token_offset) == token);
    CHECK(read(token_hub_regs::error_expert_offset) == expert);
    CHECK((read(token_hub_regs::irq_status_offset) & 2) == 2);
  }
};

using error = token_hub_regs::status_error;
// Two own tokens that no expert gets: counts, and room for two experts each.
const std::vector<std::uint16_t> nobody = {0, 0, 0, 0, 0, 0};

}  // namespace

TEST_CASE("more tokens than nactive says overflow, and what lies behind the block stays") {
  hub_bench bench;
  const std::vector<std::byte> behind(256, std::byte{0x5a});
  bench.at(0, [&] {
    bench.put(hub_bench::experts_in + hub_bench::bytes, behind.data(), behind.size());
    bench.start(nobody, 1);
  });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.at(4 * fs_per_us, [&] { bench.send_vector(token_store, 2); });
  bench.run();
  const auto answers = bench.peer.of_kind(token_ack);
  REQUIRE(answers.size() == 2);
  CHECK_FALSE(answers[0].is_error);
  CHECK(answers[1].is_error);
  bench.check_error(error::OVERFLOW, 2, 0);
  CHECK(bench.bytes_at(hub_bench::experts_in, 2) ==
        std::vector<std::byte>{std::byte{0x80}, std::byte{0x3f}});
  CHECK(bench.bytes_at(hub_bench::experts_in + hub_bench::bytes, 256) == behind);
}

TEST_CASE("a fetch of what was never dispatched is unmapped") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_fetch, 3); });
  bench.run();
  const auto answers = bench.peer.of_kind(token_sum);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().is_error);
  bench.check_error(error::UNMAPPED, 3, 0);
}

TEST_CASE("a row starts when memory has acknowledged its last byte, not when that arrives") {
  hub_bench bench(3 * fs_per_us);
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(8 * fs_per_us, [&] { bench.send_vector(token_store, 3); });
  bench.run();
  // The wire: a header and the vector at 16 GB/s, and 250 ns. Then an entry of the layout table,
  // and memory: its latency, and a look of the kernels every 150 ns.
  const fs_t arrival = 8 * fs_per_us + 9 * fs_per_ns + 250 * fs_per_ns;
  const fs_t earliest = arrival + 100 * fs_per_ns + 3 * fs_per_us;
  const fs_t begin = bench.hub.spans()[1].begin;
  CHECK(begin >= earliest);
  CHECK(begin < earliest + 200 * fs_per_ns);
}

TEST_CASE("a vector for the expert of another GPU is refused") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] { bench.send_vector(token_store, 3, 1); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_ack).size() == 1);
  CHECK(bench.peer.of_kind(token_ack).front().is_error);
  bench.check_error(error::EXPERT, 3, 1);
}

TEST_CASE("an own list that names an expert twice ends the layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 2, 0, 0}, 1); });
  bench.run();
  bench.check_error(error::DUPLICATE, 1, 0);
}

TEST_CASE("an own list that names an expert that does not exist ends the layer") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 2, 0, 99}, 1); });
  bench.run();
  bench.check_error(error::EXPERT, 1, 99);
}

TEST_CASE("own lists that are wrong end the layer before anything of them is sent") {
  hub_bench bench;
  bench.at(0, [&] { bench.start({1, 1, 0, 3, 0, 1}, 1); });
  bench.run();
  // The second token says three experts where two are the most.
  bench.check_error(error::COUNT, 1, 3);
  CHECK(bench.peer.of_kind(token_store).size() <= 1);
}

TEMPLATE_TEST_CASE_SIG("a layer that is larger than any is refused", "", ((int which), which), 0, 1,
                       2, 3, 4) {
  const std::function<void(token_layer&)> spoiled[] = {
      [](token_layer& l) { l.topk = UINT32_MAX; }, [](token_layer& l) { l.topk = 3; },
      [](token_layer& l) { l.experts_per_gpu = UINT32_MAX; },
      [](token_layer& l) { l.ffn = UINT32_MAX; }, [](token_layer& l) { l.tile = UINT32_MAX; }};
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1, spoiled[which]); });
  bench.run();
  bench.check_error(error::BAD_LAYER, 0, 0);
}

TEST_CASE("experts that get more tokens than there are") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 5); });
  bench.run();
  bench.check_error(error::BAD_LAYER, 0, 0);
}

TEST_CASE("commands of firmware that does not play the groups are refused") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us, [&] {
    bench.write(token_hub_regs::ring_offset, hub_bench::gathered);
    bench.write(token_hub_regs::ring_entries_offset, std::uint32_t{16});
    bench.write(token_hub_regs::posted_offset, std::uint32_t{1});
  });
  bench.run();
  bench.check_error(error::COMMAND, 0, 0);
}

TEST_CASE("a row that firmware was not given is not multiplied") {
  hub_bench bench;
  bench.at(0, [&] { bench.start(nobody, 1); });
  bench.at(2 * fs_per_us,
           [&] { bench.write(token_hub_regs::issue_gemm1_offset, std::uint32_t{0}); });
  bench.run();
  bench.check_error(error::COMMAND, 0, 0);
  CHECK(bench.hub.spans()[1].end == 0);
}

TEST_CASE("an error of the other GPU ends the layer here, too") {
  hub_bench bench;
  bench.peer.refuses = true;
  bench.at(0, [&] { bench.start({1, 1, 0, 0, 0, 0}, 1); });
  bench.run();
  REQUIRE(bench.peer.of_kind(token_store).size() == 1);
  bench.check_error(error::REMOTE, 0, 0);
}
