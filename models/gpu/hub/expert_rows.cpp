#include "models/gpu/hub/expert_rows.hpp"

#include <utility>

#include "models/gpu/hub/expert_math.hpp"

namespace heddle {

void expert_rows::read(std::uint32_t row) {
  const std::uint32_t block = tracker_.block_of(row);
  std::vector<std::byte>& vectors = at_work_[row];
  vectors.resize(tracker_.tokens_of(row).size() * layer_.bsize(token_stage::dispatch));
  const std::uint64_t from =
      layer_.vector_at(token_stage::dispatch, block, tracker_.first_place(row));
  if (!memory_.debug(tlm::TLM_READ_COMMAND, from, vectors.data(), vectors.size())) {
    at_work_.erase(row);
    return;
  }
  if (!told_) return;
  const std::uint32_t expert = layer_.first_expert() + layer_.expert_of_block(block);
  told_({expert, &tracker_.tokens_of(row), vectors.data()});
}

bool expert_rows::write(std::uint32_t row) {
  const auto read = at_work_.find(row);
  if (read == at_work_.end()) return false;
  const std::vector<std::byte> inputs = std::move(read->second);
  at_work_.erase(read);
  std::vector<std::byte> outputs(inputs.size());
  if (!multiply(row, inputs, outputs)) return false;
  const std::uint64_t to =
      layer_.vector_at(token_stage::combine, tracker_.block_of(row), tracker_.first_place(row));
  return memory_.debug(tlm::TLM_WRITE_COMMAND, to, outputs.data(), outputs.size());
}

// False: memory has refused weights or factors.
bool expert_rows::multiply(std::uint32_t row, const std::vector<std::byte>& inputs,
                           std::vector<std::byte>& outputs) {
  const std::uint32_t expert = layer_.expert_of_block(tracker_.block_of(row));
  const std::vector<std::uint32_t>& tokens = tracker_.tokens_of(row);
  const bool has_weights = layer_.numerics == TOKEN_GEMM;
  const std::uint64_t matrix = 2ULL * layer_.hidden * layer_.ffn;
  std::vector<std::byte> weights;
  if (has_weights) {
    weights.resize(2 * matrix);
    const std::uint64_t from = layer_.weights + expert * 2 * matrix;
    if (!memory_.debug(tlm::TLM_READ_COMMAND, from, weights.data(), weights.size())) return false;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    float gate = 0;
    const std::uint64_t gate_number = std::uint64_t{expert} * layer_.all_tokens() + tokens[i];
    const std::uint64_t from = layer_.gates + gate_number * sizeof gate;
    if (!memory_.debug(tlm::TLM_READ_COMMAND, from, &gate, sizeof gate)) return false;
    const std::byte* x = inputs.data() + i * layer_.bsize(token_stage::dispatch);
    std::byte* y = outputs.data() + i * layer_.bsize(token_stage::combine);
    if (has_weights)
      multiply_vector(x, {weights.data(), weights.data() + matrix}, gate, layer_.hidden, layer_.ffn,
                      y);
    else
      scale_vector(x, gate, layer_.hidden, y);
  }
  return true;
}

}  // namespace heddle
