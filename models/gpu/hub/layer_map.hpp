// The layer at hand: its descriptor, and what follows from it. It says to which GPU, chunk, part
// and block a token or an expert belongs, how long vectors are, and where they lie.
//
// Own experts have a block of places for each chunk of the tokens. Blocks are numbered chunk by
// chunk, and lie one behind the other in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/drivers/token_layer.h"
#include "transactors/tokens/token_packets.hpp"

namespace heddle {

struct layer_map : token_layer {
  layer_map() : token_layer{} {}

  std::vector<std::uint32_t> block_tokens;  // by block: tokens that it gets
  std::vector<std::uint64_t> first_place;   // by block: places of all blocks before it

  // All zeros before the first layer, and after one that was refused.
  void clear() { static_cast<token_layer&>(*this) = {}; }

  // Bytes of a vector on its way to experts or back.
  std::uint64_t bsize(token_stage stage) const {
    constexpr std::uint64_t bytes_of_bf16 = 2;
    const bool is_dispatch = stage == token_stage::dispatch;
    return (is_dispatch ? dispatch_bytes : bytes_of_bf16) * hidden;
  }

  // Tokens.
  std::uint32_t all_tokens() const { return gpus * tokens; }
  std::uint32_t first_token() const { return number * tokens; }
  std::uint32_t gpu_of_token(std::uint32_t token) const { return token / tokens; }
  std::uint32_t tokens_of_chunk() const { return tokens / chunks; }
  std::uint32_t chunk_of(std::uint32_t token) const { return token % tokens / tokens_of_chunk(); }
  std::uint32_t part_of_token(std::uint32_t own) const { return own / (tokens / parts); }

  // Experts.
  std::uint32_t first_expert() const { return number * experts_per_gpu; }
  std::uint32_t gpu_of_expert(std::uint32_t expert) const { return expert / experts_per_gpu; }

  // Blocks. The layout manager refuses the number that stands for experts of other GPUs.
  std::uint32_t block_of(std::uint32_t expert, std::uint32_t token) const {
    const std::uint32_t own = expert - first_expert();
    if (own >= experts_per_gpu) return UINT32_MAX;
    return chunk_of(token) * experts_per_gpu + own;
  }
  std::uint32_t expert_of_block(std::uint32_t block) const { return block % experts_per_gpu; }
  std::uint32_t chunk_of_block(std::uint32_t block) const { return block / experts_per_gpu; }
  std::uint32_t part_of_block(std::uint32_t block) const {
    return chunk_of_block(block) / (chunks / parts);
  }
  std::uint64_t vector_at(token_stage stage, std::uint32_t block, std::uint32_t place) const {
    const bool is_dispatch = stage == token_stage::dispatch;
    return (is_dispatch ? experts_in : experts_out) + (first_place[block] + place) * bsize(stage);
  }
  void place_blocks() {
    first_place.clear();
    std::uint64_t places = 0;
    for (const std::uint32_t each : block_tokens) {
      first_place.push_back(places);
      places += each;
    }
  }

  // Steps.
  bool is_backward(std::uint32_t part) const { return (backward >> part & 1) != 0; }
  bool has_attention() const { return attention_flops != 0; }
  bool waits_for_stage(std::uint32_t bit) const { return (stages & bit) != 0; }
};

}  // namespace heddle
