/* The HAL on a RISC-V core of 64 or 32 bits: accesses are loads and stores, the platform is asked
 * by way of the firmware_host registers of the core.
 *
 * Limitations: 32 bits reach the first 4 GiB, and a word of 64 bits in two accesses, the lower half
 * first: whoever writes it whole may do so in between. hal_time_ns looks twice, the counters of the
 * collectives allow it.
 */
#include "hal/hal.h"

#include "hal/rv_host.h"

#define MEIP ((uintptr_t)1 << 11)

#if __riscv_xlen == 64
static void* at(uint64_t address) {
  return (void*)(uintptr_t)address;
}
#else
/* Cut off, it would be the address of something else. */
static void* at(uint64_t address) {
  if (address >> 32 != 0) {
    hal_log("a core of 32 bits cannot reach address", address);
    hal_exit(1);
  }
  return (void*)(uintptr_t)address;
}
#endif

static volatile uint32_t* at32(uint64_t address) {
  return at(address);
}

#if __riscv_xlen == 64
static uint64_t load64(uint64_t address) {
  return *(volatile uint64_t*)at(address);
}

static void store64(uint64_t address, uint64_t value) {
  *(volatile uint64_t*)at(address) = value;
}
#else
static uint64_t load64(uint64_t address) {
  const uint64_t low = *at32(address);
  return (uint64_t)*at32(address + 4) << 32 | low;
}

static void store64(uint64_t address, uint64_t value) {
  *at32(address) = (uint32_t)value;
  *at32(address + 4) = (uint32_t)(value >> 32);
}
#endif

uint32_t hal_read32(uint64_t address) {
  return *at32(address);
}

uint64_t hal_read64(uint64_t address) {
  return load64(address);
}

void hal_write32(uint64_t address, uint32_t value) {
  *at32(address) = value;
}

void hal_write64(uint64_t address, uint64_t value) {
  store64(address, value);
}

/* Words that the compiler may not take for other objects. */
typedef uint64_t __attribute__((may_alias)) any64;
typedef uint32_t __attribute__((may_alias)) any32;

/* The widest access that both addresses and the rest allow. */
static size_t part_of(uint64_t address, const void* local, size_t rest) {
  const uint64_t both = address | (uintptr_t)local;
  if (rest >= 8 && both % 8 == 0) return 8;
  return rest >= 4 && both % 4 == 0 ? 4 : 1;
}

void hal_read_block(void* to, uint64_t address, size_t bytes) {
  unsigned char* out = to;
  while (bytes > 0) {
    const size_t part = part_of(address, out, bytes);
    if (part == 8) {
      *(any64*)(void*)out = load64(address);
    } else if (part == 4) {
      *(any32*)(void*)out = *at32(address);
    } else {
      *out = *(volatile unsigned char*)at(address);
    }
    out += part;
    address += part;
    bytes -= part;
  }
}

void hal_write_block(uint64_t address, const void* from, size_t bytes) {
  const unsigned char* in = from;
  while (bytes > 0) {
    const size_t part = part_of(address, in, bytes);
    if (part == 8) {
      store64(address, *(const any64*)(const void*)in);
    } else if (part == 4) {
      *at32(address) = *(const any32*)(const void*)in;
    } else {
      *(volatile unsigned char*)at(address) = *in;
    }
    in += part;
    address += part;
    bytes -= part;
  }
}

void hal_fence(void) {
  __asm__ volatile("fence iorw, iorw" ::: "memory");
}

#if __riscv_xlen == 64
uint64_t hal_atomic_add64(uint64_t address, uint64_t addend) {
  uint64_t before;
  __asm__ volatile("amoadd.d.aqrl %0, %2, (%1)"
                   : "=r"(before)
                   : "r"(address), "r"(addend)
                   : "memory");
  return before;
}

void hal_post_add64(uint64_t address, uint64_t addend) {
  __asm__ volatile("amoadd.d x0, %1, (%0)" : : "r"(address), "r"(addend) : "memory");
}
#else
static void add(uint64_t address, uint64_t addend, uint32_t kind) {
  store64(HOST + FIRMWARE_HOST_ATOMIC_ADDRESS, address);
  store64(HOST + FIRMWARE_HOST_ATOMIC_OPERAND, addend);
  *at32(HOST + FIRMWARE_HOST_ATOMIC) = kind << FIRMWARE_HOST_ATOMIC_KIND_POS;
}

uint64_t hal_atomic_add64(uint64_t address, uint64_t addend) {
  add(address, addend, FIRMWARE_HOST_ATOMIC_KIND_FETCH);
  return load64(HOST + FIRMWARE_HOST_ATOMIC_RESULT);
}

void hal_post_add64(uint64_t address, uint64_t addend) {
  add(address, addend, FIRMWARE_HOST_ATOMIC_KIND_POST);
}
#endif

void hal_spend(uint32_t instructions) {
  (void)instructions; /* they have been executed */
}

void hal_wait_for_interrupt(void) {
  uintptr_t pending;
  do {
    __asm__ volatile("csrs mie, %1\n\twfi\n\tcsrr %0, mip" : "=r"(pending) : "r"(MEIP) : "memory");
  } while ((pending & MEIP) == 0);
}

int hal_interrupt_pending(void) {
  uintptr_t pending;
  __asm__ volatile("csrr %0, mip" : "=r"(pending) : : "memory");
  return (pending & MEIP) != 0;
}

static void start_poll(uint64_t address, uint64_t value, uint32_t condition) {
  hal_write64(HOST + FIRMWARE_HOST_POLL_ADDRESS, address);
  hal_write64(HOST + FIRMWARE_HOST_POLL_VALUE, value);
  hal_write32(HOST + FIRMWARE_HOST_POLL, condition << FIRMWARE_HOST_POLL_CONDITION_POS);
}

static int end_poll(int result) {
  hal_write32(HOST + FIRMWARE_HOST_POLL,
              FIRMWARE_HOST_POLL_CONDITION_NONE << FIRMWARE_HOST_POLL_CONDITION_POS);
  return result;
}

/* 0: without end. */
static uint64_t deadline_of(uint64_t timeout_ns) {
  if (timeout_ns == 0) return 0;
  const uint64_t now = hal_time_ns();
  return timeout_ns < UINT64_MAX - now ? now + timeout_ns : 0; /* beyond all time */
}

static int is_late(uint64_t deadline) {
  return deadline != 0 && hal_time_ns() >= deadline;
}

int hal_poll_equal32(uint64_t address, uint32_t mask, uint32_t expected, uint64_t timeout_ns) {
  start_poll(address, expected, FIRMWARE_HOST_POLL_CONDITION_EQUAL);
  const uint64_t deadline = deadline_of(timeout_ns);
  while ((*at32(address) & mask) != expected) {
    if (is_late(deadline)) return end_poll(HAL_TIMEOUT);
  }
  return end_poll(0);
}

int hal_poll_reached32(uint64_t address, uint32_t count, uint64_t timeout_ns) {
  start_poll(address, count, FIRMWARE_HOST_POLL_CONDITION_REACHED);
  const uint64_t deadline = deadline_of(timeout_ns);
  while ((int32_t)(*at32(address) - count) < 0) {
    if (is_late(deadline)) return end_poll(HAL_TIMEOUT);
  }
  return end_poll(0);
}

int hal_poll_flag64(uint64_t address, uint32_t count, uint64_t timeout_ns, uint32_t* high) {
  start_poll(address, count, FIRMWARE_HOST_POLL_CONDITION_REACHED);
  const uint64_t deadline = deadline_of(timeout_ns);
  for (;;) {
    const uint64_t value = load64(address); /* the count first: its error is there with it */
    *high = (uint32_t)(value >> 32);
    if (*high != 0 || (int32_t)((uint32_t)value - count) >= 0) return end_poll(0);
    if (is_late(deadline)) return end_poll(HAL_TIMEOUT);
  }
}

uint64_t hal_boot_address(void) {
  return hal_read64(HOST + FIRMWARE_HOST_BOOT);
}

uint32_t hal_next_job(void) {
  return hal_read32(HOST + FIRMWARE_HOST_NEXT_JOB);
}

void hal_mark(enum hal_mark mark, uint32_t job) {
  hal_write32(HOST + (mark == HAL_MARK_START ? FIRMWARE_HOST_START_MARK : FIRMWARE_HOST_END_MARK),
              job);
}

#if __riscv_xlen == 64
uint64_t hal_time_ns(void) {
  return hal_read64(HOST + FIRMWARE_HOST_TIME_NS);
}
#else
/* The upper half may move on between the two reads. */
uint64_t hal_time_ns(void) {
  const uint64_t at = HOST + FIRMWARE_HOST_TIME_NS;
  for (;;) {
    const uint32_t high = *at32(at + 4);
    const uint32_t low = *at32(at);
    if (*at32(at + 4) == high) return (uint64_t)high << 32 | low;
  }
}
#endif

void hal_log(const char* text, uint64_t value) {
  hal_write64(HOST + FIRMWARE_HOST_LOG_TEXT, (uintptr_t)text);
  hal_write64(HOST + FIRMWARE_HOST_LOG_VALUE, value);
  hal_write32(HOST + FIRMWARE_HOST_LOG, 1);
}

_Noreturn void hal_exit(int code) {
  hal_write32(HOST + FIRMWARE_HOST_EXIT, (uint32_t)code);
  for (;;) continue;
}
