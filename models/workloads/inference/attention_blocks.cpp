#include "models/workloads/inference/attention_blocks.hpp"

#include <algorithm>

#include "models/workloads/inference/fastest_kernel.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t keys_of_tile = 64;
constexpr std::uint64_t half = 2;  // bytes of FP16

// Blocks of one sequence and of one head of keys, and the tiles of keys that they pass over.
struct block_count {
  std::uint64_t blocks = 0;
  std::uint64_t tiles = 0;    // of all blocks
  std::uint64_t longest = 0;  // of one block
  bool is_split = false;
};

std::uint64_t sharing(const attention_shape& shape) {
  return shape.heads / shape.kv_heads;
}

block_count count_blocks(const attention_shape& shape, std::uint64_t tile_rows,
                         std::uint64_t splits) {
  const std::uint64_t before = shape.context - shape.tokens;
  const std::uint64_t row_tiles = parts(shape.tokens * sharing(shape), tile_rows);
  block_count count;
  for (std::uint64_t tile = 1; tile <= row_tiles; ++tile) {
    const std::uint64_t last_token = parts(tile * tile_rows, sharing(shape));
    const std::uint64_t tiles = parts(before + std::min(shape.tokens, last_token), keys_of_tile);
    count.blocks += std::min(splits, tiles);
    count.tiles += tiles;
    count.longest = parts(tiles, splits);  // later rows see more
    count.is_split = splits > 1 && tiles > 1;
  }
  return count;
}

}  // namespace

kernel_descriptor with_attention_blocks(kernel_descriptor kernel, const attention_shape& shape,
                                        const kernel_rates& rates) {
  const std::uint64_t head = shape.head_size;
  const std::uint64_t tile_keys = std::min(keys_of_tile, shape.context);
  fastest_kernel fastest(rates);
  for (const std::uint64_t tile_rows : {16, 32, 64, 128})
    for (const std::uint64_t splits : {1, 2, 4, 8, 16, 32, 64, 128}) {
      const block_count count = count_blocks(shape, tile_rows, splits);
      const std::uint64_t blocks = shape.batch * shape.kv_heads * count.blocks;
      if (blocks > UINT32_MAX) continue;
      kernel.blocks = static_cast<std::uint32_t>(blocks);
      const std::uint64_t waves = rates.waves(kernel);
      const auto per_block = [&](std::uint64_t of_tile) {
        return std::max(parts(count.tiles * of_tile, count.blocks),
                        parts(count.longest * of_tile, waves));
      };
      kernel.block_flops = per_block(4 * tile_rows * tile_keys * head);
      constexpr std::uint64_t written_and_read = 8;  // FP32
      const std::uint64_t rows = std::min(tile_rows, shape.tokens * sharing(shape));
      const std::uint64_t of_row = half + (count.is_split ? written_and_read : half);
      kernel.block_bytes = rows * head * of_row + per_block(2 * half * tile_keys * head);
      fastest.offer(kernel);
    }
  return fastest.chosen();
}

}  // namespace heddle
