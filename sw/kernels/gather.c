#include "kernels/gather.h"

#include "drivers/boot_block.h"
#include "hal/hal.h"
#include "regs/rig_regs.h"

enum status gather_open(struct gather* gather) {
  const enum status status = boot_open(&gather->boot);
  return status == STATUS_OK ? rig_open(&gather->nic, gather->boot.timeout_ns) : status;
}

static enum status clear(struct gather* gather) {
  if (!(gather->job.features & GATHER_FILTER)) return STATUS_OK;
  return rig_clear_filter(&gather->nic, gather->job.nodes * gather->job.rows_per_node);
}

enum status gather_prepare(struct gather* gather) {
  struct gather_job* const job = &gather->job;
  struct rig_kernel kernel;
  hal_read_block(job, gather->boot.job, sizeof *job);
  if (job->batch == 0 || job->length == 0) return STATUS_BAD_JOB;
  kernel.number = job->kernel;
  kernel.nodes = job->nodes;
  kernel.rows_per_node = job->rows_per_node;
  kernel.properties = gather->boot.self + job->properties;
  kernel.length = job->length;
  kernel.clients = job->clients;
  kernel.shares_packets = (job->features & GATHER_NIC_CONCAT) != 0;
  kernel.delay = job->delay;
  rig_set_kernel(&gather->nic, &kernel);
  gather->batches = (job->nonzeros + job->batch - 1) / job->batch;
  gather->next = gather->finished = 0;
  gather->idle = gather->nic.clients;
  gather->prepared = 0;
  gather->repeated = 0;
  hal_fence(); /* other nodes may ask this one from now on */
  return job->features & GATHER_CLEAR_INSIDE ? STATUS_OK : clear(gather);
}

static enum status prepare_batch(struct gather* gather, uint32_t unit, uint64_t batch,
                                 uint32_t flags) {
  const struct gather_job* const job = &gather->job;
  const uint64_t first = batch * job->batch;
  const uint64_t rest = job->nonzeros - first;
  struct rig_send_request request;
  request.opcode = WR_RIG;
  request.flags = flags;
  request.indices = gather->boot.self + job->indices + first * sizeof(uint32_t);
  request.count = rest < job->batch ? (uint32_t)rest : job->batch;
  request.index_bytes = sizeof(uint32_t);
  request.destination = gather->boot.self + job->destination;
  request.watchdog_ns = job->watchdog_ns;
  gather->batch[unit] = batch;
  gather->idle &= ~(UINT32_C(1) << unit);
  gather->prepared |= UINT32_C(1) << unit;
  return rig_prepare(&gather->nic, unit, &request);
}

static uint32_t flags_of(const struct gather_job* job) {
  return (job->features & GATHER_FILTER ? (uint32_t)RIG_FILTER : 0) |
         (job->features & GATHER_COALESCE ? (uint32_t)RIG_COALESCE : 0);
}

/* One fence for all of them: the units see the lists that this core has seen. */
static void ring(struct gather* gather) {
  if (gather->prepared == 0) return;
  hal_fence();
  for (uint32_t unit = 0; unit < RIG_MOST_UNITS; ++unit)
    if (gather->prepared >> unit & 1) rig_ring(&gather->nic, unit);
  gather->prepared = 0;
}

enum status gather_post(struct gather* gather) {
  enum status status = STATUS_OK;
  for (uint32_t unit = 0; unit < RIG_MOST_UNITS && status == STATUS_OK; ++unit)
    if (gather->idle >> unit & 1 && gather->next < gather->batches) {
      gather->tries[unit] = 0;
      status = prepare_batch(gather, unit, gather->next++, flags_of(&gather->job));
    }
  ring(gather);
  return status;
}

/* Why a gather gives up: a command failed, and failed again each time that it was repeated. The
 * value in the log is its batch. Rows of characters: see status_name(). */
static const char reasons[][96] = {
    [RIG_UNIT_STATUS_ERROR_NONE] = "gather error NONE: a command failed without a reason, batch:",
    [RIG_UNIT_STATUS_ERROR_BAD_INDEX] =
        "gather error BAD_INDEX: a column has no property at the node that owns its row, batch:",
    [RIG_UNIT_STATUS_ERROR_BUS] =
        "gather error BUS: the memory of the host refused indices or properties, batch:",
    [RIG_UNIT_STATUS_ERROR_LENGTH] =
        "gather error LENGTH: a property fits into no packet of the NIC, batch:",
    [RIG_UNIT_STATUS_ERROR_NOT_A_CLIENT] =
        "gather error NOT_A_CLIENT: a server unit was given a command, batch:",
    [RIG_UNIT_STATUS_ERROR_NO_FILTER] =
        "gather error NO_FILTER: the filter has fewer bits than the matrix has columns, batch:",
};
_Static_assert(GATHER_MOST_TRIES == 8, "log_timeout() says so");

static char* put_text(char* at, const char* text) {
  while (*text != '\0') *at++ = *text++;
  return at;
}

static char* put_decimal(char* at, uint32_t value) {
  uint32_t power = 1;
  while (value / power >= 10) power *= 10;
  for (; power > 0; power /= 10) *at++ = (char)('0' + value / power % 10);
  return at;
}

static void log_timeout(const struct gather* gather, uint32_t unit) {
  char text[128]; /* what is put into it has at most 126 characters */
  char* end = put_text(text, "gather error TIMEOUT: 9 tries took longer than the `watchdog` of ");
  end = put_decimal(end, gather->job.watchdog_ns);
  end = put_text(end, " ns, set a longer one or a smaller `batch`, batch:");
  *end = '\0';
  hal_log(text, gather->batch[unit]);
}

static void log_failure(const struct gather* gather, uint32_t unit, uint32_t error) {
  const uint32_t known = sizeof reasons / sizeof reasons[0];
  if (error == RIG_UNIT_STATUS_ERROR_TIMEOUT)
    log_timeout(gather, unit);
  else
    hal_log(reasons[error < known ? error : RIG_UNIT_STATUS_ERROR_NONE], gather->batch[unit]);
}

/* Units that still run would write into the memory of a program that has ended. */
static enum status give_up(struct gather* gather, uint32_t unit, uint32_t error) {
  rig_stop(&gather->nic, gather->nic.clients & ~gather->idle);
  gather->idle = gather->nic.clients;
  gather->prepared = 0;
  log_failure(gather, unit, error);
  return STATUS_GATHER_ERROR;
}

/* The properties of a batch that has failed are void, but the bits that it has set in the filter
 * stay: gathered again with the filter, those would be left out. */
static enum status retry(struct gather* gather, uint32_t failed) {
  const uint32_t flags = flags_of(&gather->job) & ~(uint32_t)RIG_FILTER;
  enum status status = STATUS_OK;
  for (uint32_t unit = 0; unit < RIG_MOST_UNITS && status == STATUS_OK; ++unit) {
    if (!(failed >> unit & 1)) continue;
    const uint32_t error = rig_reset(&gather->nic, unit);
    if (++gather->tries[unit] > GATHER_MOST_TRIES) return give_up(gather, unit, error);
    status = prepare_batch(gather, unit, gather->batch[unit], flags);
  }
  for (uint32_t rest = failed; rest != 0; rest &= rest - 1) ++gather->repeated;
  ring(gather);
  return status;
}

enum status gather_next_done(struct gather* gather, uint32_t* completed) {
  struct rig_ended ended;
  rig_await(&gather->nic, &ended);
  *completed = ended.completed;
  gather->idle |= ended.completed;
  for (uint32_t rest = ended.completed; rest != 0; rest &= rest - 1) ++gather->finished;
  return ended.failed == 0 ? STATUS_OK : retry(gather, ended.failed);
}

enum status gather_run(struct gather* gather) {
  enum status status = gather->job.features & GATHER_CLEAR_INSIDE ? clear(gather) : STATUS_OK;
  while (status == STATUS_OK && gather->finished < gather->batches) {
    uint32_t completed = 0;
    status = gather_post(gather);
    if (status == STATUS_OK) status = gather_next_done(gather, &completed);
  }
  return status;
}
