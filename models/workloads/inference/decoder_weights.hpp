// Weights of a small model with real numbers: seeded, FP16, row by row as [inputs][outputs],
// widened to FP32. Each matrix is scaled so that it keeps the size of vectors, as trained ones
// about do.
#pragma once

#include <cstdint>
#include <vector>

#include "models/workloads/inference/decoder_model.hpp"

namespace heddle {

using weight_matrix = std::vector<float>;

struct layer_weights {
  weight_matrix query, key, value, output;  // of all heads
  weight_matrix gate, up, down;
  std::vector<float> input_norm, post_norm;  // gains
};

struct decoder_weights {
  decoder_weights(const decoder_model& of, std::uint64_t seed);

  decoder_model model;
  std::vector<layer_weights> layers;
  weight_matrix embedding;  // [vocabulary][hidden]
  weight_matrix head;       // [hidden][vocabulary]
  std::vector<float> final_norm;
};

// Tokens of all sequences, [batch][tokens], seeded: of the prompts, then of each step that decodes.
std::vector<std::uint32_t> draw_tokens(const decoder_model& model, std::uint64_t seed,
                                       std::uint64_t batch, std::uint64_t tokens,
                                       std::uint64_t step);

}  // namespace heddle
