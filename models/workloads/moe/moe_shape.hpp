// The sizes of one mixture-of-experts layer on a number of GPUs, and those of published models.
// Experts are numbered through; GPU g has experts [g * experts_per_gpu, (g + 1) * experts_per_gpu).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct moe_shape {
  std::uint32_t gpus = 32;
  std::uint32_t experts = 256;  // a multiple of gpus
  std::uint32_t topk = 8;       // experts of a token
  std::uint32_t hidden = 7168;  // elements of a token's vector
  std::uint32_t ffn = 2048;     // hidden elements of an expert
  std::uint32_t tokens = 8192;  // of each GPU

  bool is_gated = false;        // GEMM-1 multiplies a gate, too: three matrices an expert
  bool dispatches_fp8 = false;  // vectors travel as FP8 to experts, otherwise as BF16

  std::uint32_t experts_per_gpu() const { return experts / gpus; }
  std::uint32_t matrices() const { return is_gated ? 3 : 2; }  // of an expert
  // Experts return BF16.
  std::uint64_t vector_bytes() const { return 2ULL * hidden; }
  std::uint64_t dispatched_bytes() const { return (dispatches_fp8 ? 1ULL : 2ULL) * hidden; }
};

// DySHARP Table I and VII-B. The table's sequence length is that of each GPU.
struct moe_model {
  std::string name;
  moe_shape shape;  // on 32 GPUs
};

const std::vector<moe_model>& moe_models();
std::vector<std::string> moe_model_names();
const moe_model* find_moe_model(const std::string& name);  // nullptr: there is none

}  // namespace heddle
