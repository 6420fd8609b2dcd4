/* Drivers of gather units with one bug each. The line that is to blame says so: bug NUMBER. */
#include "hal/hal.h"
#include "kernels/gather_job.h"
#include "regs/rig_regs.h"

enum { both = RIG_UNIT_FLAGS_FILTER_MASK | RIG_UNIT_FLAGS_COALESCE_MASK };

struct bench {
  struct boot_block boot;
  struct gather_job job;
  uint64_t rig; /* registers */
};

static void set_kernel(const struct bench* on) {
  hal_write32(on->rig + RIG_NODES, on->job.nodes);
  hal_write64(on->rig + RIG_ROWS_PER_NODE, on->job.rows_per_node);
  hal_write64(on->rig + RIG_PROPERTY_BASE, on->boot.self + on->job.properties);
  hal_write32(on->rig + RIG_LENGTH, on->job.length);
}

static void clear_filter(const struct bench* on) {
  hal_write64(on->rig + RIG_FILTER_BITS, on->job.nodes * on->job.rows_per_node);
  hal_write32(on->rig + RIG_CLEAR, 1);
  (void)hal_poll_equal32(on->rig + RIG_STATUS, RIG_STATUS_STATE_MASK, RIG_STATUS_STATE_READY,
                         on->boot.timeout_ns);
}

/* The whole list of this node, by unit 0. */
static void prepare(const struct bench* on, uint32_t flags) {
  set_kernel(on);
  hal_write64(on->rig + RIG_UNIT_INDICES(0), on->boot.self + on->job.indices);
  hal_write64(on->rig + RIG_UNIT_DESTINATION(0), on->boot.self + on->job.destination);
  hal_write32(on->rig + RIG_UNIT_LIST_LENGTH(0), (uint32_t)on->job.nonzeros);
  hal_write32(on->rig + RIG_UNIT_FLAGS(0), flags);
  hal_fence();
}

static void ring(const struct bench* on) {
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1);
}

static void await_state(const struct bench* on, uint32_t state) {
  (void)hal_poll_equal32(on->rig + RIG_UNIT_STATUS(0), RIG_UNIT_STATUS_STATE_MASK, state,
                         on->boot.timeout_ns);
}

static void post_to_busy_unit(const struct bench* on) {
  prepare(on, 0);
  ring(on);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 70 */
}

static void forget_filter(const struct bench* on) {
  prepare(on, both);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 71 */
}

/* A remote index before many local ones: the property has come, and has its bit in the filter, when
 * the watchdog ends the command. */
static void reuse_failed_batch(const struct bench* on) {
  const uint64_t list = on->boot.self + 0x40000000;
  clear_filter(on);
  prepare(on, both);
  hal_write32(list, (uint32_t)on->job.rows_per_node);
  hal_fence();
  hal_write64(on->rig + RIG_UNIT_INDICES(0), list);
  hal_write32(on->rig + RIG_UNIT_LIST_LENGTH(0), 30000);
  hal_write32(on->rig + RIG_UNIT_WATCHDOG_NS(0), 8000);
  ring(on);
  await_state(on, RIG_UNIT_STATUS_STATE_FAILED);
  hal_write32(on->rig + RIG_UNIT_CONTROL(0), RIG_UNIT_CONTROL_RESET_MASK);
  hal_write32(on->rig + RIG_UNIT_WATCHDOG_NS(0), 0);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 72 */
}

static void ring_without_list(const struct bench* on) {
  set_kernel(on);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 73 */
}

static void go_on_after_failure(const struct bench* on) {
  prepare(on, 0);
  hal_write32(on->rig + RIG_UNIT_WATCHDOG_NS(0), 1000);
  ring(on);
  await_state(on, RIG_UNIT_STATUS_STATE_FAILED);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 74 */
}

static void forget_fence(const struct bench* on) {
  prepare(on, 0);
  hal_write32(on->boot.self + on->job.indices, 63);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 75 */
}

static void change_busy_unit(const struct bench* on) {
  prepare(on, 0);
  ring(on);
  hal_write64(on->rig + RIG_UNIT_INDICES(0), on->boot.self + on->job.indices); /* bug 76 */
}

static void ask_server(const struct bench* on) {
  prepare(on, 0);
  hal_write32(on->rig + RIG_CLIENTS, 2);
  hal_write32(on->rig + RIG_UNIT_DOORBELL(0), 1); /* bug 78 */
}

static void change_list_in_flight(const struct bench* on) {
  const uint64_t list = on->boot.self + 0x40000000;
  prepare(on, 0);
  for (uint32_t i = 0; i < 64; ++i)
    hal_write32(list + i * sizeof(uint32_t), (uint32_t)on->job.rows_per_node);
  hal_write64(on->rig + RIG_UNIT_INDICES(0), list);
  hal_write32(on->rig + RIG_UNIT_LIST_LENGTH(0), 64);
  hal_fence();
  ring(on);
  hal_write32(list, 0); /* bug 79 */
}

static void run_bug(const struct bench* on, uint32_t bug) {
  if (bug == 70) post_to_busy_unit(on);
  if (bug == 71) forget_filter(on);
  if (bug == 72) reuse_failed_batch(on);
  if (bug == 73) ring_without_list(on);
  if (bug == 74) go_on_after_failure(on);
  if (bug == 75) forget_fence(on);
  if (bug == 76) change_busy_unit(on);
  if (bug == 77) hal_write32(on->rig + RIG_LENGTH, 1500); /* bug 77 */
  if (bug == 78) ask_server(on);
  if (bug == 79) change_list_in_flight(on);
}

int main(void) {
  struct bench bench;
  bench.rig = hal_device(RIG_BLOCK_ID, 0);
  hal_read_block(&bench.boot, hal_boot_address(), sizeof bench.boot);
  if (hal_next_job() == HAL_NO_JOB) return 0;
  hal_read_block(&bench.job, bench.boot.job, sizeof bench.job);
  if (bench.boot.rank == 0)
    run_bug(&bench, bench.job.batch);
  else
    set_kernel(&bench); /* serves what the other asks for */
  hal_mark(HAL_MARK_START, 0);
  hal_mark(HAL_MARK_END, 0);
  return 0;
}
