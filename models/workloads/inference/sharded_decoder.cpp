#include "models/workloads/inference/sharded_decoder.hpp"

#include <cmath>
#include <cstring>

#include "platform/random/split_mix.hpp"
#include "platform/tensor/convert.hpp"

namespace heddle {
namespace {

std::vector<std::byte> halves_of(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * size_of(dtype::fp16));
  narrow(dtype::fp16, values.data(), bytes.data(), values.size());
  return bytes;
}

void mix_in(std::uint64_t& digest, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  digest = split_mix::mix(digest + split_mix::golden_gamma + bits);
}

}  // namespace

sharded_decoder::sharded_decoder(const decoder_model& model, std::uint64_t seed,
                                 std::uint64_t ranks, std::uint64_t batch)
    : weights_(model, seed), seed_(seed), ranks_(ranks), batch_(batch), logits_(ranks) {
  restart();
}

void sharded_decoder::restart() {
  shards_.clear();
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    shards_.emplace_back(weights_, rank, ranks_, batch_);
  reference_.clear();
  reference_.emplace_back(weights_, 0, 1, batch_);
  quant_.reset();
}

void sharded_decoder::begin_step(std::uint64_t step, std::uint64_t tokens) {
  if (step == 0) restart();
  tokens_ = draw_tokens(weights_.model, seed_, batch_, tokens, step);
}

std::vector<std::byte> sharded_decoder::attention(std::size_t rank, std::size_t layer) {
  return halves_of(shards_[rank].attention(layer));
}

std::vector<std::byte> sharded_decoder::mlp(std::size_t rank, std::size_t layer) {
  return halves_of(shards_[rank].mlp(layer));
}

void sharded_decoder::add(std::size_t rank, const std::vector<std::byte>& sum) {
  std::vector<float> values(sum.size() / size_of(dtype::fp16));
  widen(dtype::fp16, sum.data(), values.data(), values.size());
  shards_[rank].add(values);
}

double sharded_decoder::bound() const {
  constexpr double unit_roundoff = 0x1p-11, carried_on = 2;
  constexpr double kernels_of_layer = 11, kernels_of_end = 2, peak_of_block = 4;
  const auto layers = static_cast<double>(weights_.model.layers);
  const auto ranks = static_cast<double>(ranks_);
  const double roundings = layers * (kernels_of_layer + 2 * (ranks - 1)) + kernels_of_end;
  const double half_step = quant_ ? peak_of_block / (2 * quant_->limit()) : 0;
  return carried_on * (roundings * unit_roundoff + 2 * layers * 2 * half_step);
}

sharded_decoder::judgment sharded_decoder::judge(const std::optional<quantization>& quant) {
  decoder_shard<double>& reference = reference_.front();
  reference.begin(tokens_);
  for (std::size_t layer = 0; layer < weights_.model.layers; ++layer) {
    reference.add(reference.attention(layer));
    reference.add(reference.mlp(layer));
  }
  const std::vector<double> exact = reference.logits();
  judgment found;
  if (quant) quant_ = quant;
  found.bound = bound();
  double error = 0, size = 0;
  const std::size_t vocabulary = exact.size() / batch_, own = vocabulary / ranks_;
  for (std::size_t sequence = 0; sequence < batch_; ++sequence)
    for (std::size_t i = 0; i < vocabulary; ++i) {
      const double wanted = exact[sequence * vocabulary + i];
      const float got = logits_[i / own][sequence * own + i % own];
      error += (got - wanted) * (got - wanted);
      size += wanted * wanted;
      mix_in(found.digest, got);
    }
  found.error = std::sqrt(error / size);
  found.ranks_agree = true;
  for (const decoder_shard<float>& each : shards_)
    found.ranks_agree &= each.residual() == shards_.front().residual();
  return found;
}

}  // namespace heddle
