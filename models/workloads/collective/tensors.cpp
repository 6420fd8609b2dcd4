#include "models/workloads/collective/tensors.hpp"

#include <fmt/format.h>

#include <cstring>

#include "platform/tensor/golden_mesh.hpp"
#include "platform/tensor/golden_quantized.hpp"
#include "platform/tensor/npy.hpp"
#include "platform/tensor/random.hpp"
#include "platform/tensor/reference.hpp"

namespace heddle {
namespace {

// The float64 reference takes 8 B an element.
constexpr std::size_t most_reference_elements = 1 << 26;

std::string file_of_rank(const std::string& pattern, std::size_t rank) {
  std::string name = pattern;
  name.replace(name.find("{r}"), 3, std::to_string(rank));
  return name;
}

job_inputs read_inputs(const collective_config& config, std::size_t ranks) {
  job_inputs inputs;
  std::string first;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::string name = file_of_rank(config.input, rank);
    npy_array array = read_npy(name, config.type);
    if (rank == 0) {
      first = name;
      inputs.shape = array.shape;
      inputs.elements = array.data.size() / size_of(config.type);
      if (inputs.elements == 0) throw user_error(name + ": holds no elements");
    } else if (array.shape != inputs.shape) {
      throw user_error(fmt::format("{}: its shape ({}) differs from that of {} ({})", name,
                                   fmt::join(array.shape, ", "), first,
                                   fmt::join(inputs.shape, ", ")));
    }
    inputs.by_rank.push_back(std::move(array.data));
  }
  return inputs;
}

// Every rank contributes its own chunk; together they are the tensor.
tensor_bytes gathered(const collective_config& config, const job_inputs& inputs) {
  const std::size_t element = size_of(config.type);
  const std::size_t ranks = inputs.by_rank.size();
  tensor_bytes out(inputs.elements * element);
  for (std::size_t c = 0; c < ranks; ++c) {
    const element_range chunk = chunk_range(inputs.elements, ranks, c);
    if (chunk.count == 0) continue;
    std::memcpy(out.data() + chunk.begin * element,
                inputs.by_rank[c].data() + chunk.begin * element, chunk.count * element);
  }
  return out;
}

tensor_bytes allreduced(const collective_config& config, const rank_inputs& inputs,
                        std::size_t elements) {
  switch (config.algorithm) {
    case BOOT_HALVING_DOUBLING:
      return golden_halving_doubling_allreduce(config.type, config.op, inputs, elements);
    case BOOT_DIRECT:
      return golden_direct_allreduce(config.type, config.op, inputs, elements);
    case BOOT_NVLS:
    case BOOT_SCIN:
      return golden_tree_allreduce(config.type, config.op, inputs, elements);
    case BOOT_SCIN_INQ:
      return golden_dequantize(config.quant,
                               golden_inq_allreduce(config.quant, config.type, inputs, elements),
                               elements, config.type);
    case BOOT_MESH_HW:
      return golden_mesh_reduce(config.type, config.op, inputs, elements, config.columns,
                                config.root);
    case BOOT_MESH_NAIVE:
    case BOOT_MESH_TREE:
      return golden_mesh_tree_reduce(config.type, config.op, inputs, elements, config.columns,
                                     config.root);
    case BOOT_MESH_SEQ:
      return golden_mesh_line_reduce(config.type, config.op, inputs, elements, config.columns,
                                     config.root);
    default:
      return golden_ring_allreduce(config.type, config.op, inputs, elements);
  }
}

// In-network hardware gives chunk r to rank r.
bool is_in_network(boot_algorithm algorithm) {
  return algorithm == BOOT_NVLS || algorithm == BOOT_SCIN || algorithm == BOOT_SCIN_INQ;
}

}  // namespace

job_inputs make_inputs(const collective_config& config, std::size_t ranks, std::uint64_t bytes,
                       std::uint64_t seed) {
  if (!config.input.empty()) return read_inputs(config, ranks);
  job_inputs inputs;
  inputs.elements = bytes / size_of(config.type);
  inputs.shape = {inputs.elements};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    inputs.by_rank.emplace_back(bytes);
    fill_random(config.type, inputs.by_rank.back().data(), inputs.elements, seed, rank);
  }
  return inputs;
}

expectation::expectation(const collective_config& config, const job_inputs& inputs)
    : config_(config), inputs_(inputs) {
  for (const tensor_bytes& each : inputs.by_rank) pointers_.push_back(each.data());
  switch (config.collective) {
    case BOOT_ALLREDUCE:
    case BOOT_REDUCE:
      common_ = allreduced(config, pointers_, inputs.elements);
      if (config.op == reduce_op::sum && inputs.elements <= most_reference_elements)
        reference_ = float64_sum(config.type, pointers_, inputs.elements);
      break;
    case BOOT_ALLGATHER:
      common_ = gathered(config, inputs);
      break;
    case BOOT_BROADCAST:
      common_ = golden_broadcast(config.type, pointers_, inputs.elements, config.root);
      break;
    default:
      break;
  }
}

// The rank's own chunk, reduced by the tree.
expected_part expectation::own_chunk_of_tree(std::size_t rank) const {
  const element_range chunk = chunk_range(inputs_.elements, inputs_.by_rank.size(), rank);
  rank_inputs chunks;
  for (const std::byte* each : pointers_)
    chunks.push_back(each + chunk.begin * size_of(config_.type));
  return {chunk.begin, chunk.count,
          golden_tree_allreduce(config_.type, config_.op, chunks, chunk.count)};
}

expected_part expectation::for_rank(std::size_t rank) const {
  switch (config_.collective) {
    case BOOT_BARRIER:
      return {};
    case BOOT_REDUCE_SCATTER: {
      const std::size_t ranks = inputs_.by_rank.size();
      if (is_in_network(config_.algorithm)) return own_chunk_of_tree(rank);
      const element_range chunk =
          chunk_range(inputs_.elements, ranks, ring_complete_chunk(ranks, rank));
      return {
          chunk.begin, chunk.count,
          golden_ring_reduce_scatter(config_.type, config_.op, pointers_, inputs_.elements, rank)};
    }
    case BOOT_REDUCE:
      if (rank != config_.root && config_.algorithm > BOOT_MESH_HW) return {};  // partial sums
      if (rank != config_.root) return {0, inputs_.elements, inputs_.by_rank[rank]};
      return {0, inputs_.elements, common_};
    case BOOT_ALLTOALL:
      return {0, inputs_.elements,
              golden_alltoall(config_.type, pointers_, inputs_.elements, rank)};
    case BOOT_P2P_LATENCY:
    case BOOT_P2P_BANDWIDTH:
      if (rank > 1) return {};
      return {0, inputs_.elements, inputs_.by_rank[0]};
    default:
      return {0, inputs_.elements, common_};
  }
}

}  // namespace heddle
