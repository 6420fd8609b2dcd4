// Which results of a token count as right: the golden bits, sums that a switch has sent in parts,
// and no other.
#include <algorithm>
#include <catch2/catch.hpp>

#include "models/gpu/hub/expert_math.hpp"
#include "models/workloads/moe/moe_golden.hpp"
#include "platform/tensor/convert.hpp"

using namespace heddle;

namespace {

constexpr std::uint64_t seed = 7;

moe_shape small_shape() {
  moe_shape shape;
  shape.gpus = 8;
  shape.experts = 16;
  shape.topk = 4;
  shape.hidden = 256;
  shape.tokens = 16;
  return shape;
}

struct golden_bench {
  const moe_shape shape = small_shape();
  const expert_routing routing = draw_routing(shape, expert_weights({}, shape.experts, seed), seed);
  moe_golden golden{shape, routing, moe_traffic::multicast, false, seed};

  std::uint32_t tokens() const { return shape.gpus * shape.tokens; }

  // What the experts of a GPU have for a token, added and not rounded; empty: it has none of them.
  std::vector<float> sum_of_gpu(std::uint32_t token, std::uint32_t gpu) const {
    std::vector<float> sum;
    for (const std::uint16_t expert : routing.of(token)) {
      if (expert / shape.experts_per_gpu() != gpu) continue;
      const std::vector<std::byte> x = golden.input(token);
      std::vector<std::byte> y(x.size());
      scale_vector(x.data(), golden.gate(token, expert), shape.hidden, y.data());
      sum.resize(shape.hidden);
      add_vector(y.data(), sum);
    }
    return sum;
  }
  std::vector<std::byte> rounded(const std::vector<float>& sum) const {
    std::vector<std::byte> bits(shape.vector_bytes());
    narrow(dtype::bf16, sum.data(), bits.data(), sum.size());
    return bits;
  }
  // An evicted partial sum of the first GPUs in `order`, and the others' sums as they are. The
  // source adds them in that order, and what its own GPU has.
  std::vector<std::byte> in_parts(std::uint32_t token, const std::vector<std::uint32_t>& order,
                                  std::size_t evicted) const {
    std::vector<float> all(shape.hidden), partial(shape.hidden);
    const std::uint32_t home = token / shape.tokens;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::vector<float> sum = sum_of_gpu(token, order[i]);
      if (!sum.empty() && order[i] != home)
        add_vector(rounded(sum).data(), i < evicted ? partial : all);
      if (i + 1 == evicted) add_vector(rounded(partial).data(), all);
    }
    const std::vector<float> own = sum_of_gpu(token, home);
    for (std::size_t i = 0; i < own.size(); ++i) all[i] += own[i];
    return rounded(all);
  }
};

}  // namespace

TEST_CASE("the golden bits of a token are right bit for bit, and within rounding") {
  golden_bench bench;
  for (std::uint32_t token = 0; token < bench.tokens(); ++token) {
    const moe_golden::result expected = bench.golden.of(token);
    const moe_difference found = expected.difference(expected.bits);
    CHECK((found.is_same && found.is_within));
  }
}

TEST_CASE("sums in parts are within rounding, in whatever order, and not always the same bits") {
  golden_bench bench;
  std::uint32_t others = 0;
  for (std::uint32_t token = 0; token < bench.tokens(); ++token) {
    const moe_golden::result expected = bench.golden.of(token);
    std::vector<std::uint32_t> order = {5, 2, 7, 0, 3, 6, 1, 4};
    for (std::size_t evicted = 1; evicted <= order.size(); ++evicted) {
      std::rotate(order.begin(), order.begin() + 3, order.end());
      const moe_difference found = expected.difference(bench.in_parts(token, order, evicted));
      CHECK(found.is_within);
      others += found.is_same ? 0 : 1;
    }
  }
  CHECK(others > 0);
}

TEST_CASE(
    "a wrong bit is told where sums are whole, a wrong expert also where they came in parts") {
  golden_bench bench;
  for (std::uint32_t token = 0; token < bench.tokens(); ++token) {
    INFO("token " << token);
    const moe_golden::result expected = bench.golden.of(token);
    std::vector<std::byte> last_bit = expected.bits;
    last_bit[0] ^= std::byte{1};
    CHECK_FALSE(expected.difference(last_bit).is_same);

    std::vector<std::byte> without = expected.bits;  // one of its experts
    std::vector<float> values(bench.shape.hidden);
    widen(dtype::bf16, without.data(), values.data(), values.size());
    const std::uint16_t missing = *bench.routing.of(token).begin();
    const std::vector<std::byte> x = bench.golden.input(token);
    std::vector<float> inputs(bench.shape.hidden);
    widen(dtype::bf16, x.data(), inputs.data(), inputs.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] -= bench.golden.gate(token, missing) * inputs[i];
    const moe_difference found = expected.difference(bench.rounded(values));
    CHECK_FALSE((found.is_same || found.is_within));
    CHECK(found.error > 0x3p-8);

    const moe_golden::result next = bench.golden.of((token + 1) % bench.tokens());
    CHECK_FALSE(expected.difference(next.bits).is_within);
  }
}
