#include "models/workloads/collective/golden/golden.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace heddle {
namespace {

// Every level of the work on one block stays in the first-level cache.
constexpr std::size_t block_bytes = 8192;

struct reduction {
  dtype type;
  reduce_op op;
  const rank_inputs& inputs;

  std::size_t ranks() const { return inputs.size(); }
  std::size_t width() const { return size_of(type); }
  std::size_t block() const { return block_bytes / width(); }
  const std::byte* at(std::size_t rank, std::size_t element) const {
    return inputs[rank] + element * width();
  }
};

// Folds first, first+1, ... mod N over the range; destination receives the range's first element.
void fold_in_ring_order(const reduction& work, std::size_t first, element_range range,
                        std::byte* destination) {
  for (std::size_t done = 0; done < range.count; done += work.block()) {
    const std::size_t count = std::min(work.block(), range.count - done);
    std::byte* const result = destination + done * work.width();
    std::memcpy(result, work.at(first, range.begin + done), count * work.width());
    for (std::size_t step = 1; step < work.ranks(); ++step) {
      const std::size_t rank = (first + step) % work.ranks();
      reduce(work.type, work.op, result, work.at(rank, range.begin + done), count);
    }
  }
}

tensor_bytes fold_all_chunks(const reduction& work, std::size_t elements) {
  assert(work.ranks() > 0);
  tensor_bytes result(elements * work.width());
  for (std::size_t chunk = 0; chunk < work.ranks(); ++chunk) {
    const element_range range = chunk_range(elements, work.ranks(), chunk);
    fold_in_ring_order(work, chunk, range, result.data() + range.begin * work.width());
  }
  return result;
}

// What rank holds of a block once it has exchanged at the distances N/2 ... distance. Its partner's
// value before the last of these exchanges meets its own. Depth first: one scratch block a level.
void fold_tree(const reduction& work, std::size_t rank, std::size_t distance, element_range block,
               std::byte* destination, std::byte* scratch) {
  if (distance == work.ranks()) {
    std::memcpy(destination, work.at(rank, block.begin), block.count * work.width());
    return;
  }
  const std::size_t partner = rank + distance;
  fold_tree(work, rank, distance * 2, block, destination, scratch);
  fold_tree(work, partner, distance * 2, block, scratch, scratch + block_bytes);
  reduce(work.type, work.op, destination, scratch, block.count);
}

// The sums of the pairs that leave so many ranks.
std::vector<tensor_bytes> added_in_pairs(dtype type, reduce_op op, const rank_inputs& inputs,
                                         std::size_t elements, std::size_t ranks) {
  std::vector<tensor_bytes> sums;
  for (std::size_t i = 0; i < inputs.size() - ranks; ++i) {
    const std::byte* const odd = inputs[2 * i + 1];
    sums.emplace_back(odd, odd + elements * size_of(type));
    reduce(type, op, sums.back().data(), inputs[2 * i], elements);
  }
  return sums;
}

std::size_t tree_depth(std::size_t ranks) {
  std::size_t depth = 0;
  while (ranks >> depth > 1) ++depth;
  return depth;
}

}  // namespace

tensor_bytes golden_ring_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                   std::size_t elements) {
  return fold_all_chunks({type, op, inputs}, elements);
}

tensor_bytes golden_direct_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                     std::size_t elements) {
  return fold_all_chunks({type, op, inputs}, elements);
}

tensor_bytes golden_ring_reduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                std::size_t elements, std::size_t root) {
  tensor_bytes result(elements * size_of(type));
  fold_in_ring_order({type, op, inputs}, (root + 1) % inputs.size(), {0, elements}, result.data());
  return result;
}

// Exchanging is symmetric and the operations commute, so both partners hold the same bits wherever
// their ranges meet: the tree of rank 0 is that of every owner, whatever part it keeps.
tensor_bytes golden_halving_doubling_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                               std::size_t elements) {
  std::size_t ranks = 1;
  while (ranks <= inputs.size() / 2) ranks *= 2;
  const std::vector<tensor_bytes> folded = added_in_pairs(type, op, inputs, elements, ranks);
  rank_inputs exchanged;
  for (const tensor_bytes& each : folded) exchanged.push_back(each.data());
  exchanged.insert(exchanged.end(), inputs.begin() + static_cast<std::ptrdiff_t>(2 * folded.size()),
                   inputs.end());
  const reduction work{type, op, exchanged};
  tensor_bytes result(elements * work.width());
  tensor_bytes scratch(tree_depth(ranks) * block_bytes);
  for (std::size_t begin = 0; begin < elements; begin += work.block()) {
    const element_range block{begin, std::min(work.block(), elements - begin)};
    fold_tree(work, 0, 1, block, result.data() + begin * work.width(), scratch.data());
  }
  return result;
}

tensor_bytes golden_broadcast(dtype type, const rank_inputs& inputs, std::size_t elements,
                              std::size_t root) {
  assert(root < inputs.size());
  return {inputs[root], inputs[root] + elements * size_of(type)};
}

tensor_bytes golden_alltoall(dtype type, const rank_inputs& inputs, std::size_t elements,
                             std::size_t rank) {
  const std::size_t chunk = elements / inputs.size() * size_of(type);
  tensor_bytes out;
  for (const std::byte* each : inputs)
    out.insert(out.end(), each + rank * chunk, each + (rank + 1) * chunk);
  return out;
}

}  // namespace heddle
