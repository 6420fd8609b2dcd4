#include "drivers/aggregator.h"

#include "hal/boot.h"
#include "hal/hal.h"
#include "regs/aggregator_regs.h"

/* Types, operators and modes go into the register as they are. */
_Static_assert((int)BOOT_FP16 == AGGREGATOR_GROUP_OPERATION_DTYPE_FP16, "fp16");
_Static_assert((int)BOOT_INT32 == AGGREGATOR_GROUP_OPERATION_DTYPE_INT32, "int32");
_Static_assert((int)BOOT_MAX == AGGREGATOR_GROUP_OPERATION_OP_MAX, "max");
_Static_assert((int)BOOT_AND == AGGREGATOR_GROUP_OPERATION_OP_AND, "and");
_Static_assert((int)BOOT_OR == AGGREGATOR_GROUP_OPERATION_OP_OR, "or");
_Static_assert((int)BOOT_XOR == AGGREGATOR_GROUP_OPERATION_OP_XOR, "xor");
_Static_assert((int)AGGREGATOR_COPY == AGGREGATOR_GROUP_OPERATION_MODE_COPY, "copy");
_Static_assert((int)AGGREGATOR_OTHER == AGGREGATOR_MANAGER_PORT_KIND_KIND_OTHER, "other");

/* Of the high word of a flag. */
enum { ERROR_MASK = 0xf, RANK_SHIFT = 8 };

enum status aggregator_open(uint64_t registers) {
  const uint32_t id = hal_read32(registers + AGGREGATOR_ID);
  if (id == AGGREGATOR_ID_RESET_VALUE) return STATUS_OK;
  hal_log("aggregator: none here, id", id);
  return STATUS_BAD_BOOT;
}

enum aggregator_neighbor aggregator_look(uint64_t registers, uint32_t tenant, uint32_t port,
                                         uint64_t* address) {
  hal_write32(registers + AGGREGATOR_MANAGER_PORT_SELECT(tenant), port);
  const uint32_t kind = hal_read32(registers + AGGREGATOR_MANAGER_PORT_KIND(tenant)) &
                        AGGREGATOR_MANAGER_PORT_KIND_KIND_MASK;
  *address = 0;
  if (kind == AGGREGATOR_MEMORY || kind == AGGREGATOR_SWITCH)
    *address = hal_read64(registers + AGGREGATOR_MANAGER_PORT_PEER(tenant));
  return (enum aggregator_neighbor)kind;
}

uint64_t aggregator_window(uint64_t registers, uint32_t group) {
  return hal_read64(registers + AGGREGATOR_WINDOW_BASE) +
         group * hal_read64(registers + AGGREGATOR_WINDOW_STRIDE);
}

uint64_t aggregator_longest_stream(uint64_t registers) {
  return hal_read64(registers + AGGREGATOR_WINDOW_STRIDE) - AGGREGATOR_ALIGNMENT;
}

uint32_t aggregator_allocate(uint64_t registers) {
  return hal_read32(registers + AGGREGATOR_ALLOCATE);
}

void aggregator_release(uint64_t registers, uint32_t group) {
  hal_write32(registers + AGGREGATOR_GROUP_CONTROL(group), AGGREGATOR_GROUP_CONTROL_RELEASE_MASK);
}

void aggregator_add_child(uint64_t registers, uint32_t tenant, uint32_t group,
                          const struct aggregator_child* child) {
  hal_write64(registers + AGGREGATOR_MANAGER_CHILD_ADDRESS(tenant), child->address);
  hal_write32(registers + AGGREGATOR_MANAGER_CHILD(tenant),
              child->number | (child->is_member ? 0 : AGGREGATOR_MANAGER_CHILD_KIND_MASK));
  hal_write32(registers + AGGREGATOR_MANAGER_CHILD_ADD(tenant), group);
}

void aggregator_set_part(uint64_t registers, uint32_t tenant, uint32_t group, uint32_t child,
                         uint64_t first, uint64_t bytes) {
  hal_write32(registers + AGGREGATOR_MANAGER_CHILD_INDEX(tenant), child);
  hal_write64(registers + AGGREGATOR_MANAGER_CHILD_FIRST(tenant), first);
  hal_write64(registers + AGGREGATOR_MANAGER_CHILD_BYTES(tenant), bytes);
  hal_write32(registers + AGGREGATOR_MANAGER_CHILD_SET(tenant), group);
}

void aggregator_set_place(uint64_t registers, uint32_t group, uint64_t parent, uint64_t flag_offset,
                          uint64_t watchdog_ns) {
  hal_write64(registers + AGGREGATOR_GROUP_PARENT(group), parent);
  hal_write64(registers + AGGREGATOR_GROUP_FLAG_OFFSET(group), flag_offset);
  hal_write64(registers + AGGREGATOR_GROUP_WATCHDOG(group), watchdog_ns);
}

void aggregator_arm(uint64_t registers, uint32_t group, const struct aggregator_stream* stream) {
  hal_write32(registers + AGGREGATOR_GROUP_OPERATION(group),
              stream->dtype << AGGREGATOR_GROUP_OPERATION_DTYPE_POS |
                  stream->op << AGGREGATOR_GROUP_OPERATION_OP_POS |
                  (uint32_t)stream->mode << AGGREGATOR_GROUP_OPERATION_MODE_POS);
  hal_write32(registers + AGGREGATOR_GROUP_SEGMENT(group), stream->segment);
  hal_write64(registers + AGGREGATOR_GROUP_LENGTH(group), stream->bytes);
  hal_write64(registers + AGGREGATOR_GROUP_RESULT_OFFSET(group), stream->result_offset);
  hal_write32(registers + AGGREGATOR_GROUP_WINDOW(group), stream->window);
  hal_write32(registers + AGGREGATOR_GROUP_TARGET(group), stream->target);
  hal_write32(registers + AGGREGATOR_GROUP_ARM(group), 1);
}

void aggregator_log_error(uint32_t high) {
  static const char messages[][48] = {
      [AGGREGATOR_GROUP_STATUS_ERROR_NONE] = "aggregator: no error",
      [AGGREGATOR_GROUP_STATUS_ERROR_MISSING] = "aggregator: this rank never pushed its part",
      [AGGREGATOR_GROUP_STATUS_ERROR_TWICE] = "aggregator: this rank pushed bytes twice",
      [AGGREGATOR_GROUP_STATUS_ERROR_WINDOW] = "aggregator: this rank left its window",
      [AGGREGATOR_GROUP_STATUS_ERROR_TYPE] = "aggregator: cannot reduce this type",
      [AGGREGATOR_GROUP_STATUS_ERROR_ALIGN] = "aggregator: stream or segment is not aligned",
      [AGGREGATOR_GROUP_STATUS_ERROR_BUS] = "aggregator: nobody took what was written",
      [AGGREGATOR_GROUP_STATUS_ERROR_BUFFER] = "aggregator: its buffer is too small",
      [AGGREGATOR_GROUP_STATUS_ERROR_CHILD] = "aggregator: a child cannot be reached",
      [AGGREGATOR_GROUP_STATUS_ERROR_CIRCLE] = "aggregator: its parents are a circle",
  };
  const uint32_t error = high & ERROR_MASK;
  const uint32_t known = sizeof messages / sizeof messages[0];
  hal_log(error < known ? messages[error] : "aggregator: unknown error", high >> RANK_SHIFT);
}

enum status aggregator_check(uint64_t registers, uint32_t group) {
  const uint32_t status = hal_read32(registers + AGGREGATOR_GROUP_STATUS(group));
  const uint32_t error =
      (status & AGGREGATOR_GROUP_STATUS_ERROR_MASK) >> AGGREGATOR_GROUP_STATUS_ERROR_POS;
  return error == AGGREGATOR_GROUP_STATUS_ERROR_NONE ? STATUS_OK : STATUS_AGGREGATOR_ERROR;
}

void aggregator_reset(uint64_t registers, uint32_t group) {
  hal_write32(registers + AGGREGATOR_GROUP_CONTROL(group), AGGREGATOR_GROUP_CONTROL_RESET_MASK);
}

void aggregator_test(uint64_t registers, uint32_t group) {
  hal_write32(registers + AGGREGATOR_GROUP_CONTROL(group), AGGREGATOR_GROUP_CONTROL_TEST_MASK);
}

uint32_t aggregator_tested(uint64_t registers, uint32_t group) {
  return hal_read32(registers + AGGREGATOR_GROUP_TESTED(group));
}

void aggregator_send_word(uint64_t registers, uint32_t tenant, uint64_t address, uint64_t value) {
  hal_write64(registers + AGGREGATOR_MANAGER_WORD_ADDRESS(tenant), address);
  hal_write64(registers + AGGREGATOR_MANAGER_WORD_VALUE(tenant), value);
  hal_write32(registers + AGGREGATOR_MANAGER_WORD_SEND(tenant), 1);
}

enum status aggregator_await_words(uint64_t registers, uint32_t tenant, uint64_t timeout_ns) {
  const uint64_t words = registers + AGGREGATOR_MANAGER_WORDS_UNDER_WAY(tenant);
  if (hal_poll_equal32(words, UINT32_MAX, 0, timeout_ns) == 0) return STATUS_OK;
  hal_log("aggregator: words to ranks without an answer", hal_read32(words));
  return STATUS_TIMEOUT;
}
