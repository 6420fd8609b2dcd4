#include "models/gpu/hub/row_return.hpp"

#include "models/gpu/hub/token_combine.hpp"
#include "models/gpu/hub/token_notices.hpp"
#include "models/gpu/hub/vector_mover.hpp"

namespace heddle {

void row_return::configure() {
  pending_.assign(layer_.traffic == TOKEN_COPIES ? layer_.all_tokens() : 0, 0);
}

void row_return::release(std::uint32_t row) {
  layer_.traffic == TOKEN_COPIES ? return_parts(row) : tell_sources(row);
}

void row_return::return_parts(std::uint32_t row) {
  for (const std::uint32_t token : tracker_.tokens_of(row))
    if (--pending_[token] == 0) combine_.part_ready(token);
  mover_.pump();
}

void row_return::tell_sources(std::uint32_t row) {
  std::vector<std::vector<std::uint16_t>> of_gpu(layer_.gpus);
  for (const std::uint32_t token : tracker_.tokens_of(row))
    of_gpu[layer_.gpu_of_token(token)].push_back(static_cast<std::uint16_t>(token % layer_.tokens));
  for (std::uint32_t i = 0; i < layer_.gpus; ++i) {
    const std::uint32_t gpu = (layer_.number + i) % layer_.gpus;
    if (gpu != layer_.number)
      notices_.tell(gpu, of_gpu[gpu], row);
    else
      for (const std::uint16_t own : of_gpu[gpu]) combine_.expert_done(own, peers_.own());
  }
}

}  // namespace heddle
