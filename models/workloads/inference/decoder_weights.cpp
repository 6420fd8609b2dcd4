#include "models/workloads/inference/decoder_weights.hpp"

#include <cmath>

#include "platform/random/split_mix.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/tensor/random.hpp"

namespace heddle {
namespace {

// Numbers all matrices through.
class weight_source {
 public:
  explicit weight_source(std::uint64_t seed) : seed_(seed) {}

  // Uniform numbers, rounded to FP16 behind the scaling.
  weight_matrix matrix(std::size_t inputs, std::size_t outputs) {
    const double deviation = std::sqrt(1.0 / 3);  // of numbers in [-1, 1)
    return numbers(inputs * outputs,
                   static_cast<float>(1 / (deviation * std::sqrt(static_cast<double>(inputs)))), 0);
  }
  std::vector<float> gains(std::size_t elements) { return numbers(elements, 0.25F, 1); }
  weight_matrix embedding(std::size_t tokens, std::size_t hidden) {
    return numbers(tokens * hidden, 1, 0);
  }

 private:
  std::vector<float> numbers(std::size_t elements, float scale, float offset) {
    std::vector<std::byte> bytes(elements * size_of(dtype::fp16));
    std::vector<float> values(elements);
    fill_uniform(dtype::fp16, bytes.data(), elements, seed_, next_++);
    widen(dtype::fp16, bytes.data(), values.data(), elements);
    for (float& each : values) each = each * scale + offset;
    narrow(dtype::fp16, values.data(), bytes.data(), elements);
    widen(dtype::fp16, bytes.data(), values.data(), elements);
    return values;
  }

  const std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

}  // namespace

decoder_weights::decoder_weights(const decoder_model& of, std::uint64_t seed) : model(of) {
  weight_source source(seed);
  embedding = source.embedding(of.vocabulary, of.hidden);
  for (std::uint64_t i = 0; i < of.layers; ++i) {
    layer_weights layer;
    layer.query = source.matrix(of.hidden, of.hidden);
    layer.key = source.matrix(of.hidden, of.kv_size());
    layer.value = source.matrix(of.hidden, of.kv_size());
    layer.output = source.matrix(of.hidden, of.hidden);
    layer.gate = source.matrix(of.hidden, of.intermediate);
    layer.up = source.matrix(of.hidden, of.intermediate);
    layer.down = source.matrix(of.intermediate, of.hidden);
    layer.input_norm = source.gains(of.hidden);
    layer.post_norm = source.gains(of.hidden);
    layers.push_back(std::move(layer));
  }
  head = source.matrix(of.hidden, of.vocabulary);
  final_norm = source.gains(of.hidden);
}

std::vector<std::uint32_t> draw_tokens(const decoder_model& model, std::uint64_t seed,
                                       std::uint64_t batch, std::uint64_t tokens,
                                       std::uint64_t step) {
  const std::uint64_t start = split_mix::start_of_stream(seed, step);
  std::vector<std::uint32_t> drawn(batch * tokens);
  for (std::size_t i = 0; i < drawn.size(); ++i)
    drawn[i] = static_cast<std::uint32_t>(split_mix::output(start, i) % model.vocabulary);
  return drawn;
}

}  // namespace heddle
