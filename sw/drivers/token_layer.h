/* What a token hub is told of a mixture-of-experts layer: one descriptor in memory, which the hub
 * reads when its `start` register is written. Little-endian, natural alignment, no padding. All
 * addresses are absolute. Experts and tokens are numbered through over all GPUs.
 */
#ifndef HEDDLE_TOKEN_LAYER_H
#define HEDDLE_TOKEN_LAYER_H

#include <stdint.h>

/* Who copies and adds vectors. */
enum token_traffic { TOKEN_MULTICAST = 0, TOKEN_COPIES = 1, TOKEN_EVERYBODY = 2 };
/* Bits of token_layer.stages: the step waits until the one before is done with all tokens. */
#define TOKEN_STAGE_GEMM1 UINT32_C(1)
#define TOKEN_STAGE_GEMM2 UINT32_C(2)
#define TOKEN_STAGE_COMBINE UINT32_C(4)
/* Blocks of a GPU's experts, in all chunks together, where a switch copies and adds: firmware
 * counts the tokens of each. */
enum { TOKEN_MOST_BLOCKS = 512 };
/* Who plays the groups of the persistent kernel: the hub, or firmware, by commands of dynamic
 * multimem (drivers/dymultimem.h). Firmware does so where the switch copies and adds all tokens in
 * one chunk, without attention. */
enum token_groups { TOKEN_GROUPS_HUB = 0, TOKEN_GROUPS_FIRMWARE = 1 };
/* What an expert computes of real vectors: y = gate * x, or y = gate * (x W1) W2. */
enum token_numerics { TOKEN_SCALE = 0, TOKEN_GEMM = 1 };

struct token_layer {
  uint32_t gpus;
  uint32_t number; /* of this GPU */
  uint32_t experts_per_gpu;
  uint32_t tokens; /* of each GPU */
  uint32_t topk;   /* most experts of a token */
  uint32_t tile;   /* tokens of a row */
  uint32_t hidden; /* elements of a vector, BF16 */
  uint32_t ffn;    /* elements between the GEMMs of an expert */
  uint32_t traffic;
  uint32_t stages;
  uint32_t chunks; /* of the tokens, one after another through all steps; divides tokens */
  uint16_t numerics;
  uint8_t gemm1_matrices; /* 1; 2 where a gate is multiplied, too: not with TOKEN_GEMM */
  uint8_t dispatch_bytes; /* of an element on its way to experts: 2, or 1 without real vectors */
  uint32_t dispatch_sms;  /* of the GPU; those of the two GEMMs help each other */
  uint32_t gemm1_sms;
  uint32_t gemm2_sms;
  uint32_t combine_sms;
  uint32_t parts;    /* of the tokens, and of the chunks: 1, or 2, each through all steps */
  uint32_t backward; /* bit p: part p is a backward pass, whose GEMMs have twice the operations */
  uint32_t overlaps; /* 0: part 1 begins when part 0 is over; 1: they do not wait for each other */
  uint32_t attention_sms; /* alone, with nothing beside it; 0: attention shares the SMs of GEMMs */
  uint32_t groups;
  uint32_t command_entries; /* of the ring, a power of two; TOKEN_GROUPS_FIRMWARE */
  uint64_t range;      /* first address of the multimem range: token t begins at t * vector bytes */
  uint64_t lists;      /* of own tokens: uint16_t count, then topk experts, each */
  uint64_t counts;     /* uint32_t nactive[chunks][experts_per_gpu]: tokens that own experts get */
  uint64_t inputs;     /* vectors of own tokens, as they are dispatched */
  uint64_t experts_in; /* blocks of own experts, one behind the other: what they get */
  uint64_t experts_out;     /* the same: what they return */
  uint64_t results;         /* of own tokens */
  uint64_t gates;           /* float[experts_per_gpu][gpus * tokens]: factors of own experts */
  uint64_t weights;         /* of own experts, BF16: W1[hidden][ffn], W2[ffn][hidden]; TOKEN_GEMM */
  uint64_t gathered;        /* room for vectors of all tokens; TOKEN_EVERYBODY */
  uint64_t list_counts;     /* uint16_t[tokens], the counts alone; TOKEN_GROUPS_FIRMWARE */
  uint64_t commands;        /* room for the ring; TOKEN_GROUPS_FIRMWARE */
  uint64_t attention_flops; /* before a forward part; twice as many after a backward one; 0: none */
  uint64_t attention_bytes; /* of HBM, that attention reads; likewise */
};

#ifdef __cplusplus
static_assert(sizeof(struct token_layer) == 200, "a layer has no padding");
#else
_Static_assert(sizeof(struct token_layer) == 200, "a layer has no padding");
#endif

/* Bytes from the list of a token to that of the next. */
static inline uint64_t token_list_bytes(const struct token_layer* layer) {
  return 2u * (UINT64_C(1) + layer->topk);
}

#endif
