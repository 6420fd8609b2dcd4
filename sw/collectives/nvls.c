#include "collectives/nvls.h"

#include "hal/hal.h"

enum status nvls_barrier(struct communicator* comm) {
  return nvls_barrier_among(comm, comm->boot.ranks);
}

enum status nvls_barrier_among(struct communicator* comm, uint32_t ranks) {
  comm->multicast_arrivals += ranks;
  hal_post_add64(communicator_counter(comm, comm->boot.multicast, FLAG_MULTICAST), 1);
  return communicator_await(comm, FLAG_MULTICAST, comm->multicast_arrivals);
}

/* What lies in the region is the same offset of every rank. */
static struct multimem_transfer own_chunk(const struct communicator* comm,
                                          const struct boot_job* job, enum multimem_kind kind) {
  const struct range own = chunk_of(job->elements, comm->boot.ranks, comm->boot.rank);
  const uint64_t at = job->data + own.begin * job->element_bytes;
  const struct multimem_transfer transfer = {
      .kind = kind,
      .dtype = job->dtype,
      .op = job->op,
      .destination = (kind == MULTIMEM_LD_REDUCE ? comm->boot.self : comm->boot.multicast) + at,
      .source = (kind == MULTIMEM_ST ? comm->boot.self : comm->boot.multicast) + at,
      .bytes = own.count * job->element_bytes,
  };
  return transfer;
}

enum status nvls_run(struct communicator* comm, const struct boot_job* job,
                     enum multimem_kind kind) {
  if (comm->multimem.registers == 0 || comm->boot.multicast == 0) {
    hal_log("nvls: no multimem unit or no multicast region", comm->multimem.registers);
    return STATUS_UNSUPPORTED;
  }
  if (comm->boot.ranks < 2) return STATUS_OK;
  const struct multimem_transfer transfer = own_chunk(comm, job, kind);
  enum status status = nvls_barrier(comm);
  if (status == STATUS_OK) status = multimem_run(&comm->multimem, &transfer);
  if (status == STATUS_OK) status = nvls_barrier(comm);
  return status;
}
