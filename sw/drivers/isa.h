/* Driver of the in-switch accelerator. The host sets streams up and pushes instructions; an
 * accelerator arrives at a stream and waits for its flag. Both see the same registers, at addresses
 * of their own.
 */
#ifndef HEDDLE_ISA_H
#define HEDDLE_ISA_H

#include <stdint.h>

#include "drivers/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ISA_MOST_MEMBERS 64

/* Checks that there is one. */
enum status isa_open(uint64_t registers);

/* The member whose memory begins at `base`; -1 when there is none. */
int isa_member_of(uint64_t registers, uint64_t base);

/* A stream that is idle: who takes part, where the flag of each lies in its memory, and how long
 * the first to arrive waits for the last (0: for ever). */
void isa_set_stream(uint64_t registers, uint32_t stream, uint64_t members, uint64_t flag_offset,
                    uint64_t watchdog_ns);

/* Address of a member's operand and result, for the instructions pushed from now on. */
void isa_set_address(uint64_t registers, uint32_t stream, uint32_t member, uint64_t address);

/* An address in the region [base, base + size) stands for the one as far from the beginning of
 * every member's memory, plus `offset`. Instructions whose control has the single bit name one
 * address, that of member 0, for all. */
struct isa_region {
  uint64_t base;
  uint64_t size; /* 0: none */
  uint64_t offset;
};
void isa_set_region(uint64_t registers, uint32_t region, const struct isa_region* place);

struct isa_operation {
  uint32_t id;          /* for reports */
  uint32_t length;      /* bytes of each operand */
  uint64_t source;      /* one bit a member */
  uint64_t destination; /* one bit a member */
  uint32_t control;     /* fields of the operation register */
};

/* Appends to the stream's queue. Whether it was accepted tells isa_check; all that is pushed after
 * one that was not is dropped, until isa_reset. */
void isa_push(uint64_t registers, uint32_t stream, const struct isa_operation* operation);

/* Logs the stream's error by name, if there is one. */
enum status isa_check(uint64_t registers, uint32_t stream);

/* Lets errors of all streams raise the interrupt line. */
void isa_enable_interrupt(uint64_t registers);

/* Drops what is queued, leaves the error state and clears the interrupt. */
void isa_reset(uint64_t registers, uint32_t stream);

/* For an accelerator: everything it has written before is visible to the in-switch accelerator. */
void isa_arrive(uint64_t registers, uint32_t stream);

/* Waits until the flag in this accelerator's memory has counted so many completions, of all planes
 * that share it. An error, or the sum of those of several planes, is taken out of the flag:
 * isa_check says which. */
enum status isa_await(uint64_t flag, uint32_t completions, uint64_t timeout_ns);

#ifdef __cplusplus
}
#endif

#endif
