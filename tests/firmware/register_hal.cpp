#include "tests/firmware/register_hal.hpp"

#include <algorithm>
#include <cstring>

#include "sw/hal/hal.h"

namespace heddle::test {

register_hal& hardware() {
  static register_hal all;
  return all;
}
register_hal& fresh_hardware() {
  return hardware() = {};
}

}  // namespace heddle::test

using heddle::test::hardware;

namespace {

std::uint64_t load(std::uint64_t address) {
  ++hardware().time_ns;
  hardware().before_read(address);
  return hardware().words[address];
}

void store(std::uint64_t address, std::uint64_t value) {
  ++hardware().time_ns;
  hardware().words[address] = value;
  hardware().writes.emplace_back(address, value);
  hardware().on_write(address);
}

}  // namespace

std::uint32_t hal_read32(std::uint64_t address) {
  return static_cast<std::uint32_t>(load(address));
}
std::uint64_t hal_read64(std::uint64_t address) {
  return load(address);
}
void hal_write32(std::uint64_t address, std::uint32_t value) {
  store(address, value);
}
void hal_write64(std::uint64_t address, std::uint64_t value) {
  store(address, value);
}
void hal_write_block(std::uint64_t address, const void* from, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(from) + at, std::min(sizeof word, bytes - at));
    store(address + at, word);
  }
}
int hal_poll_reached32(std::uint64_t address, std::uint32_t count, std::uint64_t) {
  return static_cast<std::uint32_t>(load(address)) - count < 1U << 31 ? 0 : HAL_TIMEOUT;
}
int hal_poll_equal32(std::uint64_t address, std::uint32_t mask, std::uint32_t value,
                     std::uint64_t) {
  return (static_cast<std::uint32_t>(load(address)) & mask) == value ? 0 : HAL_TIMEOUT;
}
void hal_wait_for_interrupt(void) {}
void hal_mark(enum hal_mark, std::uint32_t) {}
void hal_read_block(void* to, std::uint64_t address, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t)) {
    const std::uint64_t word = load(address + at);
    std::memcpy(static_cast<char*>(to) + at, &word, std::min(sizeof word, bytes - at));
  }
}
std::uint64_t hal_boot_address(void) {
  return 0;
}
void hal_spend(std::uint32_t) {}
void hal_fence(void) {
  ++hardware().fences;
}
void hal_post_add64(std::uint64_t address, std::uint64_t addend) {
  hardware().additions.emplace_back(address, addend);
}
int hal_poll_flag64(std::uint64_t address, std::uint32_t count, std::uint64_t,
                    std::uint32_t* high) {
  const std::uint64_t word = load(address);
  *high = static_cast<std::uint32_t>(word >> 32);
  const bool is_reached = static_cast<std::uint32_t>(word) - count < 1U << 31;
  return *high != 0 || is_reached ? 0 : HAL_TIMEOUT;
}
std::uint32_t hal_device_count(std::uint32_t block) {
  return static_cast<std::uint32_t>(hardware().devices[block].size());
}
std::uint64_t hal_device(std::uint32_t block, std::uint32_t instance) {
  return hardware().devices[block].at(instance);
}
std::uint64_t hal_time_ns(void) {
  return ++hardware().time_ns;
}
void hal_log(const char* text, std::uint64_t value) {
  hardware().logs.emplace_back(text, value);
}
