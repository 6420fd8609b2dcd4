#include "models/workloads/moe/moe_laws.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "models/workloads/moe/moe_pass.hpp"

namespace heddle {
namespace {

moe_shape shape_of(const char* model, std::uint32_t topk) {
  moe_shape shape = find_moe_model(model)->shape;
  shape.topk = topk;
  return shape;
}

const moe_schedule& named(const char* name) {
  return *find_moe_schedule(name);
}

double gain(const moe_shape& shape, const char* over) {
  const double d = distinct_gpus_law(shape);
  return moe_time_law(named(over), shape, d, {}) / moe_time_law(named("dysharp"), shape, d, {});
}

Approx within(double expected, double relative) {
  return Approx(expected).epsilon(relative);
}

TEST_CASE("remote GPUs of a token, as derived from the table of models") {
  struct row {
    const char* model;
    std::uint32_t topk;
    double distinct;
  };
  const row r = GENERATE(row{"S", 8, 7.32}, row{"S", 16, 13.65}, row{"S", 32, 23.37},
                         row{"M", 8, 7.13}, row{"M", 16, 12.95}, row{"M", 32, 21.35},
                         row{"L", 8, 7.04}, row{"L", 16, 12.64}, row{"L", 32, 20.52});
  REQUIRE(distinct_gpus_law(shape_of(r.model, r.topk)) == within(r.distinct, 1e-3));
}

TEST_CASE("a token with all experts goes to all GPUs, one without experts to none") {
  moe_shape shape = shape_of("S", 64);
  REQUIRE(distinct_gpus_law(shape) == 31);
  shape.topk = 0;
  REQUIRE(distinct_gpus_law(shape) == 0);
}

TEST_CASE("what copies move in vain, and what removing it may bring") {
  const moe_shape shape = shape_of("L", 8);
  const double d = distinct_gpus_law(shape), leaving = leaving_law(shape);
  REQUIRE(redundancy_law(d, leaving) == within(0.429, 2e-3));
  REQUIRE(ideal_speedup_law(d, leaving) == within(1.75, 2e-3));
  REQUIRE(useless_law(32, d) == within(3.40, 2e-3));
}

TEST_CASE("tokens leave their GPU unless it has all of their experts") {
  moe_shape shape;
  shape.gpus = 2;
  shape.experts = 4;
  const auto leaving = [&shape](std::uint32_t topk) {
    shape.topk = topk;
    return leaving_law(shape);
  };
  CHECK(leaving(0) == 0);
  CHECK(leaving(1) == 0.5);
  CHECK(leaving(2) == within(5.0 / 6, 1e-12));  // one pair of six is that of its own GPU
  CHECK(leaving(3) == 1);
}

TEST_CASE("a network saves nothing where a token has one expert, and never less than nothing") {
  const char* model = GENERATE("S", "M", "L", "gpt-oss-120b");
  const std::uint32_t gpus = GENERATE(2, 8, 32, 64);
  moe_shape shape = shape_of(model, 1);
  shape.gpus = gpus;
  CHECK(redundancy_law(distinct_gpus_law(shape), leaving_law(shape)) == 0);
  CHECK(ideal_speedup_law(distinct_gpus_law(shape), leaving_law(shape)) == 1);
  for (shape.topk = 2; shape.topk <= 16; ++shape.topk) {
    const double d = distinct_gpus_law(shape), leaving = leaving_law(shape);
    CHECK(redundancy_law(d, leaving) >= 0);
    CHECK(ideal_speedup_law(d, leaving) >= 1);
  }
}

TEST_CASE("from eight experts a token on, all tokens leave: figures of the literature stay") {
  const char* model = GENERATE("S", "M", "L");
  const std::uint32_t topk = GENERATE(8, 16, 32);
  const moe_shape shape = shape_of(model, topk);
  const double d = distinct_gpus_law(shape);
  CHECK(redundancy_law(d, leaving_law(shape)) == within((d - 1) / (2 * d), 1e-12));
  CHECK(ideal_speedup_law(d, leaving_law(shape)) == within(2 * d / (d + 1), 1e-12));
}

// 70.4 % is printed (II-A): vectors of BF16 both ways and two GEMMs meet it.
TEST_CASE("share of communication, also with a gate matrix and with vectors of fp8") {
  moe_shape shape = shape_of("L", 8);
  const auto share = [&] {
    const double all = moe_time_law(named("deepep"), shape, distinct_gpus_law(shape), {});
    return 1 - moe_compute_time(shape, {}) / all;
  };
  CHECK(share() == within(0.703, 2e-3));
  shape.is_gated = true;
  CHECK(share() == within(0.61, 5e-3));
  shape.is_gated = false;
  shape.dispatches_fp8 = true;
  CHECK(share() == within(0.64, 5e-3));
}

TEST_CASE("vectors of a token, by schedule and direction") {
  const double d = 7;
  const moe_vectors out = dispatch_vectors(moe_traffic::multicast, 32, d);
  const moe_vectors back = combine_vectors(moe_traffic::multicast, 32, d);
  REQUIRE((out.up == 1 && out.down == d));
  REQUIRE((back.up == d && back.down == 1));
  REQUIRE(out.both() + back.both() == 2 * d + 2);
  REQUIRE(dispatch_vectors(moe_traffic::copies, 32, d).both() +
              combine_vectors(moe_traffic::copies, 32, d).both() ==
          4 * d);
  REQUIRE(dispatch_vectors(moe_traffic::everybody, 32, d).both() +
              combine_vectors(moe_traffic::everybody, 32, d).both() ==
          64);
}

TEST_CASE("payload of packets to eight GPUs, by size") {
  struct row {
    std::uint32_t payload;
    double ideal, explicit_targets, dynamic;
  };
  const row r =
      GENERATE(row{32, 0.5, 0.36, 0.486}, row{64, 0.667, 0.529, 0.655}, row{128, 0.8, 0.692, 0.791},
               row{256, 0.889, 0.818, 0.883}, row{512, 0.941, 0.9, 0.938});
  const payload_efficiency law = payload_efficiency_law(r.payload, 8);
  REQUIRE(law.ideal == within(r.ideal, 2e-3));
  REQUIRE(law.explicit_targets == within(r.explicit_targets, 2e-3));
  REQUIRE(law.dynamic == within(r.dynamic, 2e-3));
}

TEST_CASE("lists on the copies cost a flit each") {
  REQUIRE(payload_efficiency_law(128, 8).dynamic_copies == within(0.727, 1e-3));
  REQUIRE(payload_efficiency_law(128, 9).dynamic == within(80.0 / 102, 1e-9));
}

TEST_CASE("bounds of the layer's time over that of dynamic multimem with fusion") {
  struct row {
    const char* model;
    std::uint32_t topk;
    double deepep, nvls, comet;
  };
  const row r = GENERATE(row{"S", 8, 1.74, 6.87, 1.58}, row{"M", 8, 1.91, 7.19, 1.58},
                         row{"L", 8, 2.24, 7.61, 1.58}, row{"L", 16, 2.45, 4.88, 1.67},
                         row{"L", 32, 2.71, 3.59, 1.72});
  const moe_shape shape = shape_of(r.model, r.topk);
  REQUIRE(gain(shape, "deepep") == within(r.deepep, 4e-3));
  REQUIRE(gain(shape, "nvls") == within(r.nvls, 4e-3));
  REQUIRE(gain(shape, "comet") == within(r.comet, 4e-3));
}

TEST_CASE("with one capacity for all that is irregular, gains are those that the source prints") {
  // DySHARP VI-A1: geometric mean and largest of nine configurations.
  struct row {
    const char* over;
    double geomean, largest;
  };
  const row r =
      GENERATE(row{"deepep", 2.26, 2.77}, row{"nvls", 4.25, 6.93}, row{"comet", 1.78, 1.94});
  double product = 1, largest = 0;
  for (const char* model : {"S", "M", "L"})
    for (const std::uint32_t topk : {8, 16, 32}) {
      const moe_shape shape = shape_of(model, topk);
      const double d = distinct_gpus_law(shape);
      const double gain = moe_capacity_law(named(r.over), shape, d, {}) /
                          moe_capacity_law(named("dysharp"), shape, d, {});
      product *= gain;
      largest = std::max(largest, gain);
    }
  REQUIRE(std::pow(product, 1.0 / 9) == within(r.geomean, 0.04));
  REQUIRE(largest == within(r.largest, 0.06));
}

TEST_CASE("one capacity changes nothing where dispatch and combine share the wires") {
  const moe_shape shape = shape_of("L", 8);
  const double d = distinct_gpus_law(shape);
  REQUIRE(moe_capacity_law(named("dysharp"), shape, d, {}) ==
          within(moe_time_law(named("dysharp"), shape, d, {}), 1e-9));
  const double compute = moe_compute_time(shape, {});
  const double wires = moe_time_law(named("deepep"), shape, d, {}) - compute;
  REQUIRE(moe_capacity_law(named("deepep"), shape, d, {}) == within(wires / 0.9 + compute, 1e-9));
  // A header and 128 B from each of 31 GPUs, and an acknowledgment: 280 flits for the table's 310.
  const double gathered = moe_time_law(named("nvls"), shape, d, {}) - compute;
  REQUIRE(moe_capacity_law(named("nvls"), shape, d, {}) ==
          within(gathered * 280 / 310 + compute, 1e-9));
}

TEST_CASE("neither the addressing alone nor the fusion alone lowers the bound of an overlap") {
  const moe_shape shape = shape_of("L", 8);
  const double d = distinct_gpus_law(shape);
  const double comet = moe_time_law(named("comet"), shape, d, {});
  REQUIRE(moe_time_law(named("dysharp_comet"), shape, d, {}) == within(comet, 1e-9));
  REQUIRE(moe_time_law(named("fusion"), shape, d, {}) >= comet);
  REQUIRE(moe_time_law(named("dysharp"), shape, d, {}) < 0.7 * comet);
}

TEST_CASE("a training step is both passes and attention, of which overlap hides what it can") {
  const moe_shape shape = shape_of("L", 8);
  const double d = distinct_gpus_law(shape);
  const auto law = [&](const char* schedule, moe_pass pass) {
    return moe_pass_time_law(pass, named(schedule), shape, d, {}, 4096);
  };
  const double attention = attention_of(moe_pass::training, shape, 0).flops / moe_machine{}.flops;
  const double one_by_one = law("deepep", moe_pass::training);
  REQUIRE(one_by_one == within(law("deepep", moe_pass::forward) +
                                   law("deepep", moe_pass::backward) + 3 * attention,
                               1e-9));
  const double compute = 3 * (moe_compute_time(shape, {}) + attention);
  REQUIRE(law("dualpipe", moe_pass::training) ==
          within(std::max(compute, one_by_one - compute), 1e-9));
  REQUIRE(law("deepep", moe_pass::backward) ==
          within(law("deepep", moe_pass::forward) + moe_compute_time(shape, {}), 1e-9));
}

TEST_CASE("attention of inference reads its weights, and decoding the tokens before") {
  const moe_shape shape = shape_of("L", 8);
  const double weights = 4.0 * 7168 * 7168;
  REQUIRE(attention_of(moe_pass::prefill, shape, 4096).bytes == weights);
  REQUIRE(attention_of(moe_pass::decode, shape, 4096).bytes == weights + 8192.0 * 4096 * 7168 * 4);
}

TEST_CASE("of three matrices, the first GEMM of two phases has two") {
  moe_shape shape = shape_of("L", 8);
  shape.is_gated = true;
  const double d = distinct_gpus_law(shape);
  moe_machine no_wires;
  no_wires.payload_rate = 1e30;
  const double compute = moe_compute_time(shape, {});
  REQUIRE(moe_time_law(named("comet"), shape, d, no_wires) == within(compute, 1e-9));
  moe_machine only_dispatch;  // so slow that dispatch takes half of the multiplications' time
  const double vectors = shape.tokens * static_cast<double>(shape.dispatched_bytes()) * d;
  only_dispatch.payload_rate = vectors / (compute / 2);
  REQUIRE(moe_time_law(named("comet"), shape, d, only_dispatch) ==
          within(2 * compute / 3 + std::max(compute / 3, compute / 2), 1e-9));
}

TEST_CASE("chunks that follow each other never beat the wires or the multipliers") {
  const moe_shape shape = shape_of("L", 8);
  const double d = distinct_gpus_law(shape);
  const double one_by_one = moe_time_law(named("deepep"), shape, d, {});
  const double chunked = moe_time_law(named("fastermoe"), shape, d, {});
  REQUIRE(chunked < one_by_one);
  REQUIRE(chunked >= one_by_one - moe_compute_time(shape, {}) - 1e-12);
}

}  // namespace
}  // namespace heddle
