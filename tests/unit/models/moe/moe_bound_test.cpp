#include "models/workloads/moe/moe_bound.hpp"

#include <catch2/catch.hpp>

namespace heddle {
namespace {

// Two tokens a GPU and an expert a GPU. A vector takes 1000 + 16 B in one packet; a token takes its
// expert 2 * 2 * 500 * 500 operations.
moe_shape small_shape(std::uint32_t gpus) {
  moe_shape shape;
  shape.gpus = shape.experts = gpus;
  shape.topk = 1;
  shape.hidden = shape.ffn = 500;
  shape.tokens = 2;
  return shape;
}

moe_machine machine() {
  moe_machine each;
  each.wire_rate = 1e9;
  each.flops = 1e15;  // 1 ns a token
  each.packet_payload = 1000;
  each.packet_header = 16;
  return each;
}

constexpr double data = 1016e-9, header = 16e-9, product = 1e-9;

expert_routing routing_of(std::uint32_t gpus, const std::vector<std::uint16_t>& experts) {
  expert_routing routing(gpus, 2);
  for (const std::uint16_t each : experts) routing.add({each});
  return routing;
}

double bound_of(const char* schedule, const expert_routing& routing,
                const std::vector<moe_machine>& machines, moe_pass pass = moe_pass::forward) {
  const moe_shape shape = small_shape(routing.gpus());
  const moe_schedule& by = *find_moe_schedule(schedule);
  return moe_bound(pass, by, shape, loads_of(routing, shape, by.traffic, by.chunks), machines,
                   4096);
}

Approx exactly(double expected) {
  return Approx(expected).epsilon(1e-9);
}

TEST_CASE("a slow GPU without tokens to multiply bounds no layer") {
  const expert_routing routing = routing_of(3, {2, 2, 1, 1, 2, 2});  // nobody asks GPU 0
  std::vector<moe_machine> machines(3, machine());
  const double alike = bound_of("deepep", routing, machines);
  machines[0].flops = 1;
  REQUIRE(bound_of("deepep", routing, machines) == exactly(alike));
}

TEST_CASE("the GPU bounds a layer that takes longest for its own load") {
  const expert_routing routing = routing_of(2, {1, 1, 1, 0});
  std::vector<moe_machine> machines(2, machine());
  machines[0].flops = 1e9;  // 1 ms for its token
  const char* schedule = GENERATE("dysharp", "fusion");
  REQUIRE(bound_of(schedule, routing, machines) == exactly(1e-3));
  machines[1].flops = 1e9;
  REQUIRE(bound_of(schedule, routing, machines) == exactly(3e-3));
}

TEST_CASE("steps that follow each other add up") {
  // Each GPU sends one of its tokens and gets one.
  const expert_routing routing = routing_of(2, {0, 1, 0, 1});
  const std::vector<moe_machine> machines(2, machine());
  REQUIRE(bound_of("deepep", routing, machines) == exactly(2 * (data + header) + 2 * product));
  REQUIRE(bound_of("fusion", routing, machines) == exactly(2 * (data + header)));
}

TEST_CASE("what a collective moves in vain takes its wires, too") {
  const expert_routing routing = routing_of(2, {0, 0, 1, 1});  // all experts are at home
  const std::vector<moe_machine> machines(2, machine());
  REQUIRE(bound_of("deepep", routing, machines) == exactly(2 * product));
  REQUIRE(bound_of("nvls", routing, machines) == exactly(4 * (data + header)));
}

TEST_CASE("tokens without experts take no time") {
  expert_routing routing(2, 2);
  for (int token = 0; token < 4; ++token) routing.add({});
  REQUIRE(bound_of(GENERATE("dysharp", "deepep", "comet", "tutel"), routing,
                   std::vector<moe_machine>(2, machine())) == 0);
}

TEST_CASE("passes of a training step multiply three times as much as a forward pass") {
  const expert_routing routing = routing_of(2, {0, 0, 1, 1});
  std::vector<moe_machine> machines(2, machine());
  for (moe_machine& each : machines) each.flops = 1e6;
  const double forward = bound_of("deepep", routing, machines);
  const double attention = attention_of(moe_pass::training, small_shape(2), 4096).flops / 1e6;
  REQUIRE(bound_of("deepep", routing, machines, moe_pass::backward) == exactly(2 * forward));
  REQUIRE(bound_of("deepep", routing, machines, moe_pass::training) ==
          exactly(3 * forward + 3 * attention));
  REQUIRE(bound_of("dualpipe", routing, machines, moe_pass::training) ==
          exactly(3 * forward + 3 * attention));
}

TEST_CASE("a layer that beats its bound is impossible") {
  REQUIRE(impossibility(1e-6, 1e-6).empty());
  REQUIRE(impossibility(1e-6, 1.00005e-6).empty());  // times are whole femtoseconds
  REQUIRE(impossibility(1e-6, 2e-6) ==
          "it took 1 us, and the wires and SMs of its GPUs take 2 us at least");
}

}  // namespace
}  // namespace heddle
