/* Runs the steps of tensor-parallel inference that the platform posts: kernels on the GPU's engine,
 * and after each half of a decoder layer an all-reduce, which the next kernels wait for. */
#include "kernels/inference_plan.h"

#include <stddef.h>

#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/communicator.h"
#include "collectives/scin_push.h"
#include "drivers/kernel_engine.h"
#include "hal/hal.h"

struct inference {
  struct communicator comm;
  struct kernel_engine engine;
  struct boot_job job; /* the all-reduce of all layers */
  struct inference_plan plan;
  int is_by_accelerators; /* in switches, which need an instruction for each all-reduce */
};

static void start_list(struct inference* own, enum inference_list list, uint32_t layer) {
  const struct kernel_list kernels = {own->plan.lists[list], own->plan.kernels[list],
                                      INFERENCE_TAG(layer, list)};
  kernel_engine_start(&own->engine, &kernels);
}

static enum status run_alone(struct inference* own, enum inference_list list, uint32_t layer) {
  if (own->plan.kernels[list] == 0) return STATUS_OK;
  start_list(own, list, layer);
  return kernel_engine_wait(&own->engine);
}

/* Of the planes that are this rank's, so that ranks share the work. */
static enum status push_instructions(struct inference* own) {
  const struct communicator* comm = &own->comm;
  enum status status = STATUS_OK;
  for (uint32_t plane = comm->boot.rank; plane < comm->scin.planes && status == STATUS_OK;
       plane += comm->boot.ranks) {
    status = scin_push_plane(&comm->scin, &comm->boot, &own->job, plane);
  }
  return status;
}

/* The core is free while the kernels run. The instruction of the all-reduce waits in the switches
 * until all ranks have arrived, so it is pushed meanwhile; and the DMA engine's rings are emptied,
 * so that each layer finds them alike. */
static enum status run_half(struct inference* own, enum inference_list list, uint32_t layer) {
  enum status status = STATUS_OK;
  start_list(own, list, layer);
  if (own->is_by_accelerators) status = push_instructions(own);
  if (status == STATUS_OK) status = dma_drain(&own->comm.dma);
  if (status == STATUS_OK) status = kernel_engine_wait(&own->engine);
  return status == STATUS_OK ? run_collective(&own->comm, &own->job) : status;
}

static enum status run_layers(struct inference* own) {
  const uint64_t layers =
      own->comm.boot.job + INFERENCE_PLAN_OFFSET + offsetof(struct inference_plan, layers);
  enum status status = STATUS_OK;
  for (uint32_t layer = 0; status == STATUS_OK && layer < hal_read32(layers); ++layer) {
    status = run_half(own, INFERENCE_ATTENTION, layer);
    if (status == STATUS_OK) status = run_half(own, INFERENCE_MLP, layer);
  }
  return status;
}

static void read_job(struct inference* own) {
  const uint64_t at = own->comm.boot.job;
  hal_read_block(&own->job, at, sizeof own->job);
  hal_read_block(&own->plan, at + INFERENCE_PLAN_OFFSET, sizeof own->plan);
  own->is_by_accelerators = own->job.algorithm == BOOT_SCIN || own->job.algorithm == BOOT_SCIN_INQ;
  own->job.flags &= ~BOOT_JOB_ON_DEMAND; /* pushed already when the all-reduce begins */
}

static enum status run_job(struct inference* own, uint32_t number) {
  read_job(own);
  hal_mark(HAL_MARK_START, number);
  enum status status = run_alone(own, INFERENCE_BEGIN, 0);
  if (status == STATUS_OK) status = run_layers(own);
  if (status == STATUS_OK) status = run_alone(own, INFERENCE_END, 0);
  if (status != STATUS_OK) return status;
  hal_mark(HAL_MARK_END, number);
  return dma_drain(&own->comm.dma);
}

int main(void) {
  struct inference own;
  enum status status = communicator_open(&own.comm);
  if (status == STATUS_NO_PART) return 0;
  if (status == STATUS_OK) status = scin_open(&own.comm.scin, &own.comm.boot, 1);
  if (status == STATUS_OK) kernel_engine_open(&own.engine);
  while (status == STATUS_OK) {
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    status = run_job(&own, number);
  }
  if (status != STATUS_OK) hal_log(status_name(status), (uint64_t)status);
  return (int)status;
}
