// A token hub beside its memory, with one link to a GPU that is played, and a core that starts
// layers.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "models/gpu/hub/token_hub.hpp"
#include "models/memory/memory.hpp"
#include "platform/contracts/register_audit.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/unit/models/moe/dynamic_bench.hpp"
#include "transactors/bus/bus.hpp"

namespace heddle {

// Two own tokens that no expert gets: counts, and room for two experts each.
inline const std::vector<std::uint16_t> nobody = {0, 0, 0, 0, 0, 0};

// The hub of GPU 0, with one expert and room for one token of GPU 1, which is played.
struct hub_bench : test_bench {
  static constexpr std::uint64_t window = 1 << 20, base = window, registers = 0x1000;
  static constexpr std::uint32_t hidden = 64, bytes = 2 * hidden, tokens = 2;
  static constexpr std::uint64_t descriptor = base, lists = base + 0x1000, counts = base + 0x2000,
                                 inputs = base + 0x3000, experts_in = base + 0x4000,
                                 experts_out = base + 0x5000, results = base + 0x6000,
                                 gates = base + 0x7000, gathered = base + 0x8000;
  static constexpr std::uint64_t nowhere = 0x4000000;  // no memory answers there

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

  // `has_link`: the hub's port leads to the peer, otherwise to nobody yet.
  explicit hub_bench(fs_t memory_latency = 100 * fs_per_ns,
                     const simulation_settings& settings = {}, bool has_link = true)
      : test_bench(settings), ram(add<memory>("ram", [memory_latency](memory_parameters& p) {
          p.size.set({window});
          p.latency.set({memory_latency});
        })) {
    map(bus, base, window, ram, "in");
    map(bus, registers, 0x1000, hub, "registers");
    bind(core, "bus", bus, "in");
    bind(hub, "memory", bus, "in");
    if (has_link) join(hub, "port[0]", peer, "port");
  }
  void join(unit& a, const std::string& port_a, unit& b, const std::string& port_b) {
    link(a, port_a, b, port_b, [](link_parameters& p) {
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
    send_count(peer);
  }
  // How many tokens the hub's experts get from that GPU.
  void send_count(played_gpu& from) {
    packet& p = *take_packet();
    p.header.attach<token_notice_list>().is_count = true;
    send(from, p, token_notice, 16);
  }
  // From the peer, for the hub's only expert.
  void send_vector(packet_kind kind, std::uint32_t token, std::uint16_t expert = 0,
                   std::uint32_t size = bytes) {
    const bool is_store = kind == token_store;
    send_request(kind, is_store ? token_stage::dispatch : token_stage::combine, token, expert,
                 size);
  }
  // From the peer, which returns what its expert has for a token of the hub (copies).
  void send_part(std::uint32_t token) {
    send_request(token_store, token_stage::combine, token, 1, bytes);
  }
  void send_request(packet_kind kind, token_stage stage, std::uint32_t token, std::uint16_t expert,
                    std::uint32_t size) {
    packet& p = *take_packet();
    auto& list = p.header.attach<target_list>();
    list.experts.push_back(expert);
    list.stage = stage;
    p.address = gathered + token * bytes;
    p.payload_bytes = size;
    if (kind == token_store && sim.settings().carries_data) {
      const std::vector<float> values(size / 2, 1.0F);
      p.payload = payload_slice::allocate(size);
      narrow(dtype::bf16, values.data(), p.payload.data(), values.size());
    }
    send(peer, p, kind, kind == token_store ? 16 + size : 16);
  }
  // The experts of a GPU, or of the peer, are done with tokens of the hub.
  void send_notice(const std::vector<std::uint16_t>& own) { send_notice(peer, own); }
  void send_notice(played_gpu& from, const std::vector<std::uint16_t>& own) {
    packet& p = *take_packet();
    auto& list = p.header.attach<token_notice_list>();
    list.tokens.assign(own.begin(), own.end());
    send(from, p, token_notice, 32);
  }
  void send(played_gpu& from, packet& p, packet_kind kind, std::uint32_t wire_bytes) {
    p.kind = kind;
    p.source = from.id;
    p.destination = sim.service<fabric>().find_window(base)->endpoint;
    p.wire_bytes = wire_bytes;
    from.send(p);
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
  std::string told() { return sim.service<register_audit_log>().last().reason; }
  void check_error(token_hub_regs::status_error reason, std::uint32_t token, std::uint32_t expert) {
    CHECK((read(token_hub_regs::status_offset) & 3) == 2);
    CHECK(read(token_hub_regs::status_offset) >> 4 == static_cast<std::uint32_t>(reason));
    CHECK(read(token_hub_regs::error_token_offset) == token);
    CHECK(read(token_hub_regs::error_expert_offset) == expert);
    CHECK((read(token_hub_regs::irq_status_offset) & 2) == 2);
  }
};

}  // namespace heddle
