// The HAL on the stand-in cluster. Firmware is C: no exception may cross it, so whatever the
// cluster refuses stops the core instead.
#include "sw/hal/hal.h"

#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "tests/firmware/node.hpp"

using heddle::test::node;

namespace {

template <class Action>
auto guarded(Action action) -> decltype(action(node::current())) {
  node& self = node::current();
  std::string reason;
  try {
    return action(self);
  } catch (const std::exception& error) {
    reason = error.what();
  }
  self.stop(std::move(reason));
}

template <class Accepts>
int poll(std::uint64_t address, std::uint64_t timeout, std::uint32_t expected, Accepts accepts) {
  return guarded([=](node& self) {
    const auto holds = [=, &self] {
      return accepts(static_cast<std::uint32_t>(self.peek(address, 4)));
    };
    return self.wait(holds, timeout, {address, expected}) ? 0 : HAL_TIMEOUT;
  });
}

}  // namespace

uint32_t hal_read32(uint64_t address) {
  return guarded([&](node& self) { return static_cast<uint32_t>(self.load(address, 4)); });
}

uint64_t hal_read64(uint64_t address) {
  return guarded([&](node& self) { return self.load(address, 8); });
}

void hal_write32(uint64_t address, uint32_t value) {
  guarded([&](node& self) {
    self.store(address, value, 4);
    return 0;
  });
}

void hal_write64(uint64_t address, uint64_t value) {
  guarded([&](node& self) {
    self.store(address, value, 8);
    return 0;
  });
}

void hal_read_block(void* to, uint64_t address, size_t bytes) {
  for (size_t done = 0; done < bytes; done += 8) {
    const uint64_t word = hal_read64(address + done);
    std::memcpy(static_cast<std::byte*>(to) + done, &word, sizeof word);
  }
}

void hal_write_block(uint64_t address, const void* from, size_t bytes) {
  for (size_t done = 0; done < bytes; done += 8) {
    uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(from) + done, sizeof word);
    hal_write64(address + done, word);
  }
}

void hal_fence(void) {}

void hal_spend(uint32_t) {}

void hal_post_add64(uint64_t address, uint64_t addend) {
  guarded([&](node& self) {
    self.post_add(address, addend);
    return 0;
  });
}

int hal_poll_equal32(uint64_t address, uint32_t mask, uint32_t expected, uint64_t timeout_ns) {
  return poll(address, timeout_ns, expected,
              [=](std::uint32_t value) { return (value & mask) == expected; });
}

int hal_poll_reached32(uint64_t address, uint32_t count, uint64_t timeout_ns) {
  return poll(address, timeout_ns, count,
              [=](std::uint32_t value) { return static_cast<std::int32_t>(value - count) >= 0; });
}

int hal_poll_flag64(uint64_t address, uint32_t count, uint64_t timeout_ns, uint32_t* high) {
  const int result = guarded([=](node& self) {
    const auto holds = [=, &self] {
      const std::uint64_t value = self.peek(address, 8);
      return value >> 32 != 0 ||
             static_cast<std::int32_t>(static_cast<std::uint32_t>(value - count)) >= 0;
    };
    return self.wait(holds, timeout_ns, {address, count}) ? 0 : HAL_TIMEOUT;
  });
  *high =
      static_cast<std::uint32_t>(guarded([=](node& self) { return self.peek(address, 8); }) >> 32);
  return result;
}

uint64_t hal_boot_address(void) {
  return node::current().boot_address();
}

uint32_t hal_device_count(uint32_t block) {
  return node::current().device(block, 0) != 0 ? 1 : 0;
}

uint64_t hal_device(uint32_t block, uint32_t instance) {
  const uint64_t base = node::current().device(block, instance);
  if (base == 0) node::current().stop("no device " + std::to_string(block));
  return base;
}

uint32_t hal_next_job(void) {
  return guarded([](node& self) { return self.next_job(); });
}

void hal_mark(enum hal_mark mark, uint32_t) {
  guarded([=](node& self) {
    self.mark(mark == HAL_MARK_END);
    return 0;
  });
}

void hal_log(const char* text, uint64_t value) {
  node::current().log(std::string(text) + " " + std::to_string(value));
}

void hal_exit(int code) {
  node::current().end(code);
}
