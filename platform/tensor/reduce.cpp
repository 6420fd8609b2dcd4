#include "platform/tensor/reduce.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>
#include <type_traits>

#include "platform/tensor/float_bits.hpp"
#include "platform/tensor/fp16_sum.hpp"
#include "platform/tensor/vector_clones.hpp"

namespace heddle {
namespace {

struct named_op {
  reduce_op op;
  std::string_view name;
};
constexpr std::array<named_op, 6> ops = {{{reduce_op::sum, "sum"},
                                          {reduce_op::min, "min"},
                                          {reduce_op::max, "max"},
                                          {reduce_op::bit_and, "and"},
                                          {reduce_op::bit_or, "or"},
                                          {reduce_op::bit_xor, "xor"}}};

struct bf16_rules : bf16_format {
  static word sum(word a, word b) { return fp32_to_bf16(bf16_to_fp32(a) + bf16_to_fp32(b)); }
};

struct fp8_rules : fp8_format {
  static word sum(word a, word b) { return fp32_to_fp8(fp8_to_fp32(a) + fp8_to_fp32(b)); }
};

struct fp32_rules : fp32_format {
  static word sum(word a, word b) {
    const word bits = bits_of(float_of(a) + float_of(b));
    return detail::below(infinity, bits & detail::fp32_magnitude) ? quiet_nan : bits;
  }
};

// No half-width tricks: additions of doubles and their rounding are the processor's.
struct fp64_rules : fp64_format {
  static word sum(word a, word b) {
    double x, y;
    std::memcpy(&x, &a, sizeof x);
    std::memcpy(&y, &b, sizeof y);
    const double added = x + y;
    word bits;
    std::memcpy(&bits, &added, sizeof bits);
    return added != added ? quiet_nan : bits;
  }
};

// Floating-point numbers sort like sign and magnitude: turning the magnitude of the negative ones
// over makes that two's complement, with -0 just below +0. It undoes itself.
template <typename Signed>
Signed ordered(Signed bits) {
  constexpr Signed magnitude = std::numeric_limits<Signed>::max();
  const Signed negative = static_cast<Signed>(bits >> std::numeric_limits<Signed>::digits);
  return static_cast<Signed>(bits ^ (negative & magnitude));
}

template <typename Format, bool Larger>
typename Format::word extreme(typename Format::word a, typename Format::word b) {
  using word = typename Format::word;
  using number = std::make_signed_t<word>;
  constexpr number magnitude = std::numeric_limits<number>::max();
  constexpr number infinity = static_cast<number>(Format::infinity);
  const number first = static_cast<number>(a);
  const number second = static_cast<number>(b);
  const number x = ordered(first);
  const number y = ordered(second);
  const number winner = ordered(Larger ? (x > y ? x : y) : (x < y ? x : y));
  const number first_magnitude = static_cast<number>(first & magnitude);
  const number second_magnitude = static_cast<number>(second & magnitude);
  const number worst = first_magnitude > second_magnitude ? first_magnitude : second_magnitude;
  return worst > infinity ? Format::quiet_nan : static_cast<word>(winner);
}

// memcpy for each element: packets hold tensors at any alignment, and the compiler sees through it.
template <typename Word, typename Operation>
HEDDLE_IN_CLONE void each(void* destination, const void* source, std::size_t elements,
                          Operation operation) {
  auto* __restrict own = static_cast<unsigned char*>(destination);
  const auto* __restrict other = static_cast<const unsigned char*>(source);
  for (std::size_t i = 0; i < elements; ++i) {
    Word a;
    Word b;
    std::memcpy(&a, own + i * sizeof a, sizeof a);
    std::memcpy(&b, other + i * sizeof b, sizeof b);
    a = operation(a, b);
    std::memcpy(own + i * sizeof a, &a, sizeof a);
  }
}

template <typename Format>
HEDDLE_IN_CLONE void reduce_to_extremes(reduce_op op, void* destination, const void* source,
                                        std::size_t elements) {
  using word = typename Format::word;
  assert(op == reduce_op::min || op == reduce_op::max);
  if (op == reduce_op::min)
    each<word>(destination, source, elements,
               [](word a, word b) { return extreme<Format, false>(a, b); });
  else
    each<word>(destination, source, elements,
               [](word a, word b) { return extreme<Format, true>(a, b); });
}

template <typename Rules>
HEDDLE_IN_CLONE void reduce_floats(reduce_op op, void* destination, const void* source,
                                   std::size_t elements) {
  using word = typename Rules::word;
  if (op != reduce_op::sum) return reduce_to_extremes<Rules>(op, destination, source, elements);
  each<word>(destination, source, elements, [](word a, word b) { return Rules::sum(a, b); });
}

HEDDLE_IN_CLONE void reduce_integers(reduce_op op, void* destination, const void* source,
                                     std::size_t elements) {
  using word = std::uint32_t;
  using number = std::int32_t;
  switch (op) {
    case reduce_op::sum:  // unsigned, because it may wrap
      return each<word>(destination, source, elements, [](word a, word b) { return a + b; });
    case reduce_op::min:
      return each<number>(destination, source, elements,
                          [](number a, number b) { return a < b ? a : b; });
    case reduce_op::max:
      return each<number>(destination, source, elements,
                          [](number a, number b) { return a > b ? a : b; });
    case reduce_op::bit_and:
      return each<word>(destination, source, elements, [](word a, word b) { return a & b; });
    case reduce_op::bit_or:
      return each<word>(destination, source, elements, [](word a, word b) { return a | b; });
    case reduce_op::bit_xor:
      return each<word>(destination, source, elements, [](word a, word b) { return a ^ b; });
  }
  assert(false);
}

}  // namespace

std::string_view name_of(reduce_op op) {
  for (const named_op& each : ops)
    if (each.op == op) return each.name;
  return "?";
}

bool is_known(reduce_op op) {
  return std::any_of(ops.begin(), ops.end(), [op](const named_op& each) { return each.op == op; });
}

bool applies_to(reduce_op op, dtype type) {
  return op <= reduce_op::max || type == dtype::int32;
}

std::optional<reduce_op> parse_reduce_op(std::string_view name) {
  for (const named_op& each : ops)
    if (each.name == name) return each.op;
  return std::nullopt;
}

// All but the sum of fp16.
HEDDLE_CLONE_FOR_VECTORS static void reduce_in_place(dtype type, reduce_op op, void* destination,
                                                     const void* source, std::size_t elements) {
  switch (type) {
    case dtype::fp16:
      return reduce_to_extremes<fp16_format>(op, destination, source, elements);
    case dtype::bf16:
      return reduce_floats<bf16_rules>(op, destination, source, elements);
    case dtype::fp32:
      return reduce_floats<fp32_rules>(op, destination, source, elements);
    case dtype::fp64:
      return reduce_floats<fp64_rules>(op, destination, source, elements);
    case dtype::fp8:
      return reduce_floats<fp8_rules>(op, destination, source, elements);
    case dtype::int32:
      return reduce_integers(op, destination, source, elements);
  }
  assert(false);
}

void reduce(dtype type, reduce_op op, void* destination, const void* source, std::size_t elements) {
  reduce(type, op, destination, destination, source, elements);
}

void reduce(dtype type, reduce_op op, void* destination, const void* first, const void* second,
            std::size_t elements) {
  if (type == dtype::fp16 && op == reduce_op::sum)
    return add_fp16(destination, first, second, elements);
  if (first != destination) std::memcpy(destination, first, elements * size_of(type));
  reduce_in_place(type, op, destination, second, elements);
}

}  // namespace heddle
