/* Walks every register that the platform lists (hal/register_table.h): first what all of them hold
 * after reset, then, once the platform has set bits that only a device can set, what reads and
 * writes do to them. `heddle run --test-registers` starts it and names what was wrong.
 *
 * Limitations: registers whose write starts something are only read.
 */
#include "hal/hal.h"
#include "hal/register_table.h"

struct walk {
  struct register_table table;
  uint32_t entry; /* number of the one under test */
};

static uint64_t read_register(const struct register_entry* one) {
  return one->bytes == 8 ? hal_read64(one->address) : hal_read32(one->address);
}

static void write_register(const struct register_entry* one, uint64_t value) {
  if (one->bytes == 8) {
    hal_write64(one->address, value);
  } else {
    hal_write32(one->address, (uint32_t)value);
  }
  hal_fence();
}

static void compare(struct walk* walk, enum register_check check, uint64_t mask, uint64_t expected,
                    uint64_t got) {
  if (mask == 0) return;
  ++walk->table.checks;
  if (((expected ^ got) & mask) == 0) return;
  if (walk->table.found < walk->table.room) {
    const struct register_finding finding = {walk->entry, check, expected & mask, got & mask};
    hal_write_block(walk->table.findings + walk->table.found * sizeof finding, &finding,
                    sizeof finding);
  }
  ++walk->table.found;
}

static uint64_t all_bits(const struct register_entry* one) {
  return one->bytes == 8 ? UINT64_MAX : UINT32_MAX;
}

static void check_reset(struct walk* walk, const struct register_entry* one) {
  if ((one->flags & REGISTER_READABLE) == 0) return;
  const uint64_t value = read_register(one);
  compare(walk, REGISTER_CHECK_RESET, one->reset_mask & one->readable, one->reset, value);
  compare(walk, REGISTER_CHECK_RESERVED, all_bits(one) & ~one->readable, 0, value);
}

/* The first read since the platform has set bits. */
static void check_reads(struct walk* walk, const struct register_entry* one) {
  const uint64_t by_device = one->clears | one->sets | one->read_clears;
  const uint64_t first = read_register(one);
  compare(walk, REGISTER_CHECK_PRESET, one->preset & by_device & one->readable, one->preset, first);
  compare(walk, REGISTER_CHECK_READ_CLEARS, one->read_clears, 0, read_register(one));
}

static void check_kept(struct walk* walk, const struct register_entry* one) {
  const uint64_t visible = one->kept & one->readable;
  if (visible == 0) return;
  for (int i = 0; i < 2; ++i) {
    write_register(one, one->patterns[i]);
    compare(walk, REGISTER_CHECK_KEPT, visible, one->patterns[i], read_register(one));
  }
}

/* Ones where nothing may change. */
static void check_ignored(struct walk* walk, const struct register_entry* one) {
  const uint64_t writable = one->kept | one->clears | one->sets;
  const uint64_t fixed = one->readable & ~writable & ~one->read_clears;
  const uint64_t before = read_register(one);
  write_register(one, one->patterns[0] | (all_bits(one) & ~writable));
  const uint64_t after = read_register(one);
  if ((one->flags & REGISTER_VARIES) == 0)
    compare(walk, REGISTER_CHECK_READ_ONLY, fixed, before, after);
  compare(walk, REGISTER_CHECK_RESERVED, all_bits(one) & ~one->readable, 0, after);
}

static void check_clears(struct walk* walk, const struct register_entry* one) {
  const uint64_t visible = one->clears & one->readable;
  if (visible == 0) return;
  write_register(one, one->patterns[0]);
  compare(walk, REGISTER_CHECK_ZEROS_CLEAR, visible & one->preset, one->preset, read_register(one));
  write_register(one, one->patterns[0] | one->clears);
  compare(walk, REGISTER_CHECK_ONES_CLEAR, visible, 0, read_register(one));
}

static void check_sets(struct walk* walk, const struct register_entry* one) {
  const uint64_t visible = one->sets & one->readable;
  if (visible == 0) return;
  write_register(one, one->patterns[0] | one->sets);
  compare(walk, REGISTER_CHECK_ONES_SET, visible, UINT64_MAX, read_register(one));
}

static void check_behavior(struct walk* walk, const struct register_entry* one) {
  if ((one->flags & REGISTER_READABLE) == 0) {
    compare(walk, REGISTER_CHECK_WRITE_ONLY, all_bits(one), 0, read_register(one));
    return;
  }
  check_reads(walk, one);
  if ((one->flags & REGISTER_WRITABLE) == 0) return;
  check_ignored(walk, one);
  check_clears(walk, one);
  check_kept(walk, one);
  check_sets(walk, one);
  if (one->kept != 0) write_register(one, one->reset & one->kept);
}

static void for_all(struct walk* walk, void (*check)(struct walk*, const struct register_entry*)) {
  for (walk->entry = 0; walk->entry < walk->table.entries; ++walk->entry) {
    struct register_entry one;
    hal_read_block(&one, walk->table.entry + walk->entry * sizeof one, sizeof one);
    check(walk, &one);
  }
}

int main(void) {
  const uint32_t job = hal_next_job();
  if (job == HAL_NO_JOB) return 0;
  struct walk walk;
  hal_read_block(&walk.table, hal_boot_address(), sizeof walk.table);
  if (walk.table.magic != REGISTER_TABLE_MAGIC) return 1;
  for_all(&walk, check_reset);
  hal_mark(HAL_MARK_START, job);
  for_all(&walk, check_behavior);
  hal_write_block(hal_boot_address(), &walk.table, sizeof walk.table);
  hal_fence();
  hal_mark(HAL_MARK_END, job);
  return 0;
}
