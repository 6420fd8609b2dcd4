// Thread blocks of attention: their work, and times that grow with the context.
#include "models/workloads/inference/attention_blocks.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/models/inference/h200_rates.hpp"

using namespace heddle;

namespace {

constexpr attention_shape of_7b{1, 1, 1, 4, 4, 128};  // LLaMA-2 on eight GPUs
constexpr attention_shape of_70b{1, 1, 1, 8, 1, 128};

attention_shape decoding(attention_shape model, std::uint64_t batch, std::uint64_t context) {
  model.batch = batch;
  model.context = context;
  return model;
}

attention_shape prompt(attention_shape model, std::uint64_t batch, std::uint64_t tokens) {
  model.batch = batch;
  model.tokens = model.context = tokens;
  return model;
}

// Queries, keys and values, and results, each once, in FP16.
kernel_descriptor kernel_of(const attention_shape& shape) {
  kernel_descriptor known{};
  const std::uint64_t queries = shape.tokens * shape.heads, keys = shape.context * shape.kv_heads;
  known.bytes = 2 * shape.batch * shape.head_size * (2 * queries + 2 * keys);
  return with_attention_blocks(known, shape, h200_rates());
}

fs_t time_of(const attention_shape& shape) {
  return h200_rates().kernel_time(kernel_of(shape));
}

fs_t hbm_time(const attention_shape& shape) {
  return h200_rates().hbm_latency + h200_rates().hbm.duration(kernel_of(shape).bytes);
}

}  // namespace

TEST_CASE("a decoding step splits the keys among blocks until HBM is the bottleneck") {
  const kernel_descriptor kernel = kernel_of(decoding(of_7b, 1, 256));
  CHECK(kernel.blocks == 4 * 4);                   // each has one tile of 64 keys
  CHECK(kernel.block_flops == 4 * 16 * 64 * 128);  // one row pads a tile of 16
  // Keys and values; a query in FP16, a partial result in FP32 that is read once more.
  CHECK(kernel.block_bytes == 2 * 2 * 64 * 128 + (2 + 8) * 128);
  CHECK(time_of(decoding(of_7b, 1, 256)) == hbm_time(decoding(of_7b, 1, 256)));
}

TEST_CASE("attention of a decoding step takes about as long as its keys come from HBM") {
  const std::uint64_t context = GENERATE(1, 128, 256, 257, 512, 513, 1024, 1025, 4096, 100'000);
  CHECK(time_of(decoding(of_7b, 1, context)) == hbm_time(decoding(of_7b, 1, context)));
  CHECK(time_of(decoding(of_7b, 64, context)) == hbm_time(decoding(of_7b, 64, context)));
  // One head of keys occupies few SMs, and 64 keys take longer through the port of one.
  const double of_port = static_cast<double>(time_of(decoding(of_70b, 1, context)));
  CHECK(of_port <= 1.4 * static_cast<double>(hbm_time(decoding(of_70b, 1, context))));
}

TEST_CASE("heads that share keys are rows of one tile") {
  const kernel_descriptor kernel = kernel_of(decoding(of_70b, 1, 64));
  CHECK(kernel.blocks == 1);
  CHECK(kernel.block_flops == 4 * 16 * 64 * 128);
  CHECK(kernel.block_bytes == 2 * 2 * 64 * 128 + (2 + 2) * 8 * 128);
}

TEST_CASE("attention never ends earlier for a longer context") {
  const attention_shape model = GENERATE(of_7b, of_70b);
  const std::uint64_t batch = GENERATE(1, 3, 64);
  for (std::uint64_t context = 1; context < 4200; ++context) {
    INFO("batch " << batch << ", context " << context);
    REQUIRE(time_of(decoding(model, batch, context + 1)) >=
            time_of(decoding(model, batch, context)));
  }
}

TEST_CASE("attention never ends earlier for a longer prompt") {
  const attention_shape model = GENERATE(of_7b, of_70b);
  const std::uint64_t batch = GENERATE(1, 8);
  for (std::uint64_t tokens = 1; tokens < 1100; ++tokens) {
    INFO("batch " << batch << ", " << tokens << " tokens");
    REQUIRE(time_of(prompt(model, batch, tokens + 1)) >= time_of(prompt(model, batch, tokens)));
  }
}

TEST_CASE("blocks of a prompt leave out what no token sees, and tiles cost little beside it") {
  const attention_shape shape = prompt(of_7b, 8, 4096);
  const kernel_descriptor kernel = kernel_of(shape);
  const double pairs = 4096.0 * 4097 / 2, needed = 4 * 8 * 4 * 128 * pairs;
  const double done = static_cast<double>(kernel.block_flops) * kernel.blocks;
  CHECK(done >= needed);
  CHECK(done <= 1.05 * needed);
  // 8 x 4 heads, 32 tiles of 128 rows: eight waves, of which the last is not full.
  CHECK(kernel.blocks == 8 * 4 * 32);
}

TEST_CASE("the longest block of a short prompt holds up the kernel") {
  kernel_rates rates = h200_rates();
  rates.l2 = rates.l2_port = rates.hbm = bandwidth(1'000'000'000'000'000);
  rates.hbm_latency = 0;
  attention_shape shape = prompt({1, 1, 1, 1, 1, 128}, 1, 256);
  const kernel_descriptor kernel = with_attention_blocks({}, shape, rates);
  // Tiles of 16 rows, the last ones over all 256 keys; each of these is split into single tiles.
  CHECK(kernel.block_flops == 4 * 16 * 64 * 128);
  CHECK(kernel.blocks == 4 * (1 + 2 + 3 + 4));
}
