// Real vectors: what GEMM-1 reads of memory when it begins, and what GEMM-2 leaves there.
#include "models/gpu/hub/expert_math.hpp"
#include "models/gpu/hub/token_hub.hpp"

namespace heddle {

void token_hub::read_row(std::uint32_t row) {
  const std::uint32_t block = tracker_.block_of(row);
  std::vector<std::byte>& vectors = rows_at_work_[row];
  vectors.resize(tracker_.tokens_of(row).size() * bsize(token_stage::dispatch));
  const std::uint64_t from = vector_at(token_stage::dispatch, block, tracker_.first_place(row));
  if (!debug(tlm::TLM_READ_COMMAND, from, vectors.data(), vectors.size())) {
    rows_at_work_.erase(row);
    return;
  }
  if (!row_read_) return;
  const std::uint32_t expert = first_expert() + block % layer_.experts_per_gpu;
  row_read_({expert, &tracker_.tokens_of(row), vectors.data()});
}

// False: memory has refused something of it, and its tokens may not go back.
bool token_hub::write_row(std::uint32_t row) {
  const auto read = rows_at_work_.find(row);
  if (read == rows_at_work_.end()) return false;
  const std::vector<std::byte> inputs = std::move(read->second);
  rows_at_work_.erase(read);
  const std::uint32_t block = tracker_.block_of(row);
  const std::uint32_t expert = block % layer_.experts_per_gpu;
  const std::vector<std::uint32_t>& tokens = tracker_.tokens_of(row);
  std::vector<std::byte> weights, outputs(inputs.size());
  const std::uint64_t matrix = 2ULL * layer_.hidden * layer_.ffn;
  if (layer_.numerics == TOKEN_GEMM) {
    weights.resize(2 * matrix);
    const std::uint64_t from = layer_.weights + expert * 2 * matrix;
    if (!debug(tlm::TLM_READ_COMMAND, from, weights.data(), weights.size())) return false;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    float gate = 0;
    const std::uint64_t gate_number = std::uint64_t{expert} * all_tokens() + tokens[i];
    const std::uint64_t from = layer_.gates + gate_number * sizeof gate;
    if (!debug(tlm::TLM_READ_COMMAND, from, &gate, sizeof gate)) return false;
    const std::byte* x = inputs.data() + i * bsize(token_stage::dispatch);
    std::byte* y = outputs.data() + i * bsize(token_stage::combine);
    if (layer_.numerics == TOKEN_GEMM)
      multiply_vector(x, {weights.data(), weights.data() + matrix}, gate, layer_.hidden, layer_.ffn,
                      y);
    else
      scale_vector(x, gate, layer_.hidden, y);
  }
  const std::uint64_t to = vector_at(token_stage::combine, block, tracker_.first_place(row));
  return debug(tlm::TLM_WRITE_COMMAND, to, outputs.data(), outputs.size());
}

}  // namespace heddle
