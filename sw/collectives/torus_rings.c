#include "collectives/collectives.h"
#include "collectives/steps.h"
#include "collectives/torus.h"

/* A turn of a stripe: one of its dimensions. Positions count in the direction of the stripe. */
struct turn {
  uint32_t side;
  uint32_t position;
  uint64_t next;  /* window of the neighbor ahead */
  uint32_t first; /* of the block of numbers that is scattered or gathered here */
  uint32_t block; /* numbers of one part of it */
  uint64_t slots; /* in scratch memory */
};

struct stripe {
  struct range elements;
  uint32_t channel;
  uint32_t flags; /* index of the first: a dimension's scattering, then a dimension's gathering */
  struct turn turn[TORUS_DIMENSIONS];
};

struct torus_run {
  struct steps steps;
  struct torus torus;
  uint32_t before; /* messages of the jobs before this one */
  uint32_t stripes;
  struct stripe stripe[TORUS_STRIPES];
};

static uint32_t coordinate_of(const struct torus* torus, uint32_t rank, uint32_t dimension) {
  for (uint32_t i = torus->dimensions - 1; i > dimension; --i) rank /= torus->side[i];
  return rank % torus->side[dimension];
}

static uint32_t stride_of(const struct torus* torus, uint32_t dimension) {
  uint32_t stride = 1;
  for (uint32_t i = dimension + 1; i < torus->dimensions; ++i) stride *= torus->side[i];
  return stride;
}

static uint32_t neighbor_of(const struct torus* torus, uint32_t rank, uint32_t dimension,
                            int is_down) {
  const uint32_t side = torus->side[dimension], stride = stride_of(torus, dimension);
  const uint32_t at = coordinate_of(torus, rank, dimension);
  const uint32_t next = (at + (is_down ? side - 1 : 1)) % side;
  return rank - at * stride + next * stride;
}

static void plan_stripe(struct torus_run* run, uint32_t number, uint64_t scratch) {
  struct stripe* stripe = &run->stripe[number];
  const struct communicator* comm = run->steps.comm;
  const struct torus* torus = &run->torus;
  const int is_down = number >= torus->dimensions;
  uint32_t first = 0, block = comm->boot.ranks;
  stripe->elements = chunk_of(run->steps.job->elements, run->stripes, number);
  stripe->channel = steps_channel(&run->steps, number);
  stripe->flags = FLAG_TORUS + 2 * TORUS_DIMENSIONS * number;
  for (uint32_t i = 0; i < torus->dimensions; ++i) {
    const uint32_t dimension = torus_dimension(torus, number, i);
    const uint32_t at = coordinate_of(torus, comm->boot.rank, dimension);
    struct turn* turn = &stripe->turn[i];
    turn->side = torus->side[dimension];
    turn->position = is_down ? turn->side - 1 - at : at;
    turn->next = communicator_peer(comm, neighbor_of(torus, comm->boot.rank, dimension, is_down));
    turn->first = first;
    block /= turn->side;
    turn->block = block;
    turn->slots = scratch + torus_slots(run->steps.job, torus, number, i);
    first += turn->position * block;
  }
}

/* Elements of a part of the block of a turn. */
static struct range part_of(const struct torus_run* run, const struct stripe* stripe,
                            const struct turn* turn, uint32_t part) {
  const uint32_t ranks = run->steps.comm->boot.ranks;
  const uint32_t first = turn->first + part % turn->side * turn->block;
  const struct range begin = chunk_of(stripe->elements.count, ranks, first);
  const struct range last = chunk_of(stripe->elements.count, ranks, first + turn->block - 1);
  const struct range result = {stripe->elements.begin + begin.begin,
                               last.begin + last.count - begin.begin};
  return result;
}

static uint64_t offset_of(const struct torus_run* run, struct range range) {
  return run->steps.job->data + range.begin * run->steps.job->element_bytes;
}

static enum status send_part(struct torus_run* run, const struct stripe* stripe,
                             const struct turn* turn, struct range part, uint64_t destination,
                             uint32_t flag, uint32_t step) {
  struct communicator* comm = run->steps.comm;
  const struct message message = {
      .destination = turn->next + destination,
      .source = comm->boot.self + offset_of(run, part),
      .bytes = part.count * run->steps.job->element_bytes,
      .counter = communicator_counter(comm, turn->next, flag_behind(comm->boot.ranks, flag)),
      .count = run->before + step + 1,
  };
  return steps_send(&run->steps, stripe->channel, &message);
}

static enum status await_part(struct torus_run* run, const struct stripe* stripe, uint32_t flag,
                              uint32_t step) {
  return steps_await(&run->steps, stripe->channel, flag_behind(run->steps.comm->boot.ranks, flag),
                     run->before + step + 1);
}

/* What is done of a step. */
enum { SENDS = 1, RECEIVES = 2 };

/* The part of a rank's own position is complete after the last step. */
static enum status scatter(struct torus_run* run, const struct stripe* stripe, uint32_t number,
                           uint32_t step, int what) {
  const struct turn* turn = &stripe->turn[number];
  const uint32_t around = turn->position + 2 * turn->side - step;
  const struct range part = part_of(run, stripe, turn, around - 2);
  const uint64_t slot =
      turn->slots +
      step * torus_slot_bytes(run->steps.job, run->steps.comm->boot.ranks, turn->block);
  enum status status = STATUS_OK;
  if ((what & SENDS) != 0)
    status = send_part(run, stripe, turn, part_of(run, stripe, turn, around - 1), slot,
                       stripe->flags + number, step);
  if ((what & RECEIVES) == 0 || status != STATUS_OK) return status;
  status = await_part(run, stripe, stripe->flags + number, step);
  if (status != STATUS_OK || part.count == 0) return status;
  return steps_reduce(&run->steps, stripe->channel, offset_of(run, part), slot, part.count);
}

static enum status gather(struct torus_run* run, const struct stripe* stripe, uint32_t number,
                          uint32_t step, int what) {
  const struct turn* turn = &stripe->turn[number];
  const uint32_t flag = stripe->flags + TORUS_DIMENSIONS + number;
  const struct range part = part_of(run, stripe, turn, turn->position + turn->side - step);
  enum status status = STATUS_OK;
  if ((what & SENDS) != 0)
    status = send_part(run, stripe, turn, part, offset_of(run, part), flag, step);
  if ((what & RECEIVES) == 0 || status != STATUS_OK) return status;
  return await_part(run, stripe, flag, step);
}

/* The step that comes after so many others of the stripe, forwards through the turns or back. */
static enum status step_of(struct torus_run* run, uint32_t number, uint32_t step, int gathers,
                           int what) {
  const struct stripe* stripe = &run->stripe[number];
  for (uint32_t i = 0; i < run->torus.dimensions; ++i) {
    const uint32_t turn = gathers ? run->torus.dimensions - 1 - i : i;
    const uint32_t steps = stripe->turn[turn].side - 1;
    if (step < steps) {
      return gathers ? gather(run, stripe, turn, step, what)
                     : scatter(run, stripe, turn, step, what);
    }
    step -= steps;
  }
  return STATUS_OK;
}

static enum status step_of_each(struct torus_run* run, uint32_t step, int gathers, int what) {
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i < run->stripes && status == STATUS_OK; ++i)
    status = step_of(run, i, step, gathers, what);
  return status;
}

/* A core, which waits by itself, first sends for all stripes, so that these are on their way at the
 * same time. In a chain the engine waits, and stripes have channels. */
static enum status all_steps(struct torus_run* run, int gathers) {
  const int is_chained = (run->steps.job->flags & BOOT_JOB_CHAINED) != 0;
  uint32_t steps = 0;
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i < run->torus.dimensions; ++i) steps += run->torus.side[i] - 1;
  for (uint32_t step = 0; step < steps && status == STATUS_OK; ++step) {
    if (is_chained) {
      status = step_of_each(run, step, gathers, SENDS | RECEIVES);
    } else {
      status = step_of_each(run, step, gathers, SENDS);
      if (status == STATUS_OK) status = step_of_each(run, step, gathers, RECEIVES);
    }
  }
  return status;
}

enum status torus_rings(struct communicator* comm, const struct boot_job* job) {
  const int scatters = job->collective != BOOT_ALLGATHER;
  const int gathers = job->collective != BOOT_REDUCE_SCATTER;
  struct torus_run run = {.torus = torus_of(job->sides), .before = comm->torus_messages};
  uint64_t scratch = job->scratch;
  run.stripes = job->slots;
  if (run.stripes == 0 || run.stripes > 2 * run.torus.dimensions) return STATUS_BAD_JOB;
  if (comm->boot.ranks < 2) return STATUS_OK;
  for (uint32_t i = 0; i < run.torus.dimensions; ++i) comm->torus_messages += run.torus.side[i];
  enum status status = steps_begin(&run.steps, comm, job, scatters);
  if (status != STATUS_OK) return status;
  for (uint32_t i = 0; i < run.stripes; ++i) {
    plan_stripe(&run, i, scratch);
    scratch += torus_slots(job, &run.torus, i, run.torus.dimensions);
  }
  if (scatters) status = all_steps(&run, 0);
  if (gathers && status == STATUS_OK) status = all_steps(&run, 1);
  return status == STATUS_OK ? steps_end(&run.steps) : status;
}
