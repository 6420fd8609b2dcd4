// The native HAL. A call may let other cores run, so each one makes its core current again before
// it returns to the firmware. Each also says where it was called: __builtin_return_address(0) is
// the caller's only in the HAL's function itself.
#include "sw/hal/hal.h"

#include <cstddef>
#include <cstring>

#include "platform/firmware/firmware_core.hpp"
#include "platform/firmware/standard_floats.hpp"

namespace {

template <class Call>
auto on_this_core(const void* call_site, Call&& call) {
  heddle::firmware_core& core = heddle::firmware_core::current();
  const heddle::standard_floats during_the_call;
  core.begin_call(call_site);
  struct resume {
    heddle::firmware_core& core;
    ~resume() {
      core.end_call();
      heddle::firmware_core::set_current(core);
    }
  } afterwards{core};
  return call(core);
}

bool is_equal(std::uint64_t value, std::uint64_t mask, std::uint64_t expected) {
  return (value & mask) == expected;
}

bool is_reached(std::uint64_t value, std::uint64_t count, std::uint64_t) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value - count)) >= 0;
}

bool is_raised(std::uint64_t value, std::uint64_t count, std::uint64_t) {
  return value >> 32 != 0 || is_reached(value, count, 0);
}

int poll(const void* call_site, const heddle::firmware_core::poll_request& request,
         std::uint64_t& last) {
  return on_this_core(call_site, [&](auto& core) { return core.poll(request, last); });
}

// The widest access that both addresses and the rest allow.
unsigned part_of(std::uint64_t address, const void* local, std::size_t rest) {
  const std::uint64_t both = address | reinterpret_cast<std::uintptr_t>(local);
  if (rest >= 8 && both % 8 == 0) return 8;
  return rest >= 4 && both % 4 == 0 ? 4 : 1;
}

}  // namespace

extern "C" {

std::uint32_t hal_read32(std::uint64_t address) {
  return on_this_core(__builtin_return_address(0), [&](auto& core) {
    return static_cast<std::uint32_t>(core.load(address, 4));
  });
}

std::uint64_t hal_read64(std::uint64_t address) {
  return on_this_core(__builtin_return_address(0),
                      [&](auto& core) { return core.load(address, 8); });
}

void hal_write32(std::uint64_t address, std::uint32_t value) {
  on_this_core(__builtin_return_address(0), [&](auto& core) { core.store(address, value, 4); });
}

void hal_write64(std::uint64_t address, std::uint64_t value) {
  on_this_core(__builtin_return_address(0), [&](auto& core) { core.store(address, value, 8); });
}

void hal_read_block(void* to, std::uint64_t address, std::size_t bytes) {
  auto* out = static_cast<unsigned char*>(to);
  for (std::size_t at = 0; at < bytes;) {
    const unsigned part = part_of(address + at, out + at, bytes - at);
    const std::uint64_t word = on_this_core(
        __builtin_return_address(0), [&](auto& core) { return core.load(address + at, part); });
    std::memcpy(out + at, &word, part);
    at += part;
  }
}

void hal_write_block(std::uint64_t address, const void* from, std::size_t bytes) {
  const auto* in = static_cast<const unsigned char*>(from);
  for (std::size_t at = 0; at < bytes;) {
    const unsigned part = part_of(address + at, in + at, bytes - at);
    std::uint64_t word = 0;
    std::memcpy(&word, in + at, part);
    on_this_core(__builtin_return_address(0),
                 [&](auto& core) { core.store(address + at, word, part); });
    at += part;
  }
}

void hal_fence(void) {
  on_this_core(__builtin_return_address(0), [](auto& core) { core.fence(); });
}

std::uint64_t hal_atomic_add64(std::uint64_t address, std::uint64_t addend) {
  return on_this_core(__builtin_return_address(0),
                      [&](auto& core) { return core.atomic_add(address, addend); });
}

void hal_post_add64(std::uint64_t address, std::uint64_t addend) {
  on_this_core(__builtin_return_address(0), [&](auto& core) { core.post_add(address, addend); });
}

void hal_spend(std::uint32_t instructions) {
  on_this_core(__builtin_return_address(0),
               [&](auto& core) { core.spend_instructions(instructions); });
}

void hal_wait_for_interrupt(void) {
  on_this_core(__builtin_return_address(0), [](auto& core) { core.wait_for_interrupt(); });
}

int hal_interrupt_pending(void) {
  return on_this_core(__builtin_return_address(0),
                      [](auto& core) { return core.is_interrupt_pending() ? 1 : 0; });
}

int hal_poll_equal32(std::uint64_t address, std::uint32_t mask, std::uint32_t expected,
                     std::uint64_t timeout_ns) {
  std::uint64_t last = 0;
  return poll(__builtin_return_address(0),
              {address, sizeof mask, &is_equal, mask, expected, timeout_ns, "to equal"}, last);
}

int hal_poll_reached32(std::uint64_t address, std::uint32_t count, std::uint64_t timeout_ns) {
  std::uint64_t last = 0;
  return poll(__builtin_return_address(0),
              {address, sizeof count, &is_reached, count, count, timeout_ns, "to reach"}, last);
}

int hal_poll_flag64(std::uint64_t address, std::uint32_t count, std::uint64_t timeout_ns,
                    std::uint32_t* high) {
  std::uint64_t last = 0;
  const int result =
      poll(__builtin_return_address(0),
           {address, sizeof last, &is_raised, count, count, timeout_ns, "to reach"}, last);
  *high = static_cast<std::uint32_t>(last >> 32);
  return result;
}

std::uint64_t hal_boot_address(void) {
  return on_this_core(__builtin_return_address(0), [](auto& core) { return core.boot_address(); });
}

std::uint32_t hal_device_count(std::uint32_t block) {
  return on_this_core(__builtin_return_address(0),
                      [&](auto& core) { return core.device_count(block); });
}

std::uint64_t hal_device(std::uint32_t block, std::uint32_t instance) {
  return on_this_core(__builtin_return_address(0),
                      [&](auto& core) { return core.device(block, instance); });
}

std::uint32_t hal_next_job(void) {
  return on_this_core(__builtin_return_address(0), [](auto& core) { return core.next_job(); });
}

void hal_mark(enum hal_mark mark, std::uint32_t job) {
  on_this_core(__builtin_return_address(0), [&](auto& core) {
    core.mark(mark == HAL_MARK_START ? heddle::job_mark::start : heddle::job_mark::end, job);
  });
}

std::uint64_t hal_time_ns(void) {
  return on_this_core(__builtin_return_address(0), [](auto& core) { return core.time_ns(); });
}

void hal_log(const char* text, std::uint64_t value) {
  on_this_core(__builtin_return_address(0), [&](auto& core) { core.log(text, value); });
}

void hal_exit(int code) {
  heddle::firmware_core::current().exit(code);
  __builtin_unreachable();  // the compiler does not see that a virtual function never returns
}

}  // extern "C"
