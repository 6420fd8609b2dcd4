#include "collectives/collectives.h"
#include "collectives/ring_message.h"
#include "collectives/steps.h"
#include "collectives/torus.h"

/* A rank in the tree of a broadcast: it has what it sends from the neighbor in its last dimension
 * that differs from the root's, and sends it on in that dimension and both ways in those behind. */
struct torus_place {
  int has_parent;
  uint32_t children;
  uint64_t child[2 * TORUS_DIMENSIONS]; /* windows */
};

struct coordinates {
  uint32_t at[TORUS_DIMENSIONS];
};

static struct coordinates coordinates_of(const struct torus* torus, uint32_t rank) {
  struct coordinates result = {{0}};
  for (uint32_t i = torus->dimensions; i-- > 0; rank /= torus->side[i])
    result.at[i] = rank % torus->side[i];
  return result;
}

static void add_child(struct torus_place* place, const struct communicator* comm,
                      const struct torus* torus, struct coordinates own, uint32_t dimension,
                      uint32_t step) {
  uint32_t rank = 0;
  own.at[dimension] = (own.at[dimension] + step) % torus->side[dimension];
  for (uint32_t i = 0; i < torus->dimensions; ++i) rank = rank * torus->side[i] + own.at[i];
  place->child[place->children++] = communicator_peer(comm, rank);
}

static struct torus_place place_of(const struct communicator* comm, const struct torus* torus,
                                   uint32_t root) {
  const struct coordinates own = coordinates_of(torus, comm->boot.rank);
  const struct coordinates from = coordinates_of(torus, root);
  struct torus_place place = {0};
  for (uint32_t i = torus->dimensions; i-- > 0 && !place.has_parent;) {
    const uint32_t side = torus->side[i];
    const uint32_t ahead = (own.at[i] + side - from.at[i]) % side; /* of the root */
    place.has_parent = ahead != 0;
    const int goes_up = ahead <= side / 2, goes_down = ahead == 0 || ahead > side / 2;
    if (goes_up && ahead + 1 <= side / 2) add_child(&place, comm, torus, own, i, 1);
    if (goes_down && (ahead + side - 1) % side > side / 2)
      add_child(&place, comm, torus, own, i, side - 1);
  }
  return place;
}

/* Each child has a stream of its own, so that none waits for the descriptors of another. */
static enum status pass_on(struct steps* steps, const struct torus_place* place, struct range part,
                           uint32_t count) {
  struct communicator* comm = steps->comm;
  const struct boot_job* job = steps->job;
  const uint32_t flag = flag_behind(comm->boot.ranks, FLAG_TORUS);
  const uint64_t at = job->data + part.begin * job->element_bytes;
  enum status status = STATUS_OK;
  if (place->has_parent && place->children == 0) status = steps_await(steps, 0, flag, count);
  for (uint32_t i = 0; i < place->children && status == STATUS_OK; ++i) {
    const uint32_t channel = steps_channel(steps, i);
    if (place->has_parent) status = steps_await(steps, channel, flag, count);
    if (status != STATUS_OK) return status;
    const struct message message = {
        .destination = place->child[i] + at,
        .source = comm->boot.self + at,
        .bytes = part.count * job->element_bytes,
        .counter = communicator_counter(comm, place->child[i], flag),
        .count = count,
    };
    status = steps_send(steps, channel, &message);
  }
  return status;
}

enum status torus_broadcast(struct communicator* comm, const struct boot_job* job) {
  const struct torus torus = torus_of(job->sides);
  const uint64_t segment = ring_piece_elements(job);
  if (segment == 0 || job->root >= comm->boot.ranks) return STATUS_BAD_JOB;
  const struct range whole = {0, job->elements};
  const uint32_t segments = (uint32_t)((job->elements + segment - 1) / segment);
  const uint32_t before = comm->torus_messages;
  comm->torus_messages += segments;
  const struct torus_place place = place_of(comm, &torus, job->root);
  struct steps steps;
  enum status status = steps_begin(&steps, comm, job, 0);
  for (uint32_t i = 0; i < segments && status == STATUS_OK; ++i)
    status = pass_on(&steps, &place, piece_of(whole, segment, i), before + i + 1);
  return status == STATUS_OK ? steps_end(&steps) : status;
}
