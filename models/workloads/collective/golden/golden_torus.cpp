#include <cstring>

#include "models/workloads/collective/golden/golden.hpp"

namespace heddle {
namespace {

struct torus_reduction {
  dtype type;
  reduce_op op;
  const rank_inputs& inputs;
  const std::vector<std::uint64_t>& sides;
  std::size_t stripe;

  std::size_t dimension(std::size_t turn) const { return (stripe + turn) % sides.size(); }
  bool goes_down() const { return stripe >= sides.size(); }

  std::size_t stride(std::size_t of) const {
    std::size_t ranks = 1;
    for (std::size_t i = of + 1; i < sides.size(); ++i) ranks *= sides[i];
    return ranks;
  }

  // What a rank has of the range once it has gone through so many turns: from the neighbor ahead of
  // it, in the direction of the stripe, all around the ring to the rank itself.
  tensor_bytes at(std::size_t rank, element_range range, std::size_t turns) const {
    const std::size_t width = size_of(type);
    if (turns == 0) {
      const std::byte* const own = inputs[rank] + range.begin * width;
      return {own, own + range.count * width};
    }
    const std::size_t along = dimension(turns - 1), side = sides[along], step = stride(along);
    const std::size_t place = rank / step % side;
    tensor_bytes sum;
    for (std::size_t i = 1; i <= side; ++i) {
      const std::size_t other = (place + (goes_down() ? side - i % side : i)) % side;
      const tensor_bytes share = at(rank - place * step + other * step, range, turns - 1);
      if (i == 1)
        sum = share;
      else
        reduce(type, op, sum.data(), share.data(), range.count);
    }
    return sum;
  }

  // The number of a rank in the order of the stripe.
  std::size_t number_of(std::size_t rank) const {
    std::size_t number = 0;
    for (std::size_t turn = 0; turn < sides.size(); ++turn) {
      const std::size_t along = dimension(turn), side = sides[along];
      const std::size_t place = rank / stride(along) % side;
      number = number * side + (goes_down() ? side - 1 - place : place);
    }
    return number;
  }
};

}  // namespace

tensor_bytes golden_torus_allreduce(dtype type, reduce_op op, const rank_inputs& inputs,
                                    std::size_t elements, const std::vector<std::uint64_t>& sides,
                                    std::size_t stripes) {
  tensor_bytes result(elements * size_of(type));
  for (std::size_t stripe = 0; stripe < stripes; ++stripe) {
    const torus_reduction work{type, op, inputs, sides, stripe};
    const element_range whole = chunk_range(elements, stripes, stripe);
    for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
      element_range part = chunk_range(whole.count, inputs.size(), work.number_of(rank));
      if (part.count == 0) continue;
      part.begin += whole.begin;
      const tensor_bytes sum = work.at(rank, part, sides.size());
      std::memcpy(result.data() + part.begin * size_of(type), sum.data(), sum.size());
    }
  }
  return result;
}

}  // namespace heddle
