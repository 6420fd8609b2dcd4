// The kernels of a step of inference on one of the GPUs that share each layer: attention is sharded
// by heads, the MLP by its intermediate size (Megatron-LM; SCIN 2.1, 4.1). After the output
// projection and after the MLP's second GEMM each GPU has a partial sum of every token's vector,
// which an all-reduce adds: 2 b s h bytes in prefill, 2 b h in a decoding step (SCIN 2.1). Each GPU
// has the whole embedding and looks tokens up on its own, as TensorRT-LLM does by default (SCIN 2.1
// profiles it); Megatron-LM shards the embedding, too, and reduces once more. The LM head is
// sharded by the vocabulary.
//
// Counted for each kernel: multiply-adds, bytes from and to HBM (weights, operands, results, each
// once), thread blocks. Norms read the sum, add it to the residual, and write both; they run on
// every GPU on whole vectors. With FP8 the inputs of a layer's GEMMs are written in FP8 by the
// kernel before. Attention never writes its scores to memory (FlashAttention); causal attention of
// a prompt needs half of the products (attention_blocks.hpp has its thread blocks).
//
// A GEMM takes that tile and that number of splits along k, of those a library has, by which it
// ends first: thread blocks fill the SMs in waves, operands of a small tile are read more often
// from L2, and partial sums of splits go through L2.
//
// Limitations: quantizing for an all-reduce and back is part of the kernels beside it and takes no
// time of its own (SCIN 3.4 puts it there); GPUs gather neither logits nor tokens; padding of
// sequences, sampling and paging of the cache are left out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpu/kernels/kernel_rates.hpp"
#include "models/workloads/inference/decoder_model.hpp"
#include "sw/kernels/inference_plan.h"

namespace heddle {

struct decoder_kernel {
  std::string name;            // "qkv": as files of measured times have it, too
  std::uint64_t m = 0;         // rows: tokens
  std::uint64_t n = 0, k = 0;  // GEMM: columns, and terms of a sum; attention: context, and
                               // elements of all heads; others: columns, and 1
  weight_type type = weight_type::fp16;
  kernel_descriptor descriptor{};
};

// One forward pass of `batch` sequences: each has `tokens` new tokens and attends to `context`
// tokens, the new ones included.
struct decoder_step {
  std::uint64_t batch = 1, tokens = 1, context = 1;
  std::uint64_t rows() const { return batch * tokens; }
};

// What a rank does in the order of enum inference_list; those of a layer are the same in all
// layers.
using decoder_kernels = std::array<std::vector<decoder_kernel>, INFERENCE_LISTS>;

// Names of all kernels.
const std::vector<std::string>& decoder_kernel_names();

// The model can be sharded among the ranks, and the rates say which tiles are best.
decoder_kernels kernels_of(const decoder_model& model, const decoder_step& step, weight_type type,
                           std::uint64_t ranks, const kernel_rates& rates);

// Bytes of each of the two all-reduces of a layer.
inline std::uint64_t allreduce_bytes(const decoder_model& model, const decoder_step& step) {
  return 2 * step.rows() * model.hidden;
}

// Of one list, its kernels one after another.
fs_t time_of(const std::vector<decoder_kernel>& kernels, const kernel_rates& rates);

}  // namespace heddle
