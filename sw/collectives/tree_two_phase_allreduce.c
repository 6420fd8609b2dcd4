/* An all-reduce as two operations: a reduction whose result one rank receives, and a multicast of
 * it. It costs the overhead of an endpoint twice, as models of in-network computing count it, where
 * tree_collective pays it once. The root passes segments on as they come.
 */
#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/communicator.h"
#include "collectives/layout.h"
#include "hal/hal.h"

/* Bytes whose sum has come to the root. */
static uint64_t reduced_bytes(const struct communicator* comm, const struct tree_share* share) {
  const uint32_t count =
      hal_read32(comm->boot.flags + FLAG_TREE * sizeof(uint32_t)) - comm->tree.flag[0];
  const uint64_t bytes = (uint64_t)count * share->segment;
  return bytes < share->bytes ? bytes : share->bytes;
}

static enum status as_root(struct communicator* comm, const struct boot_job* job,
                           struct tree_pushing* pushing) {
  const struct tree_share* share = &pushing->share;
  uint64_t passed_on = 0;
  enum status status = STATUS_OK;
  while (passed_on < share->bytes && status == STATUS_OK) {
    const uint64_t next = pushing->posted + pushing->batch;
    if (pushing->posted < share->bytes && next <= passed_on + pushing->ahead) {
      status = tree_push_batch(comm, job, 0, pushing);
      continue;
    }
    status = tree_await(comm, 0, tree_segments(share, passed_on) + 1);
    if (status != STATUS_OK) break;
    const uint64_t reduced = reduced_bytes(comm, share);
    status = tree_post(comm, job, TREE_SECOND_PHASE, share, passed_on, reduced - passed_on);
    passed_on = reduced;
  }
  return status == STATUS_OK ? dma_drain(&comm->dma) : status;
}

enum status tree_two_phase_allreduce(struct communicator* comm, const struct boot_job* job) {
  if (job->collective != BOOT_ALLREDUCE || comm->tree.place[TREE_SECOND_PHASE].window == 0)
    return collective_unsupported(job);
  struct tree_pushing pushing;
  tree_begin(comm, 0, tree_share_of(job, comm->boot.ranks, 1, 0, comm->tree.place[0].segment),
             &pushing);
  if (comm->boot.rank == job->root) return as_root(comm, job, &pushing);
  enum status status = STATUS_OK;
  while (pushing.posted < pushing.share.bytes && status == STATUS_OK) {
    status = tree_push_batch(comm, job, 0, &pushing);
  }
  if (status != STATUS_OK) return status;
  return tree_await(comm, TREE_SECOND_PHASE, tree_segments(&pushing.share, pushing.share.bytes));
}
