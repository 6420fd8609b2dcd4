#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/layout.h"

static struct quantized quantized_operand(const struct communicator* comm,
                                          const struct boot_job* job) {
  const uint64_t scratch = comm->boot.self + job->scratch;
  const struct quantized operand = {scratch, scratch + scales_offset(job), job->quant_bits,
                                    job->quant_block};
  return operand;
}

enum status produce_operands(struct communicator* comm, const struct boot_job* job) {
  if (job->algorithm == BOOT_TREE || job->algorithm == BOOT_TREE_TWO_PHASE ||
      job->algorithm == BOOT_NVLS_TREE)
    tree_prepare(comm);
  if (job->algorithm == BOOT_SCATTER_GATHER) return scatter_gather_prepare(comm, job);
  if (job->algorithm != BOOT_SCIN_INQ) return STATUS_OK;
  const struct quantized operand = quantized_operand(comm, job);
  return vector_quantize(&comm->vector, &operand, comm->boot.self + job->data, job->elements,
                         job->dtype);
}

enum status consume_results(struct communicator* comm, const struct boot_job* job) {
  if (job->algorithm != BOOT_SCIN_INQ) return STATUS_OK;
  const struct quantized result = quantized_operand(comm, job);
  return vector_dequantize(&comm->vector, comm->boot.self + job->data, &result, job->elements,
                           job->dtype);
}
