// Accelerators around one switch with a multicast engine: of each a packetizer, a memory of 1 MiB
// (100 ns, 1 B/ps), a bus and a core. Links carry 1 B/ps in 10 ns.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "models/inc/nvls/multicast_engine.hpp"
#include "models/memory/memory.hpp"
#include "models/switch/switch.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"
#include "transactors/packetizer/packetizer.hpp"

namespace heddle {

struct nvls_options {
  int ranks = 4;
  std::uint32_t train = 1;
  std::uint64_t link_buffer = 128 * 1024;
  std::uint64_t absent = 0;  // bit mask
  std::uint64_t buffer = 1024;
  std::uint64_t speedup = 0;
  std::uint64_t mapped = 0;
  bool is_monitored = true;
  bool carries_data = true;
};

struct nvls_bench : test_bench {
  static constexpr std::uint64_t window = 1 << 20, region = 1ULL << 40;
  static constexpr fs_t per_byte = 1000, latency = 10 * fs_per_ns, forwarding = 100 * fs_per_ns,
                        pipeline = 20 * fs_per_ns, memory_latency = 100 * fs_per_ns;

  packet_switch& hub;
  multicast_engine& engine;
  std::vector<memory_bus*> buses;
  std::vector<packetizer*> nis;
  std::vector<memory_initiator*> cores;

  explicit nvls_bench(const nvls_options& o)
      : test_bench(settings_of(o)),
        hub(add<packet_switch>(
            "hub",
            [&](switch_parameters& p) { p.ports.set(static_cast<std::uint64_t>(o.ranks)); })),
        engine(add<multicast_engine>("engine", [&](multicast_engine_parameters& p) {
          p.base.set({region});
          p.size.set({window});
          p.mapped.set({o.mapped});
          p.members.set(static_cast<std::uint64_t>(o.ranks));
          p.member_base.set({window});
          p.member_stride.set({window});
          p.absent.set(o.absent);
          p.buffer.set(o.buffer);
          p.speedup.set(o.speedup);
        })) {
    bind(engine, "switch", hub, "inc");
    for (int i = 0; i < o.ranks; ++i) add_accelerator(i, o);
  }

  static std::uint64_t base_of(int rank) { return (static_cast<std::uint64_t>(rank) + 1) * window; }

  // For use inside processes ------------------------------------------------------------------
  memory_initiator::result ld_reduce(int rank, std::uint64_t offset, void* to, std::uint32_t bytes,
                                     dtype type, reduce_op op = reduce_op::sum) {
    tlm::tlm_generic_payload payload;
    multimem_extension reduction;
    reduction.type = type;
    reduction.op = op;
    set_access(payload, tlm::TLM_READ_COMMAND, region + offset, to, bytes);
    payload.set_extension(&reduction);
    const auto got = core(rank).transport(payload, 0);
    payload.clear_extension(&reduction);
    return got;
  }
  memory_initiator::result st(int rank, std::uint64_t offset, const void* from,
                              std::uint32_t bytes) {
    return core(rank).write(region + offset, from, bytes);
  }
  memory_initiator::result red(int rank, std::uint64_t offset, std::uint64_t addend) {
    std::uint64_t before = 0;
    return core(rank).atomic_add(region + offset, addend, before);
  }
  memory_initiator& core(int rank) { return *cores[static_cast<std::size_t>(rank)]; }

  // Without time ------------------------------------------------------------------------------
  // At the start of the simulation, before whatever is told to happen later.
  void fill(int rank, std::uint64_t offset, const void* from, std::size_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    at(0, [this, rank, offset, content = std::vector<std::byte>(first, first + bytes)] {
      core(rank).debug(tlm::TLM_WRITE_COMMAND, base_of(rank) + offset,
                       const_cast<std::byte*>(content.data()),
                       static_cast<std::uint32_t>(content.size()));
    });
  }
  std::vector<std::byte> bytes_of(int rank, std::uint64_t offset, std::size_t bytes) {
    std::vector<std::byte> got(bytes);
    core(rank).debug(tlm::TLM_READ_COMMAND, base_of(rank) + offset, got.data(),
                     static_cast<std::uint32_t>(bytes));
    return got;
  }
  template <class T>
  T word_of(int rank, std::uint64_t offset) {
    T word{};
    std::memcpy(&word, bytes_of(rank, offset, sizeof word).data(), sizeof word);
    return word;
  }
  std::uint64_t statistic_of(const unit& owner, const std::string& name) const {
    for (const auto* each : owner.statistics()->all())
      if (each->name() == name) return each->raw();
    return ~0ULL;
  }

 private:
  static simulation_settings settings_of(const nvls_options& o) {
    simulation_settings settings;
    settings.train = o.train;
    settings.has_monitors = o.is_monitored;
    settings.carries_data = o.carries_data;
    return settings;
  }

  void add_accelerator(int rank, const nvls_options& o) {
    const std::string number = std::to_string(rank);
    memory_bus& bus = *buses.emplace_back(&add<memory_bus>("bus" + number));
    memory& ram = add<memory>("ram" + number, [](memory_parameters& p) {
      p.size.set({window});
      p.latency.set({memory_latency});
      p.rate.set(bandwidth(1'000'000'000'000));
    });
    packetizer& ni =
        *nis.emplace_back(&add<packetizer>("ni" + number, [&](packetizer_parameters& p) {
          p.ports.set(1);
          p.base.set({base_of(rank)});
          p.size.set({window});
        }));
    cores.push_back(&add_stimulus<memory_initiator>("core" + number));
    map(bus, base_of(rank), window, ram, "in");
    bus.add_default_range().connect(*ni.find_port("in"), nullptr);
    bind(*cores.back(), "bus", bus, "in");
    bind(ni, "out", bus, "in");
    link(ni, "port[0]", hub, "port[" + number + "]", [&](link_parameters& p) {
      p.rate.set(bandwidth(1'000'000'000'000));
      p.latency.set({latency});
      p.buffer.set({o.link_buffer});
    });
  }
};

}  // namespace heddle
