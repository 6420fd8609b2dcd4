/* What the platform hands to apps/register_test.c: every register that the core sees, as its
 * description says it must behave, and room for what was wrong. It lies at hal_boot_address() from
 * the first job on; little-endian, natural alignment, no padding.
 */
#ifndef HEDDLE_REGISTER_TABLE_H
#define HEDDLE_REGISTER_TABLE_H

#include <stdint.h>

#define REGISTER_TABLE_MAGIC UINT32_C(0x54474552) /* "REGT" */

struct register_table {
  uint32_t magic;
  uint32_t entries;
  uint64_t entry;    /* struct register_entry[entries] */
  uint64_t findings; /* struct register_finding[room] */
  uint32_t room;
  uint32_t found;  /* written by the firmware: findings, also those beyond `room` */
  uint64_t checks; /* comparisons made */
};

enum register_flag {
  REGISTER_READABLE = 1,
  REGISTER_WRITABLE = 2, /* a write is either kept, or clears or sets bits, or is ignored: it starts
                          * nothing */
  REGISTER_VARIES = 4,   /* bits that cannot be written change by themselves */
};

/* Masks of bits. */
struct register_entry {
  uint64_t address;
  uint64_t reset;
  uint64_t reset_mask;  /* bits of it that are known */
  uint64_t readable;    /* the others read 0 */
  uint64_t kept;        /* take what is written */
  uint64_t clears;      /* cleared by writing 1 */
  uint64_t sets;        /* set by writing 1 */
  uint64_t read_clears; /* cleared by reading */
  uint64_t preset;      /* of the last three kinds: set by the platform with the start mark */
  uint64_t patterns[2]; /* values of `kept` that the hardware allows */
  uint32_t bytes;       /* 4 or 8 */
  uint32_t flags;
};

enum register_check {
  REGISTER_CHECK_RESET = 0,
  REGISTER_CHECK_RESERVED = 1,    /* bits that are not there read 0, also after ones */
  REGISTER_CHECK_WRITE_ONLY = 2,  /* read 0 */
  REGISTER_CHECK_READ_ONLY = 3,   /* keep their value when written */
  REGISTER_CHECK_KEPT = 4,        /* read back as written */
  REGISTER_CHECK_PRESET = 5,      /* read as the device has set them */
  REGISTER_CHECK_ZEROS_CLEAR = 6, /* W1C: zeros clear nothing */
  REGISTER_CHECK_ONES_CLEAR = 7,  /* W1C: ones clear */
  REGISTER_CHECK_ONES_SET = 8,    /* W1S */
  REGISTER_CHECK_READ_CLEARS = 9, /* RC */
  REGISTER_CHECKS = 10,
};

struct register_finding {
  uint32_t entry;
  uint32_t check;
  uint64_t expected; /* of the bits concerned */
  uint64_t got;
};

#ifdef __cplusplus
#define REGISTER_TABLE_ASSERT(condition, text) static_assert(condition, text)
#else
#define REGISTER_TABLE_ASSERT(condition, text) _Static_assert(condition, text)
#endif
REGISTER_TABLE_ASSERT(sizeof(struct register_table) == 40, "the table has no padding");
REGISTER_TABLE_ASSERT(sizeof(struct register_entry) == 96, "an entry has no padding");
REGISTER_TABLE_ASSERT(sizeof(struct register_finding) == 24, "a finding has no padding");

#endif
