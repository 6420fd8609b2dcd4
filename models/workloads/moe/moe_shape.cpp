#include "models/workloads/moe/moe_shape.hpp"

namespace heddle {
namespace {

moe_shape shape_of(std::uint32_t experts, std::uint32_t topk, std::uint32_t hidden,
                   std::uint32_t ffn, std::uint32_t tokens) {
  moe_shape shape;
  shape.experts = experts;
  shape.topk = topk;
  shape.hidden = hidden;
  shape.ffn = ffn;
  shape.tokens = tokens;
  return shape;
}

}  // namespace

const std::vector<moe_model>& moe_models() {
  static const std::vector<moe_model> all = {
      {"S", shape_of(64, 8, 2048, 512, 2048)},
      {"M", shape_of(128, 8, 4096, 1024, 4096)},
      {"L", shape_of(256, 8, 7168, 2048, 8192)},
      {"gpt-oss-120b", shape_of(64, 4, 2880, 2880, 4096)},
      {"qwen3-235b", shape_of(128, 8, 4096, 1536, 4096)},
  };
  return all;
}

std::vector<std::string> moe_model_names() {
  std::vector<std::string> names;
  for (const moe_model& each : moe_models()) names.push_back(each.name);
  return names;
}

const moe_model* find_moe_model(const std::string& name) {
  for (const moe_model& each : moe_models())
    if (each.name == name) return &each;
  return nullptr;
}

}  // namespace heddle
