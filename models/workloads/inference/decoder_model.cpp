#include "models/workloads/inference/decoder_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/suggest.hpp"
#include "platform/yaml/mapping.hpp"
#include "platform/yaml/parse.hpp"

namespace heddle {
namespace {

std::uint64_t size_of_key(yaml_mapping& mapping, const char* key, std::int64_t most) {
  return static_cast<std::uint64_t>(as_integer(mapping.required(key), 1, most));
}

decoder_model read_mapping(const yaml_node& node) {
  constexpr std::int64_t most = 1 << 20, most_layers = 4096;
  yaml_mapping mapping(node, "model");
  decoder_model model;
  model.name = as_text(mapping.required("name"));
  model.hidden = size_of_key(mapping, "hidden", most);
  model.intermediate = size_of_key(mapping, "intermediate", most);
  model.layers = size_of_key(mapping, "layers", most_layers);
  const yaml_node heads = mapping.required("heads");
  model.heads = static_cast<std::uint64_t>(as_integer(heads, 1, most));
  model.kv_heads = model.heads;
  model.vocabulary = size_of_key(mapping, "vocabulary", 1 << 24);
  if (model.hidden % model.heads != 0)
    throw user_error(heads.place(), fmt::format("{} elements are no {} heads of as many",
                                                model.hidden, model.heads));
  if (const auto n = mapping.optional("kv_heads")) {
    model.kv_heads = static_cast<std::uint64_t>(as_integer(*n, 1, most));
    if (model.heads % model.kv_heads != 0)
      throw user_error(n->place(), fmt::format("{} heads cannot share the keys of {} evenly",
                                               model.heads, model.kv_heads));
  }
  mapping.finish();
  return model;
}

}  // namespace

const std::vector<decoder_model>& decoder_models() {
  static const std::vector<decoder_model> models = {{"llama2-7b", 4096, 11008, 32, 32, 32, 32000},
                                                    {"llama2-13b", 5120, 13824, 40, 40, 40, 32000},
                                                    {"llama2-70b", 8192, 28672, 80, 64, 8, 32000}};
  return models;
}

decoder_model read_decoder_model(const yaml_node& node, const std::filesystem::path& folder) {
  if (node.is_mapping()) return read_mapping(node);
  const std::string name = as_text(node);
  std::vector<std::string> names;
  for (const decoder_model& each : decoder_models()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  const std::filesystem::path path(name);
  if (path.extension() != ".yaml")
    throw user_error(node.place(),
                     fmt::format("unknown model '{}'{}: a name of {}, or a file that "
                                 "ends in .yaml",
                                 name, did_you_mean(name, names), fmt::join(names, ", ")));
  return read_mapping(parse_yaml_file((path.is_relative() ? folder / path : path).string()));
}

memory_need memory_of(const decoder_model& model, weight_type type, std::uint64_t ranks,
                      std::uint64_t batch, std::uint64_t prefill, std::uint64_t decode) {
  constexpr std::uint64_t half = 2;  // bytes of FP16
  memory_need need;
  const std::uint64_t vocabulary = model.vocabulary * model.hidden * half;
  const std::uint64_t embedding = vocabulary, head = vocabulary / ranks;
  need.weights = model.layers * model.layer_weights() * size_of(type) / ranks + embedding + head +
                 (2 * model.layers + 1) * model.hidden * half;
  need.cache = 2 * model.layers * model.kv_size() / ranks * batch * (prefill + decode) * half;
  const std::uint64_t widest =
      2 * model.hidden +
      std::max(model.hidden + 2 * model.kv_size(), 3 * model.intermediate) / ranks;
  need.activations = batch * prefill * widest * half;
  return need;
}

}  // namespace heddle
