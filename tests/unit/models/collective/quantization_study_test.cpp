#include "models/workloads/collective/golden/quantization_study.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "platform/tensor/activation.hpp"
#include "platform/tensor/reference.hpp"

namespace {

using heddle::dtype;
using heddle::quantization_comparison;

quantization_comparison row(unsigned bits, std::size_t block, double inq, double ring) {
  quantization_comparison made;
  made.how = {bits, block};
  made.inq.relative_rms = inq;
  made.ring.relative_rms = ring;
  return made;
}

struct study {
  std::vector<heddle::tensor_bytes> tensors;
  heddle::rank_inputs inputs;
  std::vector<double> reference;
};

study make_study(std::size_t ranks, std::size_t elements) {
  study made;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    made.tensors.emplace_back(elements * 2);
    heddle::fill_activation(dtype::fp16, made.tensors.back().data(), elements, 1, rank);
  }
  for (const auto& each : made.tensors) made.inputs.push_back(each.data());
  made.reference = heddle::float64_sum(dtype::fp16, made.inputs, elements);
  return made;
}

}  // namespace

TEST_CASE("exact values have no error", "[tensor]") {
  const std::vector<float> values(100, 127.0f);
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  const auto got = heddle::compare_quantized_allreduces({8, 64}, dtype::fp32, {bytes, bytes},
                                                        std::vector<double>(100, 254.0));
  CHECK(got.inq.relative_rms == 0);
  CHECK(got.ring.relative_rms == 0);
  CHECK(got.inq.largest == 0);
  CHECK(got.compression == Approx(400.0 / (100 + 4)));
}

TEST_CASE("errors are relative to the reference", "[tensor]") {
  const std::vector<float> values = {127, 1.25f, 0, 0};
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  const auto got =
      heddle::compare_quantized_allreduces({8, 64}, dtype::fp32, {bytes}, {127.0, 1.25, 0.0, 0.0});
  const double norm = std::sqrt(127.0 * 127 + 1.25 * 1.25);
  CHECK(got.inq.relative_rms == Approx(0.25 / norm));
  CHECK(got.inq.largest == Approx(0.25 / (norm / 2)));
  CHECK(got.inq.sqnr_db() == Approx(20 * std::log10(norm / 0.25)));
}

TEST_CASE("two quantizations lose less than eight in a row", "[tensor]") {
  const study of = make_study(8, 1 << 16);
  std::vector<quantization_comparison> rows;
  for (const unsigned bits : {8u, 4u})
    for (const std::size_t block : {32, 512})
      rows.push_back(heddle::compare_quantized_allreduces({bits, block}, dtype::fp16, of.inputs,
                                                          of.reference));
  CHECK(heddle::exceptions_from_advantage(rows) == 0);
  for (const auto& each : rows) CHECK(each.ratio() > 1.05);
  CHECK(rows[1].inq.relative_rms > rows[0].inq.relative_rms);
  CHECK(rows[2].inq.relative_rms > rows[0].inq.relative_rms);
}

TEST_CASE("one rank loses the same either way", "[tensor]") {
  const study of = make_study(1, 4096);
  const auto got =
      heddle::compare_quantized_allreduces({8, 64}, dtype::fp16, of.inputs, of.reference);
  CHECK(got.gap() == Approx(0).margin(1e-6));
}

TEST_CASE("exceptions are counted between neighbors of the table", "[tensor]") {
  const std::vector<quantization_comparison> rows = {row(8, 64, 2, 3),    row(8, 32, 1, 1.5),
                                                     row(8, 256, 4, 4.5), row(4, 32, 8, 9),
                                                     row(4, 64, 9, 9),    row(4, 256, 9, 8)};
  const auto gap = heddle::exceptions_from_growth(rows, &quantization_comparison::gap);
  CHECK(gap.with_block == 3);       // 8 bits: 64 to 256; 4 bits: both steps
  CHECK(gap.with_fewer_bits == 2);  // at 64 and 256
  CHECK(heddle::exceptions_from_advantage(rows) == 2);
}
