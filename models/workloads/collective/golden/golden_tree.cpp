#include <algorithm>
#include <cassert>
#include <cstring>

#include "models/workloads/collective/golden/golden.hpp"
#include "platform/tensor/convert.hpp"

namespace heddle {
namespace {

constexpr std::size_t block = 1024;  // elements that all ranks meet with before the next ones

// The nodes of the tree, each with what it has of a block: fp32, or whatever else has 32 bits.
class tree_of_block {
 public:
  tree_of_block(dtype type, reduce_op op, const rank_inputs& inputs)
      : type_(type),
        op_(op),
        inputs_(inputs),
        has_value_(inputs.size()),
        values_(inputs.size(), std::vector<float>(block)) {
    assert(size_of(type) <= sizeof(float));
  }

  void fold(std::size_t first, std::size_t count, std::byte* to) {
    for (std::size_t rank = 0; rank < inputs_.size(); ++rank) load(rank, first, count);
    // Neighbors meet, one without a partner moves up as it is.
    for (std::size_t distance = 1; distance < inputs_.size(); distance *= 2)
      for (std::size_t i = 0; i + distance < inputs_.size(); i += 2 * distance)
        meet(i, i + distance, count);
    if (is_widened())
      narrow(type_, values_.front().data(), to, count);
    else
      std::memcpy(to, values_.front().data(), count * size_of(type_));
  }

 private:
  bool is_widened() const { return size_of(type_) < sizeof(float); }

  void load(std::size_t rank, std::size_t first, std::size_t count) {
    has_value_[rank] = inputs_[rank] != nullptr;
    if (!has_value_[rank]) return;
    const std::byte* const from = inputs_[rank] + first * size_of(type_);
    if (is_widened())
      widen(type_, from, values_[rank].data(), count);
    else
      std::memcpy(values_[rank].data(), from, count * size_of(type_));
  }

  void meet(std::size_t own, std::size_t partner, std::size_t count) {
    if (!has_value_[partner]) return;
    if (has_value_[own])
      reduce(is_widened() ? dtype::fp32 : type_, op_, values_[own].data(), values_[partner].data(),
             count);
    else
      values_[own].swap(values_[partner]);
    has_value_[own] = true;
  }

  const dtype type_;
  const reduce_op op_;
  const rank_inputs& inputs_;
  std::vector<bool> has_value_;
  std::vector<std::vector<float>> values_;
};

}  // namespace

tensor_bytes golden_tree_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                   std::size_t elements) {
  tensor_bytes result(elements * size_of(type));
  tree_of_block tree(type, op, inputs);
  for (std::size_t first = 0; first < elements; first += block)
    tree.fold(first, std::min(block, elements - first), result.data() + first * size_of(type));
  return result;
}

}  // namespace heddle
