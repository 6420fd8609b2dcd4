#include "models/workloads/moe/moe_layout.hpp"

#include "sw/drivers/dymultimem_command.h"

namespace heddle {

moe_layout moe_layout_of(const moe_shape& shape, std::uint32_t chunks, std::uint64_t places,
                         std::uint64_t first) {
  constexpr std::uint64_t alignment = 4096;
  const std::uint64_t all_tokens = std::uint64_t{shape.gpus} * shape.tokens;
  moe_layout layout;
  std::uint64_t next = first;
  const auto reserve = [&next](std::uint64_t bytes) {
    const std::uint64_t begin = next;
    next = (next + bytes + alignment - 1) / alignment * alignment;
    return begin;
  };
  layout.lists = reserve(2ULL * (1 + shape.topk) * shape.tokens);
  layout.counts = reserve(4ULL * chunks * shape.experts_per_gpu());
  layout.gates = reserve(4ULL * shape.experts_per_gpu() * all_tokens);
  layout.weights = reserve(4ULL * shape.experts_per_gpu() * shape.hidden * shape.ffn);
  layout.inputs = reserve(shape.vector_bytes() * shape.tokens);
  layout.results = reserve(shape.vector_bytes() * shape.tokens);
  layout.experts_in = reserve(shape.vector_bytes() * places);
  layout.experts_out = reserve(shape.vector_bytes() * places);
  layout.gathered = reserve(shape.vector_bytes() * all_tokens);
  layout.list_counts = reserve(2ULL * shape.tokens);
  layout.commands = reserve(moe_layout::command_entries * sizeof(dymultimem_command));
  layout.end = next;
  return layout;
}

}  // namespace heddle
