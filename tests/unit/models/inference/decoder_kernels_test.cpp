// Models, the kernels of a step, and their times by the rates.
#include <catch2/catch.hpp>
#include <numeric>

#include "models/workloads/inference/decoder_kernels.hpp"
#include "platform/yaml/parse.hpp"
#include "tests/unit/models/inference/h200_rates.hpp"

using namespace heddle;

namespace {

const decoder_model& model(const std::string& name) {
  for (const decoder_model& each : decoder_models())
    if (each.name == name) return each;
  throw std::out_of_range(name);
}

const decoder_kernel& find(const decoder_kernels& kernels, const std::string& name) {
  for (const auto& list : kernels)
    for (const decoder_kernel& each : list)
      if (each.name == name) return each;
  throw std::out_of_range(name);
}

std::uint64_t flops_of(const std::vector<decoder_kernel>& list) {
  return std::accumulate(
      list.begin(), list.end(), std::uint64_t{0},
      [](std::uint64_t sum, const decoder_kernel& each) { return sum + each.descriptor.flops; });
}

}  // namespace

TEST_CASE("models have the parameters that they are named for") {
  struct row {
    const char* name;
    double billions;
  };
  const row r =
      GENERATE(row{"llama2-7b", 6.74}, row{"llama2-13b", 13.02}, row{"llama2-70b", 68.98});
  const decoder_model& of = model(r.name);
  const std::uint64_t norms = (2 * of.layers + 1) * of.hidden;
  const std::uint64_t all = of.layers * of.layer_weights() + 2 * of.vocabulary * of.hidden + norms;
  CHECK(1e-9 * static_cast<double>(all) == Approx(r.billions).epsilon(0.001));
}

TEST_CASE("a GPU's GEMMs in prefill: sizes, multiply-adds and bytes") {
  const decoder_step step{2, 512, 512};
  const decoder_kernels kernels =
      kernels_of(model("llama2-7b"), step, weight_type::fp16, 8, h200_rates());
  const decoder_kernel& qkv = find(kernels, "qkv");
  CHECK(qkv.m == 1024);
  CHECK(qkv.n == 3 * 512);
  CHECK(qkv.k == 4096);
  CHECK(qkv.descriptor.flops == 2ULL * 1024 * 1536 * 4096);
  CHECK(qkv.descriptor.bytes == 2ULL * (1024 * 4096 + 1536 * 4096 + 1024 * 1536));
  const decoder_kernel& down = find(kernels, "down");
  CHECK(down.n == 4096);
  CHECK(down.k == 11008 / 8);
  CHECK(find(kernels, "gate_up").n == 2 * 11008 / 8);
  // Scores and values of half of all pairs: 4 heads of 128 elements, two sequences.
  CHECK(find(kernels, "attention").descriptor.flops == 4ULL * 2 * (512 * 513 / 2) * 512);
  CHECK(find(kernels, "lm_head").m == 2);
  CHECK(allreduce_bytes(model("llama2-7b"), step) == 2ULL * 2 * 512 * 4096);
}

TEST_CASE("a decoding step reads weights and cache, and reduces 2 b h bytes") {
  const decoder_step step{4, 1, 1000};
  const decoder_kernels kernels =
      kernels_of(model("llama2-70b"), step, weight_type::fp8, 8, h200_rates());
  CHECK(allreduce_bytes(model("llama2-70b"), step) == 2ULL * 4 * 8192);
  // One group of keys and values on each GPU, 128 elements each; FP16 also with FP8 weights.
  const decoder_kernel& attention = find(kernels, "attention");
  CHECK(attention.descriptor.bytes == 2ULL * (2 * 4 * 1024 + 2 * 4 * 1000 * 128));
  CHECK(attention.descriptor.flops == 4ULL * 4 * 1000 * 1024);
  const decoder_kernel& output = find(kernels, "output");
  CHECK(output.descriptor.bytes == 4 * 1024 + 8192 * 1024 + 2ULL * 4 * 8192);
  CHECK(output.descriptor.precision == KERNEL_FP8);
  CHECK(find(kernels, "lm_head").descriptor.precision == KERNEL_FP16);
}

TEST_CASE("shards add up: multiply-adds of all ranks are those of one GPU alone") {
  const std::uint64_t ranks = GENERATE(2, 4, 8);
  const decoder_step step{3, 40, 40};
  const decoder_kernels whole =
      kernels_of(model("llama2-7b"), step, weight_type::fp16, 1, h200_rates());
  const decoder_kernels part =
      kernels_of(model("llama2-7b"), step, weight_type::fp16, ranks, h200_rates());
  for (std::size_t list = 0; list < INFERENCE_LISTS; ++list)
    CHECK(flops_of(whole[list]) == ranks * flops_of(part[list]));
}

TEST_CASE("no kernel is faster than peak and HBM allow, and more efficiency never slows one") {
  const decoder_step step = GENERATE(decoder_step{1, 128, 128}, decoder_step{8, 2048, 2048},
                                     decoder_step{1, 1, 513}, decoder_step{64, 1, 4096});
  const weight_type type = GENERATE(weight_type::fp16, weight_type::fp8);
  kernel_rates slow = h200_rates();
  slow.efficiency = 0.5;
  const auto fast_kernels = kernels_of(model("llama2-13b"), step, type, 8, h200_rates());
  const auto slow_kernels = kernels_of(model("llama2-13b"), step, type, 8, slow);
  for (std::size_t list = 0; list < INFERENCE_LISTS; ++list) {
    CHECK(time_of(fast_kernels[list], h200_rates()) <= time_of(slow_kernels[list], slow));
    for (const decoder_kernel& each : fast_kernels[list]) {
      const double peak = each.descriptor.precision == KERNEL_FP8 ? 1979e12 : 989e12;
      const double time = seconds(h200_rates().kernel_time(each.descriptor));
      INFO(each.name);
      CHECK(time >= static_cast<double>(each.descriptor.flops) / (0.7 * peak));
      CHECK(time >= static_cast<double>(each.descriptor.bytes) / 4.32e12);
      CHECK(each.descriptor.block_flops * each.descriptor.blocks >= each.descriptor.flops);
    }
  }
}

TEST_CASE("no step takes less time than one of a shorter context or prompt") {
  const bool is_prompt = GENERATE(false, true);
  const std::string name = GENERATE("llama2-7b", "llama2-70b");
  const auto time_at = [&](std::uint64_t context) {
    const decoder_step step{1, is_prompt ? context : 1, context};
    fs_t time = 0;
    for (const auto& list : kernels_of(model(name), step, weight_type::fp16, 8, h200_rates()))
      time += time_of(list, h200_rates());
    return time;
  };
  fs_t before = 0;
  for (std::uint64_t context = 1; context <= 1100; context += context % 64 < 2 ? 1 : 9) {
    const fs_t time = time_at(context);
    INFO(name << (is_prompt ? " prompt " : " context ") << context);
    REQUIRE(time >= before);
    before = time;
  }
}

TEST_CASE("a model of one's own in ten lines, and mistakes in it") {
  const auto read = [](const std::string& text) {
    return read_decoder_model(parse_yaml_text(text, "tiny.yaml"), ".");
  };
  const std::string start = "name: tiny\nhidden: 128\nintermediate: 256\nlayers: 2\n";
  const decoder_model tiny = read(start + "heads: 8\nkv_heads: 2\nvocabulary: 64\n");
  CHECK(tiny.head_size() == 16);
  CHECK(tiny.kv_size() == 32);
  CHECK(tiny.layer_weights() == 128 * (2 * 128 + 2 * 32 + 3 * 256));
  CHECK_THROWS_WITH(read(start + "heads: 7\nvocabulary: 64\n"),
                    Catch::Contains("tiny.yaml:5:8") && Catch::Contains("7 heads"));
  CHECK_THROWS_WITH(read(start + "heads: 8\nkv_heads: 3\nvocabulary: 64\n"),
                    Catch::Contains("tiny.yaml:6:11") && Catch::Contains("evenly"));
  CHECK_THROWS_WITH(read(start + "heads: 8\nvocabulary: 64\nhiden: 1\n"),
                    Catch::Contains("tiny.yaml:7:1") && Catch::Contains("hidden"));
  CHECK_THROWS_WITH(read_decoder_model(parse_yaml_text("llama2-8b", "n.yaml"), "."),
                    Catch::Contains("llama2-7b"));
}

TEST_CASE("a GPU's memory holds its share of weights and cache") {
  const memory_need need = memory_of(model("llama2-7b"), weight_type::fp16, 8, 4, 500, 12);
  CHECK(need.cache == 2ULL * 32 * 4096 / 8 * 4 * 512 * 2);
  // Every GPU has the whole embedding, because it looks its tokens up without the others.
  constexpr std::uint64_t embedding = 2ULL * 32000 * 4096, norms = 2ULL * 65 * 4096;
  const std::uint64_t layers = 2 * 32 * model("llama2-7b").layer_weights();
  CHECK(need.weights == layers / 8 + embedding + embedding / 8 + norms);
  CHECK(memory_of(model("llama2-70b"), weight_type::fp16, 1, 1, 1, 0).all() > 137'000'000'000);
}
