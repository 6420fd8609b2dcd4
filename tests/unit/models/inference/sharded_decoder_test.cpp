// The sharded model without a simulator: its sums are added here, in float64, and spoiled.
#include "models/workloads/inference/sharded_decoder.hpp"

#include <catch2/catch.hpp>
#include <functional>

#include "platform/tensor/convert.hpp"

using namespace heddle;

namespace {

constexpr std::size_t ranks = 4, batch = 2;
const decoder_model tiny{"tiny", 64, 96, 2, 8, 4, 128};

using halves = std::vector<std::byte>;
// What a rank gets of the sum.
using spoil = std::function<void(std::size_t rank, std::size_t layer, std::vector<float>& sum)>;

void add_all(sharded_decoder& of, std::size_t layer, const std::vector<halves>& partials,
             const spoil& change) {
  std::vector<float> sum(partials[0].size() / 2), one(sum.size());
  for (const halves& each : partials) {
    widen(dtype::fp16, each.data(), one.data(), one.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    std::vector<float> own = sum;
    change(rank, layer, own);
    halves bytes(partials[0].size());
    narrow(dtype::fp16, own.data(), bytes.data(), own.size());
    of.add(rank, bytes);
  }
}

sharded_decoder::judgment run_step(sharded_decoder& of, std::uint64_t step, std::uint64_t tokens,
                                   const spoil& change) {
  of.begin_step(step, tokens);
  for (std::size_t rank = 0; rank < ranks; ++rank) of.embed(rank);
  for (std::size_t layer = 0; layer < tiny.layers; ++layer) {
    std::vector<halves> partials(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) partials[rank] = of.attention(rank, layer);
    add_all(of, layer, partials, change);
    for (std::size_t rank = 0; rank < ranks; ++rank) partials[rank] = of.mlp(rank, layer);
    add_all(of, layer, partials, change);
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) of.finish(rank);
  return of.judge(std::nullopt);
}

const spoil nothing = [](std::size_t, std::size_t, std::vector<float>&) {};

}  // namespace

TEST_CASE("a prompt and tokens behind it: logits within the bound, the same again") {
  sharded_decoder of(tiny, 5, ranks, batch);
  const auto prompt = run_step(of, 0, 6, nothing);
  CHECK(prompt.ranks_agree);
  CHECK(prompt.error < prompt.bound);
  CHECK(prompt.error < 2e-3);
  const auto next = run_step(of, 1, 1, nothing);
  CHECK(next.error < 2e-3);
  CHECK(next.digest != prompt.digest);
  CHECK(run_step(of, 0, 6, nothing).digest == prompt.digest);
}

TEST_CASE("sums that are lost or differ between ranks are found") {
  sharded_decoder of(tiny, 5, ranks, batch);
  const auto lost = run_step(of, 0, 6, [](std::size_t, std::size_t layer, std::vector<float>& sum) {
    if (layer == 1) std::fill(sum.begin(), sum.end(), 0.0F);
  });
  CHECK(lost.ranks_agree);
  CHECK(lost.error > lost.bound);
  const auto split = run_step(of, 0, 6, [](std::size_t rank, std::size_t, std::vector<float>& sum) {
    if (rank == 2) sum[3] += 0.25F;
  });
  CHECK_FALSE(split.ranks_agree);
}
