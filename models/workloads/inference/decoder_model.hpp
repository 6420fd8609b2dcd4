// Language models as a stack of alike decoder layers: attention over a cache of keys and values,
// then an MLP with a gate, each behind a norm. Weights have one type, activations that cross
// between GPUs are FP16.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/yaml/node.hpp"

namespace heddle {

// Of the weights and inputs of the GEMMs of a layer. The rest is FP16: attention, its cache, norms,
// embedding and LM head.
enum class weight_type { fp16, fp8 };

constexpr std::uint64_t size_of(weight_type type) {
  return type == weight_type::fp16 ? 2 : 1;
}
constexpr const char* name_of(weight_type type) {
  return type == weight_type::fp16 ? "fp16" : "fp8";
}

struct decoder_model {
  std::string name;
  std::uint64_t hidden = 0;        // elements of a token's vector
  std::uint64_t intermediate = 0;  // of the MLP
  std::uint64_t layers = 0;
  std::uint64_t heads = 0;
  std::uint64_t kv_heads = 0;  // groups of queries share keys and values; `heads`: none do
  std::uint64_t vocabulary = 0;

  std::uint64_t head_size() const { return hidden / heads; }
  std::uint64_t kv_size() const { return kv_heads * head_size(); }
  std::uint64_t layer_weights() const {  // elements, norms aside
    return hidden * (2 * hidden + 2 * kv_size() + 3 * intermediate);
  }
};

// LLaMA-2 (Touvron et al. 2023, Table 1 and the released configurations).
const std::vector<decoder_model>& decoder_models();

// A name of these, a mapping with the members as keys, or the name of a YAML file of such a
// mapping, relative to the folder. Throws user_error.
decoder_model read_decoder_model(const yaml_node& node, const std::filesystem::path& folder);

// Bytes of each rank's HBM: its share of the weights, the whole embedding, the cache of keys and
// values of so many tokens of each sequence, and activations of the largest step.
struct memory_need {
  std::uint64_t weights = 0, cache = 0, activations = 0;
  std::uint64_t all() const { return weights + cache + activations; }
};
memory_need memory_of(const decoder_model& model, weight_type type, std::uint64_t ranks,
                      std::uint64_t batch, std::uint64_t prefill, std::uint64_t decode);

}  // namespace heddle
