#include "models/workloads/moe/expert_routing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "models/workloads/moe/moe_laws.hpp"
#include "models/workloads/moe/routing_figures.hpp"

namespace heddle {
namespace {

moe_shape small_shape() {
  moe_shape shape;
  shape.gpus = 8;
  shape.experts = 32;
  shape.topk = 4;
  shape.tokens = 512;
  return shape;
}

expert_routing drawn(const moe_shape& shape, const routing_distribution& distribution,
                     std::uint64_t seed = 1) {
  return draw_routing(shape, expert_weights(distribution, shape.experts, seed), seed);
}

TEST_CASE("every token has topk different experts, in ascending order") {
  const moe_shape shape = small_shape();
  const auto kind = GENERATE(routing_distribution::kind::normal, routing_distribution::kind::power);
  const expert_routing routing = drawn(shape, {kind, 1.5});
  for (std::uint32_t token = 0; token < shape.gpus * shape.tokens; ++token) {
    const auto targets = routing.of(token);
    REQUIRE(targets.count == shape.topk);
    REQUIRE(std::adjacent_find(targets.begin(), targets.end(), std::greater_equal<>()) ==
            targets.end());
    REQUIRE(*std::prev(targets.end()) < shape.experts);
  }
}

TEST_CASE("the same seed draws the same, another one something else") {
  const moe_shape shape = small_shape();
  const auto all = [](const expert_routing& routing) {
    return std::vector<std::uint16_t>(routing.of(0).experts,
                                      routing.of(0).experts + routing.entries());
  };
  REQUIRE(all(drawn(shape, {})) == all(drawn(shape, {})));
  REQUIRE(all(drawn(shape, {})) != all(drawn(shape, {}, 2)));
}

TEST_CASE("remote GPUs of drawn tokens agree with the law") {
  moe_shape shape = find_moe_model("L")->shape;
  shape.tokens = 512;
  const routing_figures figures = figures_of(drawn(shape, {}), shape);
  REQUIRE(figures.distinct_gpus == Approx(distinct_gpus_law(shape)).epsilon(0.01));
  REQUIRE(figures.with_remote == Approx(1));
}

TEST_CASE("a power law fills one expert far more than the others") {
  const moe_shape shape = small_shape();
  const routing_figures even = figures_of(drawn(shape, {}), shape);
  const routing_figures skewed =
      figures_of(drawn(shape, {routing_distribution::kind::power, 1.5}), shape);
  REQUIRE(even.expert_imbalance < 1.2);
  REQUIRE(skewed.expert_imbalance > 4);
  // Nobody takes an expert twice: the fullest one has each token at most once.
  REQUIRE(*std::max_element(skewed.of_expert.begin(), skewed.of_expert.end()) <=
          shape.gpus * shape.tokens);
}

TEST_CASE("all experts of a token, also those of hardly any weight") {
  moe_shape shape = small_shape();
  shape.topk = shape.experts;
  shape.tokens = 8;
  const routing_figures figures =
      figures_of(drawn(shape, {routing_distribution::kind::power, 30}), shape);
  REQUIRE(figures.expert_imbalance == 1);
  REQUIRE(figures.distinct_gpus == shape.gpus - 1);
}

TEST_CASE("figures of a routing that stays at home") {
  moe_shape shape = small_shape();
  shape.gpus = 2;
  shape.experts = 4;
  shape.tokens = 1;
  expert_routing routing(2, 1);
  routing.add({0, 1});
  routing.add({0, 2, 3});
  const routing_figures figures = figures_of(routing, shape);
  REQUIRE(figures.distinct_gpus == 0.5);
  REQUIRE(figures.with_remote == 0.5);
  REQUIRE(figures.of_expert == std::vector<std::uint32_t>{2, 1, 1, 1});
  REQUIRE(figures.gpu_imbalance == Approx(3 / 2.5));
}

}  // namespace
}  // namespace heddle
