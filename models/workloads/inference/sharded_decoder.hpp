// A small model with real numbers on all ranks, beside a float64 reference that runs the same steps
// alone. What crosses between ranks crosses in their simulated memories: partial sums of a layer's
// halves are FP16, or integers with scales where the all-reduces are quantized.
//
// Bound of the error: relative, in the Euclidean norm of all logits. Every kernel rounds what it
// writes to FP16, an all-reduce up to ranks - 1 times more; quantization loses at most half a step
// of each rank's operand and of the sum, where a step is the largest element of a block over 127 or
// 7, taken as four times the typical one. Errors add up over the layers as if none canceled, and
// count twice for what further layers make of them.
#pragma once

#include <optional>
#include <vector>

#include "models/workloads/inference/decoder_shard.hpp"
#include "platform/tensor/quantize.hpp"

namespace heddle {

class sharded_decoder {
 public:
  sharded_decoder(const decoder_model& model, std::uint64_t seed, std::uint64_t ranks,
                  std::uint64_t batch);

  // The next algorithm begins with the prompt again.
  void restart();
  // Step 0 is the prompt.
  void begin_step(std::uint64_t step, std::uint64_t tokens);

  // Of one rank, as its kernels run. FP16 bytes.
  void embed(std::size_t rank) { shards_[rank].begin(tokens_); }
  std::vector<std::byte> attention(std::size_t rank, std::size_t layer);
  std::vector<std::byte> mlp(std::size_t rank, std::size_t layer);
  void add(std::size_t rank, const std::vector<std::byte>& sum);
  void finish(std::size_t rank) { logits_[rank] = shards_[rank].logits(); }

  // At the end of a step, whose all-reduces were quantized so, if at all.
  struct judgment {
    double error = 0, bound = 0;  // of the logits
    bool ranks_agree = false;     // on every element of the residual
    std::uint64_t digest = 0;     // of the bits of all logits
  };
  judgment judge(const std::optional<quantization>& quant);

 private:
  double bound() const;

  const decoder_weights weights_;
  const std::uint64_t seed_, ranks_, batch_;
  std::vector<decoder_shard<float>> shards_;
  std::vector<decoder_shard<double>> reference_;  // one
  std::vector<std::uint32_t> tokens_;             // of the step
  std::vector<std::vector<float>> logits_;        // by rank
  std::optional<quantization> quant_;  // of any step since the prompt: the cache keeps its error
};

}  // namespace heddle
