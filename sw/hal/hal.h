/* The only way from firmware to hardware. The same firmware runs natively on the host, where the
 * platform implements these functions on simulated time, and on a core model. Every access costs
 * simulated time; an access that the bus refuses stops the core and fails the run.
 */
#ifndef HEDDLE_HAL_H
#define HEDDLE_HAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t hal_read32(uint64_t address);
uint64_t hal_read64(uint64_t address);
void hal_write32(uint64_t address, uint32_t value);
void hal_write64(uint64_t address, uint64_t value);

/* Block copies between firmware-local storage and memory: accesses of 8 bytes where both addresses
 * and what is left allow it, else narrower ones. */
void hal_read_block(void* to, uint64_t address, size_t bytes);
void hal_write_block(uint64_t address, const void* from, size_t bytes);

/* Earlier accesses of this core are visible before later ones. Its accesses to the devices of its
 * own bus keep their order without it: a doorbell comes behind the registers that it is about, and
 * a store by the alias of a mesh has the mask and the operation that were written before it. A
 * fence is for what lies in memory and for stores that cross a fabric. */
void hal_fence(void);

/* Adds to the 64-bit word in memory or device; returns what was there before. */
uint64_t hal_atomic_add64(uint64_t address, uint64_t addend);

/* The same without a result: posted like a store, the core does not wait. */
void hal_post_add64(uint64_t address, uint64_t addend);

/* Sleeps until an interrupt line of this core is up; returns at once when one already is. */
void hal_wait_for_interrupt(void);

/* Whether such a line is up now. */
int hal_interrupt_pending(void);

/* Polling. All three return 0, or HAL_TIMEOUT once `timeout_ns` have passed (0: never gives up). A
 * poll in vain is reported as a hang once no wire has carried anything for the core's `poll_limit`
 * (5 ms), whatever the timeout. */
#define HAL_TIMEOUT (-1)
int hal_poll_equal32(uint64_t address, uint32_t mask, uint32_t expected, uint64_t timeout_ns);
/* Free-running counters: waits until the counter at `address` has reached `count`, modulo 2^32. */
int hal_poll_reached32(uint64_t address, uint32_t count, uint64_t timeout_ns);
/* A 64-bit flag: such a counter in the low word, 0 or an error in the high one. Waits until the
 * count is reached or there is an error; `high` receives the high word. */
int hal_poll_flag64(uint64_t address, uint32_t count, uint64_t timeout_ns, uint32_t* high);

/* Where the platform has put the boot block (see boot.h). */
uint64_t hal_boot_address(void);

/* Devices of this core, by the address map of the netlist: how many there are of a block of
 * registers, and where the registers of one begin. `block` is the NAME_BLOCK_ID of
 * regs/NAME_regs.h; instances count from 0, in the order of the netlist. Firmware that asks for a
 * device that is not there ends, and the run fails with the line that asks. The answers never
 * change: keep them. */
uint32_t hal_device_count(uint32_t block);
uint64_t hal_device(uint32_t block, uint32_t instance);

/* Waits for the platform to post the next job; returns its number, or HAL_NO_JOB at the end. */
#define HAL_NO_JOB UINT32_MAX
uint32_t hal_next_job(void);

/* Start and end of a job on this rank: what the run's time is measured between. */
enum hal_mark { HAL_MARK_START = 0, HAL_MARK_END = 1 };
void hal_mark(enum hal_mark mark, uint32_t job);

/* Charges the time of so many instructions to a native core, which takes none for what lies between
 * accesses. Does nothing on a core that executes its instructions. */
void hal_spend(uint32_t instructions);

uint64_t hal_time_ns(void);
void hal_log(const char* text, uint64_t value);

/* Ends this core's firmware; anything but 0 fails the run. */
#ifdef __cplusplus
[[noreturn]] void hal_exit(int code);
#else
_Noreturn void hal_exit(int code);
#endif

#ifdef __cplusplus
}
#endif

#endif
