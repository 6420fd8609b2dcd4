// Thread blocks of attention on one GPU, as FlashAttention-2 and FlashDecoding have them (Dao et
// al. 2023). A block holds a tile of query rows and passes over keys and values in tiles of 64;
// heads that share keys are rows of one tile. Several blocks may split the keys of a tile of rows:
// each then writes a partial result, which is read once more. Tiles and splits are chosen as those
// of a GEMM are, by which the kernel ends first.
//
// Tiles of keys that a causal mask hides are left out, so that the blocks of a prompt are uneven:
// waves of blocks take the average time, and no kernel ends before its longest block.
#pragma once

#include <cstdint>

#include "models/gpu/kernels/kernel_rates.hpp"

namespace heddle {

// Each of `batch` sequences has `tokens` new tokens, the last of which sees `context` tokens.
struct attention_shape {
  std::uint64_t batch = 1, tokens = 1, context = 1;
  std::uint64_t heads = 1, kv_heads = 1;  // of this GPU
  std::uint64_t head_size = 1;            // elements, FP16
};

// The kernel, whose bytes from and to HBM are known, with the thread blocks that end first.
kernel_descriptor with_attention_blocks(kernel_descriptor kernel, const attention_shape& shape,
                                        const kernel_rates& rates);

}  // namespace heddle
