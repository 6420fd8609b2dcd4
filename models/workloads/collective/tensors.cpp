#include "models/workloads/collective/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "platform/tensor/npy.hpp"
#include "platform/tensor/random.hpp"
#include "platform/tensor/reference.hpp"

namespace heddle {
namespace {

std::string file_of_rank(const std::string& pattern, std::size_t rank) {
  std::string name = pattern;
  name.replace(name.find("{r}"), 3, std::to_string(rank));
  return name;
}

// Of every rank, once all are known to be alike.
std::vector<std::size_t> shape_of_inputs(const collective_config& config, std::size_t ranks) {
  const std::string first = file_of_rank(config.input, 0);
  std::vector<std::size_t> shape = read_npy_shape(first, config.type);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    throw user_error(first + ": holds no elements");
  for (std::size_t rank = 1; rank < ranks; ++rank) {
    const std::string name = file_of_rank(config.input, rank);
    const std::vector<std::size_t> other = read_npy_shape(name, config.type);
    if (other != shape)
      throw user_error(fmt::format("{}: its shape ({}) differs from that of {} ({})", name,
                                   fmt::join(other, ", "), first, fmt::join(shape, ", ")));
  }
  return shape;
}

std::size_t elements_of(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

job_inputs read_inputs(const collective_config& config, std::size_t ranks) {
  job_inputs inputs;
  inputs.shape = shape_of_inputs(config, ranks);
  inputs.elements = elements_of(inputs.shape);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    inputs.by_rank.push_back(read_npy(file_of_rank(config.input, rank), config.type).data);
  return inputs;
}

// Every rank contributes its own chunk; together they are the tensor.
tensor_bytes gathered(dtype type, const rank_inputs& inputs, std::size_t elements) {
  const std::size_t element = size_of(type);
  const std::size_t ranks = inputs.size();
  tensor_bytes out(elements * element);
  for (std::size_t c = 0; c < ranks; ++c) {
    const element_range chunk = chunk_range(elements, ranks, c);
    if (chunk.count == 0) continue;
    std::memcpy(out.data() + chunk.begin * element, inputs[c] + chunk.begin * element,
                chunk.count * element);
  }
  return out;
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

std::size_t elements_of_input(const collective_config& config, std::size_t ranks) {
  return elements_of(shape_of_inputs(config, ranks));
}

expectation::expectation(const collective_algorithm& algorithm, const collective_case& job,
                         const job_inputs& inputs, std::size_t group)
    : algorithm_(algorithm), job_(job), elements_(inputs.elements) {
  for (std::size_t place = 0; place < job.groups.size; ++place)
    pointers_.push_back(inputs.by_rank[job.groups.rank_of(group, place)].data());
  if (job.adds()) common_ = algorithm.reduced(job, pointers_, inputs.elements);
  if (job.collective == BOOT_ALLGATHER) common_ = gathered(job.type, pointers_, inputs.elements);
  if (job.collective == BOOT_BROADCAST)
    common_ = golden_broadcast(job.type, pointers_, inputs.elements, job.root);
}

bool expectation::is_whole_sum() const {
  const bool has_sum =
      job_.collective == BOOT_ALLREDUCE || (job_.collective == BOOT_REDUCE && job_.root == 0);
  return has_sum && job_.op == reduce_op::sum;
}

void expectation::exact_sum(std::size_t begin, std::size_t count, double* values) const {
  float64_sum(job_.type, pointers_, begin, count, values);
}

expected_part expectation::own_chunk(std::size_t rank) const {
  const std::size_t ranks = pointers_.size(), element = size_of(job_.type);
  const std::size_t chunk = algorithm_.own_chunk ? algorithm_.own_chunk(ranks, rank) : rank;
  const element_range range = chunk_range(elements_, ranks, chunk);
  return {range.begin, range.count, common_.data() + range.begin * element};
}

expected_part expectation::input_of(std::size_t rank) const {
  return {0, elements_, pointers_[rank]};
}

expected_part expectation::for_rank(std::size_t rank) const {
  switch (job_.collective) {
    case BOOT_BARRIER:
      return {};
    case BOOT_REDUCE_SCATTER:
      return own_chunk(rank);
    case BOOT_REDUCE:
      if (rank == job_.root) return {0, elements_, common_.data()};
      if (!algorithm_.keeps_operands) return {};  // partial sums
      return input_of(rank);
    case BOOT_ALLTOALL:
      return {0, elements_, golden_alltoall(job_.type, pointers_, elements_, rank)};
    case BOOT_P2P_LATENCY:
    case BOOT_P2P_BANDWIDTH:
      if (rank > 1) return {};
      return input_of(0);
    default:
      return {0, elements_, common_.data()};
  }
}

}  // namespace heddle
