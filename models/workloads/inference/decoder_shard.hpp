// What one of several ranks computes of a small model with real numbers: its heads of attention
// with their cache, and its part of the MLP. Partial sums of a layer's halves are handed out, their
// sums over all ranks handed in.
//
// `Real` is float for a rank, which rounds what each kernel writes to FP16 and adds in FP32; with
// double, and as the only rank, nothing is rounded: the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/workloads/inference/decoder_weights.hpp"

namespace heddle {

template <class Real>
class decoder_shard {
 public:
  // The weights outlive it.
  decoder_shard(const decoder_weights& weights, std::uint64_t rank, std::uint64_t ranks,
                std::uint64_t batch);

  // A step with new tokens of each sequence, [batch][tokens].
  void begin(const std::vector<std::uint32_t>& tokens);
  // Partial sums of the halves of a layer, [batch][tokens][hidden].
  std::vector<Real> attention(std::size_t layer);
  std::vector<Real> mlp(std::size_t layer);
  // The sum over all ranks, onto the residual.
  void add(const std::vector<Real>& sum);
  // Of the last token of each sequence: own part of the vocabulary, [batch][vocabulary / ranks].
  std::vector<Real> logits() const;
  const std::vector<Real>& residual() const { return residual_; }

 private:
  struct cache {
    std::vector<Real> keys, values;  // [position][batch][own keys]
  };
  struct part {
    std::size_t begin, size;  // own columns, or rows
  };
  std::size_t rows() const { return batch_ * tokens_; }
  std::vector<Real> normalized(const std::vector<float>& gains) const;
  std::vector<Real> multiplied(const std::vector<Real>& vectors, std::size_t inputs,
                               const weight_matrix& by, std::size_t outputs, part columns,
                               part first_rows) const;
  void rotate(std::vector<Real>& vectors, std::size_t width) const;
  std::size_t own_keys() const { return model_.kv_size() / ranks_; }
  void remember(cache& known, const std::vector<Real>& keys, const std::vector<Real>& values) const;
  void attend(const cache& known, std::size_t row, std::size_t head_number, const Real* query,
              Real* mixed) const;

  const decoder_weights& weights_;
  const decoder_model& model_;
  const std::size_t rank_, ranks_, batch_;
  std::size_t tokens_ = 0, context_ = 0;
  std::vector<Real> residual_;
  std::vector<cache> caches_;  // by layer
};

extern template class decoder_shard<float>;
extern template class decoder_shard<double>;

}  // namespace heddle
