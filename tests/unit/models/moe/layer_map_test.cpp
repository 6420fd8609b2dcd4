// Numbers that follow from the descriptor of a mixture-of-experts layer.
#include <catch2/catch.hpp>

#include "models/gpu/hub/layer_map.hpp"

using namespace heddle;

namespace {

// The second of two GPUs, with three experts; eight tokens each, in four chunks of two parts.
layer_map second_gpu() {
  layer_map layer;
  layer.gpus = 2;
  layer.number = 1;
  layer.experts_per_gpu = 3;
  layer.tokens = 8;
  layer.chunks = 4;
  layer.parts = 2;
  layer.hidden = 16;
  layer.dispatch_bytes = 1;
  layer.experts_in = 1000;
  layer.experts_out = 5000;
  layer.block_tokens = {2, 0, 1, 4, 0, 0, 1, 1, 1, 0, 0, 3};
  layer.place_blocks();
  return layer;
}

}  // namespace

TEST_CASE("tokens and experts are numbered over all GPUs, chunks and parts by own tokens") {
  const layer_map layer = second_gpu();
  CHECK(layer.all_tokens() == 16);
  CHECK(layer.first_token() == 8);
  CHECK(layer.first_expert() == 3);
  CHECK(layer.gpu_of_token(7) == 0);
  CHECK(layer.gpu_of_expert(5) == 1);
  CHECK(layer.chunk_of(3) == 1);
  CHECK(layer.chunk_of(8 + 3) == 1);  // the same, whoever's token it is
  CHECK(layer.part_of_token(3) == 0);
  CHECK(layer.part_of_token(4) == 1);
}

TEST_CASE("an expert has a block for each chunk, and blocks lie one behind the other") {
  const layer_map layer = second_gpu();
  const std::uint32_t block = layer.block_of(4, 3);
  CHECK(block == 4);
  CHECK(layer.expert_of_block(block) == 1);
  CHECK(layer.chunk_of_block(block) == 1);
  CHECK(layer.part_of_block(block) == 0);
  CHECK(layer.part_of_block(6) == 1);
  CHECK(layer.block_of(2, 3) == UINT32_MAX);  // an expert of the other GPU
  CHECK(layer.block_of(6, 3) == UINT32_MAX);
  CHECK(layer.bsize(token_stage::dispatch) == 16);
  CHECK(layer.bsize(token_stage::combine) == 32);
  CHECK(layer.vector_at(token_stage::dispatch, 3, 2) == 1000 + (3 + 2) * 16);
  CHECK(layer.vector_at(token_stage::combine, 11, 0) == 5000 + 10 * 32);
}

TEST_CASE("of a layer that was refused all numbers are 0") {
  layer_map layer = second_gpu();
  layer.clear();
  CHECK(layer.all_tokens() == 0);
  CHECK(layer.bsize(token_stage::combine) == 0);
}
