/* An all-reduce over pods: accelerators behind switches with NVLS, and between the pods trees of
 * aggregators. The ranks of a pod follow each other. Rank i of a pod has part i of the vector: it
 * loads the sum of its pod, pushes it into the tree over the ranks i of all pods, and stores what
 * comes back to all of its pod. So a vector crosses the wires of a pod as in NVLS alone, and those
 * between pods carry it once in all, not once a rank.
 *
 * Limitations: the three steps follow each other; large vectors could be cut to overlap them.
 */
#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/nvls.h"
#include "hal/hal.h"

static enum status move(struct communicator* comm, const struct boot_job* job,
                        const struct tree_share* part, enum multimem_kind kind) {
  const uint64_t at = job->data + part->begin;
  const int loads = kind == MULTIMEM_LD_REDUCE;
  const struct multimem_transfer transfer = {
      .kind = kind,
      .dtype = job->dtype,
      .op = job->op,
      .destination = (loads ? comm->boot.self : comm->boot.multicast) + at,
      .source = (loads ? comm->boot.multicast : comm->boot.self) + at,
      .bytes = part->bytes,
  };
  return part->bytes == 0 ? STATUS_OK : multimem_run(&comm->multimem, &transfer);
}

static enum status push_part(struct communicator* comm, const struct boot_job* job,
                             struct tree_share part) {
  struct tree_pushing pushing;
  enum status status = STATUS_OK;
  tree_begin(comm, TREE_RAIL, part, &pushing);
  while (pushing.posted < part.bytes && status == STATUS_OK) {
    status = tree_push_batch(comm, job, TREE_RAIL, &pushing);
  }
  if (status != STATUS_OK || part.bytes == 0) return status;
  return tree_await(comm, TREE_RAIL, tree_segments(&part, part.bytes));
}

enum status nvls_tree_allreduce(struct communicator* comm, const struct boot_job* job) {
  const struct tree_place* place = &comm->tree.place[TREE_RAIL];
  const uint32_t pod = job->slots;
  const int has_nvls = comm->multimem.registers != 0 && comm->boot.multicast != 0;
  if (job->collective != BOOT_ALLREDUCE || place->window == 0 || !has_nvls)
    return collective_unsupported(job);
  if (pod == 0) {
    hal_log("nvls_tree: ranks of a pod", pod);
    return STATUS_BAD_JOB;
  }
  const struct tree_share part =
      tree_share_of(job, comm->boot.ranks, pod, comm->boot.rank % pod, place->segment);
  enum status status = nvls_barrier_among(comm, pod);
  if (status == STATUS_OK) status = move(comm, job, &part, MULTIMEM_LD_REDUCE);
  if (status == STATUS_OK) status = push_part(comm, job, part);
  if (status == STATUS_OK) status = move(comm, job, &part, MULTIMEM_ST);
  if (status == STATUS_OK) status = nvls_barrier_among(comm, pod);
  return status;
}
