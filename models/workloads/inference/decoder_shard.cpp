#include "models/workloads/inference/decoder_shard.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "platform/tensor/convert.hpp"

namespace heddle {
namespace {

// Rounds the values as a kernel does that writes them to memory.
template <class Real>
void write(std::vector<Real>& values) {
  if constexpr (std::is_same_v<Real, float>) {
    std::vector<std::byte> bytes(values.size() * size_of(dtype::fp16));
    narrow(dtype::fp16, values.data(), bytes.data(), values.size());
    widen(dtype::fp16, bytes.data(), values.data(), values.size());
  }
}

}  // namespace

template <class Real>
decoder_shard<Real>::decoder_shard(const decoder_weights& weights, std::uint64_t rank,
                                   std::uint64_t ranks, std::uint64_t batch)
    : weights_(weights),
      model_(weights.model),
      rank_(rank),
      ranks_(ranks),
      batch_(batch),
      caches_(weights.model.layers) {}

template <class Real>
void decoder_shard<Real>::begin(const std::vector<std::uint32_t>& tokens) {
  tokens_ = tokens.size() / batch_;
  context_ += tokens_;
  residual_.clear();
  for (const std::uint32_t each : tokens) {
    const float* const vector = weights_.embedding.data() + each * model_.hidden;
    residual_.insert(residual_.end(), vector, vector + model_.hidden);
  }
}

template <class Real>
std::vector<Real> decoder_shard<Real>::normalized(const std::vector<float>& gains) const {
  constexpr Real epsilon = static_cast<Real>(1e-5);
  std::vector<Real> result(residual_.size());
  for (std::size_t row = 0; row < rows(); ++row) {
    const Real* const x = residual_.data() + row * model_.hidden;
    Real squares = 0;
    for (std::size_t i = 0; i < model_.hidden; ++i) squares += x[i] * x[i];
    const Real scale = 1 / std::sqrt(squares / static_cast<Real>(model_.hidden) + epsilon);
    for (std::size_t i = 0; i < model_.hidden; ++i)
      result[row * model_.hidden + i] = x[i] * scale * static_cast<Real>(gains[i]);
  }
  write(result);
  return result;
}

// Own columns of a matrix; own inputs, the first of which belongs to row `first_rows.begin`.
template <class Real>
std::vector<Real> decoder_shard<Real>::multiplied(const std::vector<Real>& vectors,
                                                  std::size_t inputs, const weight_matrix& by,
                                                  std::size_t outputs, part columns,
                                                  part first_rows) const {
  const std::size_t count = vectors.size() / inputs;
  std::vector<Real> result(count * columns.size);
  for (std::size_t row = 0; row < count; ++row)
    for (std::size_t k = 0; k < inputs; ++k) {
      const Real x = vectors[row * inputs + k];
      const float* const w = by.data() + (first_rows.begin + k) * outputs + columns.begin;
      Real* const y = result.data() + row * columns.size;
      for (std::size_t n = 0; n < columns.size; ++n) y[n] += x * static_cast<Real>(w[n]);
    }
  write(result);
  return result;
}

// Rotary positions: halves of a head are the parts of complex numbers.
template <class Real>
void decoder_shard<Real>::rotate(std::vector<Real>& vectors, std::size_t width) const {
  const std::size_t head = model_.head_size(), half = head / 2;
  constexpr double base = 10'000;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto position = static_cast<double>(context_ - tokens_ + row % tokens_);
    for (std::size_t first = 0; first < width; first += head)
      for (std::size_t i = 0; i < half; ++i) {
        const double exponent = 2 * static_cast<double>(i) / static_cast<double>(head);
        const double angle = position * std::pow(base, -exponent);
        const Real cosine = static_cast<Real>(std::cos(angle));
        const Real sine = static_cast<Real>(std::sin(angle));
        Real& a = vectors[row * width + first + i];
        Real& b = vectors[row * width + first + half + i];
        const Real turned = a * cosine - b * sine;
        b = a * sine + b * cosine;
        a = turned;
      }
  }
  write(vectors);
}

template <class Real>
std::vector<Real> decoder_shard<Real>::attention(std::size_t layer) {
  const layer_weights& weights = weights_.layers[layer];
  const std::size_t hidden = model_.hidden, head = model_.head_size();
  const part own{rank_ * hidden / ranks_, hidden / ranks_};
  const part own_kv{rank_ * model_.kv_size() / ranks_, own_keys()};
  const part all_inputs{0, hidden};
  const std::vector<Real> input = normalized(weights.input_norm);
  std::vector<Real> query = multiplied(input, hidden, weights.query, hidden, own, all_inputs);
  std::vector<Real> key =
      multiplied(input, hidden, weights.key, model_.kv_size(), own_kv, all_inputs);
  const std::vector<Real> value =
      multiplied(input, hidden, weights.value, model_.kv_size(), own_kv, all_inputs);
  rotate(query, own.size);
  rotate(key, own_kv.size);
  remember(caches_[layer], key, value);
  std::vector<Real> mixed(rows() * own.size);
  for (std::size_t row = 0; row < rows(); ++row)
    for (std::size_t h = 0; h < own.size / head; ++h) {
      const std::size_t at = row * own.size + h * head;
      attend(caches_[layer], row, h, query.data() + at, mixed.data() + at);
    }
  write(mixed);
  return multiplied(mixed, own.size, weights.output, hidden, {0, hidden}, own);
}

// Keys and values of the new tokens, behind those of the tokens before.
template <class Real>
void decoder_shard<Real>::remember(cache& known, const std::vector<Real>& keys,
                                   const std::vector<Real>& values) const {
  const std::size_t width = own_keys(), before = context_ - tokens_;
  known.keys.resize(context_ * batch_ * width);
  known.values.resize(context_ * batch_ * width);
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::size_t at = ((before + row % tokens_) * batch_ + row / tokens_) * width;
    std::copy_n(keys.data() + row * width, width, known.keys.data() + at);
    std::copy_n(values.data() + row * width, width, known.values.data() + at);
  }
}

// One head of one token: the values of all tokens up to it, weighted with the softmax of how its
// query meets their keys.
template <class Real>
void decoder_shard<Real>::attend(const cache& known, std::size_t row, std::size_t head_number,
                                 const Real* query, Real* mixed) const {
  const std::size_t head = model_.head_size();
  const std::size_t sharing = model_.heads / model_.kv_heads;  // heads with the same keys
  const Real scale = 1 / std::sqrt(static_cast<Real>(head));
  const std::size_t seen = context_ - tokens_ + row % tokens_ + 1;
  const auto place = [&](std::size_t position) {
    return (position * batch_ + row / tokens_) * own_keys() + head_number / sharing * head;
  };
  std::vector<Real> weight(seen);
  for (std::size_t position = 0; position < seen; ++position)
    for (std::size_t i = 0; i < head; ++i)
      weight[position] += query[i] * known.keys[place(position) + i] * scale;
  const Real largest = *std::max_element(weight.begin(), weight.end());
  Real sum = 0;
  for (Real& each : weight) sum += each = std::exp(each - largest);
  for (std::size_t position = 0; position < seen; ++position)
    for (std::size_t i = 0; i < head; ++i)
      mixed[i] += weight[position] / sum * known.values[place(position) + i];
}

template <class Real>
std::vector<Real> decoder_shard<Real>::mlp(std::size_t layer) {
  const layer_weights& weights = weights_.layers[layer];
  const std::size_t hidden = model_.hidden, wide = model_.intermediate;
  const part own{rank_ * wide / ranks_, wide / ranks_};
  const std::vector<Real> input = normalized(weights.post_norm);
  std::vector<Real> gate = multiplied(input, hidden, weights.gate, wide, own, {0, hidden});
  const std::vector<Real> up = multiplied(input, hidden, weights.up, wide, own, {0, hidden});
  for (std::size_t i = 0; i < gate.size(); ++i)
    gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];  // SiLU
  write(gate);
  return multiplied(gate, own.size, weights.down, hidden, {0, hidden}, own);
}

template <class Real>
void decoder_shard<Real>::add(const std::vector<Real>& sum) {
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] += sum[i];
  write(residual_);
}

template <class Real>
std::vector<Real> decoder_shard<Real>::logits() const {
  const std::size_t hidden = model_.hidden;
  const std::vector<Real> all = normalized(weights_.final_norm);
  std::vector<Real> last;
  for (std::size_t sequence = 0; sequence < batch_; ++sequence) {
    const Real* const vector = all.data() + ((sequence + 1) * tokens_ - 1) * hidden;
    last.insert(last.end(), vector, vector + hidden);
  }
  const std::size_t own = model_.vocabulary / ranks_;
  return multiplied(last, hidden, weights_.head, model_.vocabulary, {rank_ * own, own},
                    {0, hidden});
}

template class decoder_shard<float>;
template class decoder_shard<double>;

}  // namespace heddle
