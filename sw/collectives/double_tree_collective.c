#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/double_tree.h"
#include "collectives/ring.h"
#include "collectives/steps.h"
#include "hal/hal.h"

/* A vector moves up both trees and is added on the way, or down; segment after segment, each as
 * soon as it is there. An all-reduce is one after the other. Each tree has a channel of its own. */
struct tree_run {
  struct steps steps;
  uint32_t root;
  uint64_t segment_elements;
  uint32_t segments; /* of a half; the same for both */
  uint32_t before;   /* segments of the jobs before this one */
  struct double_tree_place place[TREES];
};

static uint32_t rank_at(const struct tree_run* run, uint32_t position) {
  return (position + run->root) % run->steps.comm->boot.ranks;
}

static struct range segment_of(const struct tree_run* run, uint32_t tree, uint32_t segment) {
  return piece_of(chunk_of(run->steps.job->elements, TREES, tree), run->segment_elements, segment);
}

static int is_root(const struct tree_run* run) {
  return run->steps.comm->boot.rank == run->root;
}

/* Nobody has more than two children in both trees together: an inner node has them in one, the root
 * has one in each. `child` is the number of a child of a root, or of another. */
static uint64_t region(const struct tree_run* run, int of_root, uint32_t tree, uint32_t child) {
  const struct boot_job* job = run->steps.job;
  return job->scratch + (of_root ? tree : child) * receive_region_bytes(job, TREES);
}

static uint64_t offset_in_half(const struct tree_run* run, uint32_t segment) {
  return segment * run->segment_elements * run->steps.job->element_bytes;
}

static enum status send_segment(struct tree_run* run, uint32_t tree, uint32_t segment,
                                uint32_t position, uint64_t destination, uint32_t flag) {
  struct communicator* comm = run->steps.comm;
  const struct boot_job* job = run->steps.job;
  const struct range range = segment_of(run, tree, segment);
  const uint64_t at = job->data + range.begin * job->element_bytes;
  const uint64_t peer = communicator_peer(comm, rank_at(run, position));
  const struct message message = {
      .destination = peer + (destination == 0 ? at : destination),
      .source = comm->boot.self + at,
      .bytes = range.count * job->element_bytes,
      .counter = communicator_counter(comm, peer, flag_behind(comm->boot.ranks, flag)),
      .count = run->before + segment + 1,
  };
  return steps_send(&run->steps, steps_channel(&run->steps, tree), &message);
}

static enum status await_segment(struct tree_run* run, uint32_t tree, uint32_t segment,
                                 uint32_t flag) {
  return steps_await(&run->steps, steps_channel(&run->steps, tree),
                     flag_behind(run->steps.comm->boot.ranks, flag), run->before + segment + 1);
}

static enum status move_up(struct tree_run* run, uint32_t tree, uint32_t segment) {
  const struct double_tree_place* place = &run->place[tree];
  const struct boot_job* job = run->steps.job;
  const struct range range = segment_of(run, tree, segment);
  const uint64_t at = job->data + range.begin * job->element_bytes;
  enum status status = STATUS_OK;
  for (uint32_t i = 0; i < place->children && status == STATUS_OK; ++i) {
    status = await_segment(run, tree, segment, FLAG_TREE_UP + TREE_CHILDREN * tree + i);
    if (status != STATUS_OK || range.count == 0) continue;
    status = steps_reduce(&run->steps, steps_channel(&run->steps, tree), at,
                          region(run, is_root(run), tree, i) + offset_in_half(run, segment),
                          range.count);
  }
  if (is_root(run) || status != STATUS_OK) return status;
  return send_segment(
      run, tree, segment, place->parent,
      region(run, place->parent == 0, tree, place->number) + offset_in_half(run, segment),
      FLAG_TREE_UP + TREE_CHILDREN * tree + place->number);
}

static enum status move_down(struct tree_run* run, uint32_t tree, uint32_t segment) {
  const struct double_tree_place* place = &run->place[tree];
  enum status status = STATUS_OK;
  if (!is_root(run)) status = await_segment(run, tree, segment, FLAG_TREE_DOWN + tree);
  for (uint32_t i = 0; i < place->children && status == STATUS_OK; ++i)
    status = send_segment(run, tree, segment, place->child[i], 0, FLAG_TREE_DOWN + tree);
  return status;
}

static enum status move_all(struct tree_run* run,
                            enum status (*move)(struct tree_run*, uint32_t, uint32_t)) {
  enum status status = STATUS_OK;
  for (uint32_t segment = 0; segment < run->segments; ++segment)
    for (uint32_t tree = 0; tree < TREES && status == STATUS_OK; ++tree)
      status = move(run, tree, segment);
  return status;
}

enum status double_tree(struct communicator* comm, const struct boot_job* job) {
  const int moves_up = job->collective == BOOT_ALLREDUCE || job->collective == BOOT_REDUCE;
  const int moves_down = job->collective == BOOT_ALLREDUCE || job->collective == BOOT_BROADCAST;
  const uint32_t ranks = comm->boot.ranks;
  if (!moves_up && !moves_down) return collective_unsupported(job);
  struct tree_run run = {.root = job->collective == BOOT_ALLREDUCE ? 0 : job->root,
                         .segment_elements = ring_piece_elements(job),
                         .before = comm->tree_segments};
  if (run.root >= ranks || run.segment_elements == 0) {
    hal_log("tree: no such root, or no element in a segment of bytes", job->slot_bytes);
    return STATUS_BAD_JOB;
  }
  if (ranks < 2) return STATUS_OK;
  const uint64_t half = chunk_of(job->elements, TREES, 0).count;
  run.segments = (uint32_t)((half + run.segment_elements - 1) / run.segment_elements);
  comm->tree_segments += run.segments;
  for (uint32_t tree = 0; tree < TREES; ++tree)
    run.place[tree] =
        double_tree_place_of(ranks, tree, (comm->boot.rank + ranks - run.root) % ranks);
  enum status status = steps_begin(&run.steps, comm, job, moves_up);
  if (status == STATUS_OK && moves_up) status = move_all(&run, move_up);
  if (status == STATUS_OK && moves_down) status = move_all(&run, move_down);
  return status == STATUS_OK ? steps_end(&run.steps) : status;
}
