#include "collectives/algorithms.h"
#include "collectives/collectives.h"
#include "collectives/double_tree.h"
#include "collectives/ring_message.h"
#include "collectives/steps.h"
#include "hal/hal.h"

/* A vector moves up both trees and is added on the way, or down; segment after segment, each as
 * soon as it is there. So there are up to four streams of segments. In a chain with a channel for
 * each they run side by side, and the root tells its streams down what those up have finished;
 * otherwise all segments move up before any moves down.
 *
 * The stream up from a leaf waits for nobody. If it used all that the other streams of its rank
 * leave of the link, it would take more than its half of its parent's link, and the leaf beside it
 * would fall behind: every inner node above that one would wait for it with an idle link. So a leaf
 * of a tree keeps to the pace of the others. Where streams run side by side in an all-reduce, it is
 * no more than a window ahead of the results that come back; elsewhere its rank sends a segment for
 * each that it sends as an inner node of the other tree. */
struct tree_run {
  struct steps steps;
  uint32_t root;
  uint64_t segment_elements;
  uint32_t segments; /* of a half; the same for both */
  int is_parallel;   /* the streams are */
  int takes_turns;   /* the streams up share a channel */
  uint32_t window;   /* segments that a leaf may be ahead of those that came down; 0: any */
  uint32_t before;   /* segments of the jobs before this one */
  struct double_tree_place place[TREES];
};

/* Streams 0 and 1 go up, 2 and 3 go down. */
enum { STREAMS = 2 * TREES };

/* What a link carries while a segment that was sent is on its way to the next rank: half a
 * microsecond at 900 GB/s, or the next power of two. Streams share it. If leaves keep to less, they
 * wait for others in vain; if to more, they run ahead. */
enum { BYTES_ON_THE_WAY = 512 * 1024 };

/* Of a stream, at each rank: one that arrives, one that is added, one that is sent on. */
enum { SEGMENTS_OF_A_LEVEL = 3 };

/* A leaf looks at the results so many times in a window. */
enum { LOOKS_A_WINDOW = 8 };

static uint32_t channel_of(const struct tree_run* run, uint32_t tree, int is_down) {
  if (run->takes_turns) return steps_channel(&run->steps, 0);
  return steps_channel(&run->steps, run->is_parallel && is_down ? TREES + tree : tree);
}

/* To a child. Both children of a rank are served by one stream, which waits for the parent: in a
 * chain that is one channel. A core waits by itself, and the fences of the two children, which each
 * take a round trip, overlap on channels of their own. */
static uint32_t channel_to_child(const struct tree_run* run, uint32_t tree, uint32_t child) {
  const int is_chained = (run->steps.job->flags & BOOT_JOB_CHAINED) != 0;
  if (is_chained) return channel_of(run, tree, 1);
  return steps_channel(&run->steps, TREES * child + tree);
}

static uint32_t rank_at(const struct tree_run* run, uint32_t position) {
  return (position + run->root) % run->steps.comm->boot.ranks;
}

static struct range segment_of(const struct tree_run* run, uint32_t tree, uint32_t segment) {
  return piece_of(chunk_of(run->steps.job->elements, TREES, tree), run->segment_elements, segment);
}

static int is_root(const struct tree_run* run) {
  return run->steps.comm->boot.rank == run->root;
}

static int is_leaf(const struct tree_run* run, uint32_t tree) {
  return run->place[tree].children == 0;
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

/* A segment from our vector to a neighbor: up into a region of its scratch memory, or down to its
 * place in the vector. */
struct leg {
  uint32_t tree;
  int is_down;
  uint32_t channel;
  uint32_t position; /* of the neighbor */
  uint64_t region;   /* up */
  uint32_t flag;
};

static enum status send_segment(struct tree_run* run, uint32_t segment, const struct leg* leg) {
  struct communicator* comm = run->steps.comm;
  const struct boot_job* job = run->steps.job;
  const struct range range = segment_of(run, leg->tree, segment);
  const uint64_t at = job->data + range.begin * job->element_bytes;
  const uint64_t peer = communicator_peer(comm, rank_at(run, leg->position));
  const struct message message = {
      .destination = peer + (leg->is_down ? at : leg->region + offset_in_half(run, segment)),
      .source = comm->boot.self + at,
      .bytes = range.count * job->element_bytes,
      .counter = communicator_counter(comm, peer, flag_behind(comm->boot.ranks, leg->flag)),
      .count = run->before + segment + 1,
  };
  return steps_send(&run->steps, leg->channel, &message);
}

static enum status await_segment(struct tree_run* run, uint32_t channel, uint32_t segment,
                                 uint32_t flag) {
  return steps_await(&run->steps, channel, flag_behind(run->steps.comm->boot.ranks, flag),
                     run->before + segment + 1);
}

/* Segments of one of so many streams between ranks that are so many levels apart. */
static uint32_t segments_between(const struct tree_run* run, uint32_t levels, uint32_t streams) {
  const uint64_t bytes = run->segment_elements * run->steps.job->element_bytes;
  const uint64_t of_a_level = SEGMENTS_OF_A_LEVEL * bytes + BYTES_ON_THE_WAY / streams;
  return (uint32_t)(levels * of_a_level / bytes);
}

static enum status keep_to_window(struct tree_run* run, uint32_t tree, uint32_t segment) {
  const uint32_t look = run->window / LOOKS_A_WINDOW + 1;
  if (segment < run->window || segment % look != 0) return STATUS_OK;
  return await_segment(run, channel_of(run, tree, 0), segment - run->window + look - 1,
                       FLAG_TREE_DOWN + tree);
}

static enum status move_up(struct tree_run* run, uint32_t tree, uint32_t segment) {
  const struct double_tree_place* place = &run->place[tree];
  const struct boot_job* job = run->steps.job;
  const struct range range = segment_of(run, tree, segment);
  const uint64_t at = job->data + range.begin * job->element_bytes;
  const uint32_t channel = channel_of(run, tree, 0);
  const int keeps_back = is_leaf(run, tree) && run->window != 0;
  enum status status = keeps_back ? keep_to_window(run, tree, segment) : STATUS_OK;
  for (uint32_t i = 0; i < place->children && status == STATUS_OK; ++i) {
    status = await_segment(run, channel, segment, FLAG_TREE_UP + TREE_CHILDREN * tree + i);
    if (status != STATUS_OK || range.count == 0) continue;
    status = steps_reduce(&run->steps, channel, at,
                          region(run, is_root(run), tree, i) + offset_in_half(run, segment),
                          range.count);
  }
  if (status != STATUS_OK) return status;
  if (is_root(run)) {
    if (!run->is_parallel || job->collective == BOOT_REDUCE) return status;
    return steps_signal(&run->steps, channel,
                        flag_behind(run->steps.comm->boot.ranks, FLAG_TREE_DOWN + tree),
                        run->before + segment + 1);
  }
  const struct leg leg = {.tree = tree,
                          .channel = channel,
                          .position = place->parent,
                          .region = region(run, place->parent == 0, tree, place->number),
                          .flag = FLAG_TREE_UP + TREE_CHILDREN * tree + place->number};
  return send_segment(run, segment, &leg);
}

static enum status move_down(struct tree_run* run, uint32_t tree, uint32_t segment) {
  const struct double_tree_place* place = &run->place[tree];
  const int is_told = run->is_parallel && run->steps.job->collective == BOOT_ALLREDUCE;
  enum status status = STATUS_OK;
  if (!is_root(run) || is_told)
    status = await_segment(run, channel_of(run, tree, 1), segment, FLAG_TREE_DOWN + tree);
  for (uint32_t i = 0; i < place->children && status == STATUS_OK; ++i) {
    const struct leg leg = {.tree = tree,
                            .is_down = 1,
                            .channel = channel_to_child(run, tree, i),
                            .position = place->child[i],
                            .flag = FLAG_TREE_DOWN + tree};
    status = send_segment(run, segment, &leg);
  }
  return status;
}

static enum status move(struct tree_run* run, uint32_t stream, uint32_t segment) {
  return stream < TREES ? move_up(run, stream, segment) : move_down(run, stream - TREES, segment);
}

/* Down both trees, segment by segment. As a leaf a rank passes nothing on: it waits when all others
 * are served. If it waited in between, the ranks below it in the other tree would wait, too. */
static enum status move_down_one_by_one(struct tree_run* run) {
  enum status status = STATUS_OK;
  for (uint32_t segment = 0; segment < run->segments; ++segment)
    for (uint32_t tree = 0; tree < TREES && status == STATUS_OK; ++tree)
      if (!is_leaf(run, tree)) status = move_down(run, tree, segment);
  for (uint32_t tree = 0; tree < TREES && status == STATUS_OK; ++tree)
    for (uint32_t segment = 0; segment < run->segments && status == STATUS_OK; ++segment)
      if (is_leaf(run, tree)) status = move_down(run, tree, segment);
  return status;
}

/* The stream that the core waits for when none has room. A segment depends on none behind it in any
 * stream, so all ranks get on. */
static uint32_t farthest_behind(const uint32_t* next, uint32_t first, uint32_t last) {
  uint32_t found = first;
  for (uint32_t i = first; i < last; ++i)
    if (next[i] < next[found]) found = i;
  return found;
}

/* A segment of each of the streams first <= stream < last that has room, again and again. */
static enum status move_side_by_side(struct tree_run* run, uint32_t first, uint32_t last) {
  uint32_t next[STREAMS] = {0};
  enum status status = STATUS_OK;
  while (first < last && status == STATUS_OK) {
    uint32_t moved = 0;
    for (uint32_t i = first; i < last && status == STATUS_OK; ++i) {
      const uint32_t channel = channel_of(run, i % TREES, i >= TREES);
      if (next[i] == run->segments || !steps_have_room(&run->steps, channel)) continue;
      status = move(run, i, next[i]++);
      ++moved;
    }
    while (first < last && next[first] == run->segments) ++first;
    if (moved != 0 || first == last || status != STATUS_OK) continue;
    const uint32_t behind = farthest_behind(next, first, last);
    status = move(run, behind, next[behind]++);
  }
  return status;
}

/* Up both trees by one sequence of steps: as a leaf a rank begins as much earlier as the first
 * segment takes to reach it as an inner node. If it sent a segment as a leaf only when the same one
 * has reached it as an inner node, ranks of either tree would wait for those of the other, segment
 * after segment. */
static enum status move_up_in_turns(struct tree_run* run) {
  const uint32_t inner = run->place[0].children != 0 ? 0 : 1;
  const uint32_t ahead = is_root(run) ? 0 : segments_between(run, run->place[inner].height, TREES);
  enum status status = STATUS_OK;
  for (uint32_t step = 0; step < run->segments + ahead && status == STATUS_OK; ++step) {
    if (step < run->segments) status = move_up(run, TREES - 1 - inner, step);
    if (step >= ahead && status == STATUS_OK) status = move_up(run, inner, step - ahead);
  }
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
  run.is_parallel = steps_are_parallel(&run.steps, moves_down ? STREAMS : 1);
  run.takes_turns = run.is_parallel && !moves_down;
  if (run.is_parallel && moves_up && moves_down)
    run.window = 2 * segments_between(&run, double_tree_place_of(ranks, 0, 0).height, STREAMS);
  if (status == STATUS_OK && run.takes_turns) {
    status = move_up_in_turns(&run);
  } else if (status == STATUS_OK && run.is_parallel) {
    status = move_side_by_side(&run, moves_up ? 0 : TREES, moves_down ? STREAMS : TREES);
  } else {
    if (status == STATUS_OK && moves_up) status = move_up_in_turns(&run);
    if (status == STATUS_OK && moves_down) status = move_down_one_by_one(&run);
  }
  return status == STATUS_OK ? steps_end(&run.steps) : status;
}
