// A hart of either width with memory and a device that the test looks into. No simulation.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "models/cpu/rv/any_hart.hpp"
#include "tests/unit/models/rv/assembler.hpp"

namespace heddle::rv {

struct hart_bench final : hart_bus {
  static constexpr std::uint64_t memory_base = 0x80000000, memory_bytes = 0x20000;
  static constexpr std::uint64_t code = memory_base, data = memory_base + 0x8000,
                                 handler = memory_base + 0x4000;
  static constexpr std::uint64_t device = 0x10000000, device_bytes = 0x100;

  explicit hart_bench(int xlen, const cycle_costs& costs = {}, bool serves_misaligned = false)
      : hart(make_hart(xlen, *this, costs, serves_misaligned)) {
    hart->set_pc(code);
  }

  void put(std::uint64_t address, const std::vector<assembler::word>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) poke(address + 4 * i, words[i]);
  }
  void put16(std::uint64_t address, const std::vector<std::uint16_t>& parcels) {
    for (std::size_t i = 0; i < parcels.size(); ++i) poke(address + 2 * i, parcels[i]);
  }
  template <class T>
  void poke(std::uint64_t address, T value) {
    std::memcpy(&bytes.at(address - memory_base), &value, sizeof value);
  }
  template <class T>
  T peek(std::uint64_t address) const {
    T value;
    std::memcpy(&value, &bytes.at(address - memory_base), sizeof value);
    return value;
  }

  // Runs the words, which must not jump away, to their end.
  stop_reason run(std::vector<assembler::word> words) {
    words.push_back(assembler::wfi);
    put(code, words);
    hart->forget_code();
    hart->set_pc(code);
    return run_on();
  }
  // Past the instructions after which a unit would look for interrupts.
  stop_reason run_on() {
    for (;;)
      if (const stop_reason reason = hart->run(UINT64_MAX); reason != stop_reason::cycles)
        return reason;
  }
  std::uint64_t csr(unsigned number) {
    std::uint64_t value = 0;
    hart->read_csr(number, value);
    return value;
  }

  unsigned char* direct_page(std::uint64_t address) override {
    const bool is_memory = is_direct && address - memory_base < memory_bytes;
    return is_memory ? &bytes[(address - memory_base) / page_bytes * page_bytes] : nullptr;
  }
  bool load(std::uint64_t address, unsigned count, std::uint64_t& value) override {
    ++loads;
    pc_of_access = hart->current_pc();
    cycles_of_access = hart->cycles();
    value = 0;
    if (const unsigned char* at = find(address, count)) std::memcpy(&value, at, count);
    hart->pass(stall);
    return find(address, count) != nullptr;
  }
  bool store(std::uint64_t address, unsigned count, std::uint64_t value) override {
    ++stores;
    unsigned char* at = find(address, count);
    if (at) std::memcpy(at, &value, count);
    return at != nullptr;
  }
  bool post_modify(const atomic_access& access) override {
    std::uint64_t before = 0;
    ++posted;
    return modify(access, before);
  }
  bool modify(const atomic_access& access, std::uint64_t& before) override {
    ++atomics;
    before = 0;
    unsigned char* at = find(access.address, access.bytes);
    if (!at) return false;
    std::memcpy(&before, at, access.bytes);
    const std::uint64_t after =
        access.bytes == 8 ? changed<std::uint64_t>(access, before)
                          : changed<std::uint32_t>(access, static_cast<std::uint32_t>(before));
    std::memcpy(at, &after, access.bytes);
    return true;
  }
  bool fetch(std::uint64_t address, std::uint16_t& parcel) override {
    const unsigned char* at = find(address, 2);
    if (at) std::memcpy(&parcel, at, 2);
    return at != nullptr;
  }
  void fence(bool for_devices) override {
    ++fences;
    device_fences += for_devices ? 1 : 0;
    if (on_fence) on_fence();
  }
  void time_is_read() override { ++looks_at_time; }
  std::uint64_t time() override { return now; }

  std::vector<unsigned char> bytes = std::vector<unsigned char>(memory_bytes);
  std::vector<unsigned char> registers = std::vector<unsigned char>(device_bytes);
  bool is_direct = true;
  std::uint64_t loads = 0, stores = 0, atomics = 0, posted = 0, fences = 0, device_fences = 0,
                looks_at_time = 0, now = 0, stall = 0;
  std::uint64_t pc_of_access = 0, cycles_of_access = 0;
  std::function<void()> on_fence;  // what happens while the hart waits
  std::unique_ptr<any_hart> hart;

 private:
  template <class T>
  static T changed(const atomic_access& access, T before) {
    return heddle::performed(access.operation, before, static_cast<T>(access.operand),
                             static_cast<T>(access.expected));
  }
  unsigned char* find(std::uint64_t address, unsigned count) {
    if (address - device < device_bytes) return &registers[address - device];
    if (address >= memory_base && address - memory_base <= memory_bytes - count)
      return &bytes[address - memory_base];
    return nullptr;
  }
};

}  // namespace heddle::rv
