// A DMA engine between a memory of 1 MiB (100 ns, 1 B/ps) and a pipelined far target, driven
// through its registers. Local addresses start at 0, far ones at 1 GiB.
#pragma once

#include "models/dma/dma.hpp"
#include "models/memory/memory.hpp"
#include "tests/support/delayed_target.hpp"
#include "tests/support/interrupt_recorder.hpp"
#include "tests/support/memory_initiator.hpp"
#include "tests/support/memory_target.hpp"
#include "tests/support/test_bench.hpp"
#include "transactors/bus/bus.hpp"

namespace heddle {

struct dma_bench : test_bench {
  static constexpr std::uint64_t registers = 0x1000'0000, far_base = 1ULL << 30, ring = 0x8'0000;
  static constexpr fs_t latency = 100 * fs_per_ns;  // of memory
  static constexpr fs_t per_byte = 1000;
  static constexpr fs_t descriptor = 32 * per_byte;  // to read one

  memory_bus& bus = add<memory_bus>("bus");
  memory& ram = add<memory>("ram", [](memory_parameters& p) {
    p.size.set({1 << 20});
    p.latency.set({latency});
    p.rate.set(bandwidth(1'000'000'000'000));
  });
  delayed_target& far = add_stimulus<delayed_target>("far", far_base);
  memory_target& stub = add_stimulus<memory_target>("stub");
  interrupt_recorder& irq = add_stimulus<interrupt_recorder>("irq");
  memory_initiator& core = add_stimulus<memory_initiator>("core");
  dma_engine& dma;

  // `has_stub`: the far side is `stub`, whose every answer the test decides.
  explicit dma_bench(const std::function<void(dma_parameters&)>& configure = {},
                     bool has_stub = false)
      : test_bench(monitored()), dma(add<dma_engine>("dma", [&](dma_parameters& p) {
          p.local_size.set({1 << 20});
          if (configure) configure(p);
        })) {
    unit& distant_unit = has_stub ? static_cast<unit&>(stub) : far;
    unit& spare = has_stub ? static_cast<unit&>(far) : stub;
    bind(core, "bus", bus, "in");
    bind(dma, "memory", bus, "in");
    bind(dma, "fabric", distant_unit, "in");
    bind(add_stimulus<memory_initiator>("nobody"), "bus", spare, "in");
    bind(dma, "irq", irq, "irq");
    map(bus, 0, 1 << 20, ram, "in");
    map(bus, registers, 0x1000, dma, "registers");
  }

  // For use inside processes ------------------------------------------------------------------
  void set(std::uint64_t offset, std::uint32_t value) {
    last_status = core.write(registers + offset, &value, 4).status;
  }
  std::uint32_t get(std::uint64_t offset) {
    std::uint32_t value = 0;
    core.read(registers + offset, &value, 4);
    return value;
  }
  static std::uint64_t channel(int index, std::uint64_t offset) {
    return 0x100 + 0x40 * static_cast<std::uint64_t>(index) + offset;
  }
  void open(int index, std::uint32_t entries = 16) {
    const std::uint64_t base = ring_of(index);
    core.write(registers + channel(index, 0x0), &base, 8);
    set(channel(index, 0x8), entries);
  }
  void post(int index, std::uint32_t slot, const dma_descriptor& d) {
    core.debug(tlm::TLM_WRITE_COMMAND, ring_of(index) + slot * sizeof d,
               const_cast<dma_descriptor*>(&d), sizeof d);
  }
  void ring_doorbell(int index, std::uint32_t posted) { set(channel(index, 0xc), posted); }
  std::uint32_t completed(int index) { return get(channel(index, 0x10)); }
  std::uint32_t state(int index) { return get(channel(index, 0x14)) & 7; }
  std::uint32_t error(int index) { return get(channel(index, 0x14)) >> 4 & 15; }
  // Fills local memory without time.
  void fill(std::uint64_t address, std::uint32_t bytes, unsigned char first) {
    std::vector<unsigned char> data(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(first + i);
    core.debug(tlm::TLM_WRITE_COMMAND, address, data.data(), bytes);
  }
  std::vector<unsigned char> local(std::uint64_t address, std::uint32_t bytes) {
    std::vector<unsigned char> data(bytes);
    core.debug(tlm::TLM_READ_COMMAND, address, data.data(), bytes);
    return data;
  }
  std::vector<unsigned char> distant(std::uint64_t offset, std::uint32_t bytes) const {
    std::vector<unsigned char> data(bytes);
    far.bytes.read(offset, data.data(), bytes);
    return data;
  }
  // Looks a femtosecond before and a femtosecond after.
  bool completes_exactly_at(int index, std::uint32_t count, fs_t when) {
    sc_core::wait(to_sc_time(when - 1 - now_fs()));
    const bool was_too_early = completed(index) >= count;
    sc_core::wait(to_sc_time(2));
    return !was_too_early && completed(index) >= count;
  }

  static simulation_settings monitored() {
    simulation_settings settings;
    settings.has_monitors = true;
    return settings;
  }

  tlm::tlm_response_status last_status = tlm::TLM_INCOMPLETE_RESPONSE;

 private:
  static std::uint64_t ring_of(int index) {
    return ring + 0x1000 * static_cast<std::uint64_t>(index);
  }
};

inline dma_descriptor copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes,
                           std::uint32_t flags = 0) {
  return {DMA_COPY | flags, bytes, from, to, 0};
}
inline dma_descriptor word(std::uint64_t value, std::uint64_t to, std::uint32_t bytes,
                           std::uint32_t flags = 0) {
  return {DMA_WRITE | flags, bytes, value, to, 0};
}

}  // namespace heddle
