/* Two ranks throw a ball to each other; the others look on. */
#include "collectives/communicator.h"
#include "hal/hal.h"
#include "pingpong_job.h"

enum { MOST_RANKS = 64 };

struct player {
  struct communicator comm;
  uint32_t thrown[MOST_RANKS]; /* balls to each rank so far: what its counter of us says */
};

static enum status throw_ball(struct player* player, const struct pingpong_job* job,
                              uint32_t partner) {
  struct communicator* comm = &player->comm;
  const uint64_t peer = communicator_peer(comm, partner);
  const struct message ball = {
      .destination = peer + job->data,
      .source = comm->boot.self + job->data,
      .bytes = BALL_BYTES,
      .counter = communicator_counter(comm, peer, FLAG_DIRECT + comm->boot.rank),
      .count = ++player->thrown[partner],
  };
  return communicator_send(comm, 0, &ball);
}

static enum status play(struct player* player, const struct pingpong_job* job) {
  struct communicator* comm = &player->comm;
  const uint32_t rank = comm->boot.rank;
  if (rank != job->first && rank != job->second) return STATUS_OK;
  const uint32_t partner = rank == job->first ? job->second : job->first;
  enum status status = STATUS_OK;
  for (uint32_t round = 0; round < job->rounds && status == STATUS_OK; ++round) {
    const uint32_t expected = player->thrown[partner] + 1; /* both throw equally often */
    if (rank == job->first) status = throw_ball(player, job, partner);
    if (status == STATUS_OK) status = communicator_await(comm, FLAG_DIRECT + partner, expected);
    if (status == STATUS_OK && rank == job->second) status = throw_ball(player, job, partner);
  }
  return status;
}

int main(void) {
  struct player player = {0};
  enum status status = communicator_open(&player.comm);
  if (status == STATUS_NO_PART) return 0;
  while (status == STATUS_OK) {
    struct pingpong_job job;
    const uint32_t number = hal_next_job();
    if (number == HAL_NO_JOB) break;
    hal_read_block(&job, player.comm.boot.job, sizeof job);
    hal_mark(HAL_MARK_START, number);
    status = play(&player, &job);
    if (status != STATUS_OK) break;
    hal_mark(HAL_MARK_END, number);
    status = dma_drain(&player.comm.dma);
  }
  return (int)status;
}
