#include "collectives/scin_push.h"

#include "collectives/algorithms.h"
#include "collectives/layout.h"
#include "collectives/peer.h"
#include "collectives/scin_share.h"
#include "drivers/arithmetic.h"
#include "hal/hal.h"
#include "regs/isa_regs.h"

/* Types and operators of a job go into the register as they are. */
_Static_assert((int)BOOT_FP16 == ISA_STREAM_OPERATION_DTYPE_FP16, "fp16");
_Static_assert((int)BOOT_BF16 == ISA_STREAM_OPERATION_DTYPE_BF16, "bf16");
_Static_assert((int)BOOT_FP32 == ISA_STREAM_OPERATION_DTYPE_FP32, "fp32");
_Static_assert((int)BOOT_INT32 == ISA_STREAM_OPERATION_DTYPE_INT32, "int32");
_Static_assert((int)BOOT_SUM == ISA_STREAM_OPERATION_OP_SUM, "sum");
_Static_assert((int)BOOT_MIN == ISA_STREAM_OPERATION_OP_MIN, "min");
_Static_assert((int)BOOT_MAX == ISA_STREAM_OPERATION_OP_MAX, "max");

/* Elements of the longest instruction, whose length has 32 bits: whole packets, and whole blocks of
 * quantized elements. */
#define LONGEST (UINT64_C(1) << 28)

/* Of one share of one group. */
struct pusher {
  const struct scin* scin;
  const struct boot_block* boot;
  const struct boot_job* job;
  uint32_t first, ranks; /* of the group */
  uint32_t share;
  uint64_t registers;
  uint32_t stream;
  uint32_t left; /* instructions of this share, this one included */
  int is_first;
};

static void set_addresses(const struct pusher* p, uint64_t offset) {
  if ((p->job->flags & BOOT_JOB_SINGLE_ADDRESS) != 0) {
    isa_set_address(p->registers, p->stream, 0, offset);
    return;
  }
  for (uint32_t rank = p->first; rank < p->first + p->ranks; ++rank) {
    isa_set_address(p->registers, p->stream, p->scin->member[rank],
                    peer_window(p->boot, rank) + offset);
  }
}

static uint32_t quantization_control(const struct boot_job* job) {
  return ISA_STREAM_OPERATION_QUANT_MASK |
         (job->quant_bits == 4 ? ISA_STREAM_OPERATION_BITS_MASK : 0) |
         log2_of(job->quant_block) << ISA_STREAM_OPERATION_BLOCK_POS;
}

static uint32_t addressing_control(const struct boot_job* job) {
  if (job->collective == BOOT_BARRIER) return ISA_STREAM_OPERATION_BARRIER_MASK;
  return (job->flags & BOOT_JOB_SINGLE_ADDRESS) != 0 ? ISA_STREAM_OPERATION_SINGLE_MASK : 0;
}

/* The part of the range that is this share. */
static struct range share_of(const struct pusher* p, struct range whole) {
  return scin_share(whole, p->job, p->scin->planes * scin_streams(p->job), p->share);
}

static uint32_t pieces_of(struct range share) {
  return (uint32_t)((share.count + LONGEST - 1) / LONGEST);
}

/* The first instruction waits for all ranks, the last one tells them. */
static void push_one(struct pusher* p, struct range share, uint64_t source, uint64_t destination) {
  const struct boot_job* job = p->job;
  const int is_quantized = job->algorithm == BOOT_SCIN_INQ;
  const uint64_t begin =
      is_quantized ? share.begin * job->quant_bits / 8 : share.begin * job->element_bytes;
  const uint64_t length =
      is_quantized ? (share.count * job->quant_bits + 7) / 8 : share.count * job->element_bytes;
  struct isa_operation operation = {job->number, (uint32_t)length, source, destination, 0};
  operation.control = job->dtype << ISA_STREAM_OPERATION_DTYPE_POS |
                      job->op << ISA_STREAM_OPERATION_OP_POS | addressing_control(job) |
                      (p->is_first ? ISA_STREAM_OPERATION_SYNC_MASK : 0) |
                      (p->left == 1 ? ISA_STREAM_OPERATION_NOTIFY_MASK : 0);
  if (is_quantized) operation.control |= quantization_control(job);
  if (job->collective != BOOT_BARRIER) {
    set_addresses(p, (is_quantized ? job->scratch : job->data) + begin);
  }
  p->is_first = 0;
  --p->left;
  isa_push(p->registers, p->stream, &operation);
  if (!is_quantized) return;
  set_addresses(p, job->scratch + scales_offset(job) +
                       share.begin / job->quant_block * QUANTIZATION_SCALE_BYTES);
  operation.control = ISA_STREAM_OPERATION_SCALE_MASK | addressing_control(job);
  isa_push(p->registers, p->stream, &operation);
}

static void push(struct pusher* p, struct range whole, uint64_t source, uint64_t destination) {
  const struct range share = share_of(p, whole);
  for (uint32_t i = 0; i < pieces_of(share); ++i)
    push_one(p, piece_of(share, LONGEST, i), source, destination);
}

static uint32_t instructions(const struct pusher* p) {
  const int is_cut =
      p->job->collective == BOOT_REDUCE_SCATTER || p->job->collective == BOOT_ALLGATHER;
  const uint32_t chunks = is_cut ? p->ranks : 1;
  uint32_t count = 0;
  for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
    count += pieces_of(share_of(p, chunk_of(p->job->elements, chunks, chunk)));
  }
  return count;
}

/* Whoever is alone gets its own data: an instruction has a destination. */
static uint64_t others(uint64_t all, uint64_t own) {
  return all == own ? own : all & ~own;
}

static enum status push_share(struct pusher* p) {
  const struct boot_job* job = p->job;
  const uint8_t* const member = p->scin->member + p->first;
  const uint32_t ranks = p->ranks;
  const uint64_t all = scin_members(p->scin, p->first, ranks);
  const struct range whole = {0, job->elements};
  p->left = instructions(p);
  p->is_first = 1;
  if (job->root >= ranks) return STATUS_BAD_JOB;
  const uint64_t root = UINT64_C(1) << member[job->root];
  switch (job->collective) {
    case BOOT_ALLREDUCE:
    case BOOT_BARRIER:
      push(p, whole, all, all);
      break;
    case BOOT_REDUCE:
      push(p, whole, all, root);
      break;
    case BOOT_BROADCAST:
      push(p, whole, root, others(all, root));
      break;
    case BOOT_REDUCE_SCATTER:
      for (uint32_t rank = 0; rank < ranks; ++rank) {
        push(p, chunk_of(job->elements, ranks, rank), all, UINT64_C(1) << member[rank]);
      }
      break;
    case BOOT_ALLGATHER:
      for (uint32_t rank = 0; rank < ranks; ++rank) {
        const uint64_t own = UINT64_C(1) << member[rank];
        push(p, chunk_of(job->elements, ranks, rank), own, others(all, own));
      }
      break;
    default:
      return STATUS_UNSUPPORTED;
  }
  return STATUS_OK;
}

/* Of the planes whose bit is set. */
static enum status push_to(const struct scin* scin, const struct boot_block* boot,
                           const struct boot_job* job, uint32_t planes) {
  enum status status = STATUS_OK;
  const uint32_t groups = scin_groups(job), shares = scin->planes * scin_streams(job);
  struct pusher pusher = {scin, boot, job, 0, boot->ranks / groups, 0, 0, 0, 0, 0};
  for (uint32_t group = 0; group < groups; ++group) {
    pusher.first = group * pusher.ranks;
    for (uint32_t share = 0; share < shares && status == STATUS_OK; ++share) {
      const struct scin_place place = scin_place_of(scin, job, group, share);
      if ((planes >> place.plane & 1) == 0) continue;
      pusher.share = share;
      pusher.registers = scin->registers[place.plane];
      pusher.stream = place.stream;
      status = push_share(&pusher);
    }
  }
  return status;
}

enum status scin_push(const struct scin* scin, const struct boot_block* boot,
                      const struct boot_job* job) {
  return push_to(scin, boot, job, UINT32_MAX);
}

enum status scin_push_plane(const struct scin* scin, const struct boot_block* boot,
                            const struct boot_job* job, uint32_t plane) {
  return push_to(scin, boot, job, UINT32_C(1) << plane);
}

enum status scin_check(const struct scin* scin) {
  enum status status = STATUS_OK;
  const uint32_t streams = scin->groups * scin->streams;
  for (uint32_t plane = 0; plane < scin->planes; ++plane) {
    for (uint32_t stream = 0; stream < streams; ++stream) {
      const enum status of_stream = isa_check(scin->registers[plane], scin->first_stream + stream);
      if (status == STATUS_OK) status = of_stream;
    }
  }
  for (uint32_t plane = 0; status != STATUS_OK && plane < scin->planes; ++plane) {
    for (uint32_t stream = 0; stream < streams; ++stream) {
      isa_reset(scin->registers[plane], scin->first_stream + stream);
    }
  }
  return status;
}
