#include "models/workloads/moe/moe_config.hpp"

#include <algorithm>
#include <optional>

#include "platform/yaml/mapping.hpp"

namespace heddle {
namespace {

// Where a model is named, its sizes need not be given.
std::uint32_t size_of_key(const std::optional<yaml_node>& node, std::uint32_t of_model,
                          std::int64_t most) {
  return node ? static_cast<std::uint32_t>(as_integer(*node, 1, most)) : of_model;
}

void read_shape(yaml_mapping& mapping, moe_config& config) {
  config.shape_place = mapping.node().place();
  if (const auto n = mapping.optional("model")) {
    config.shape_place = n->place();
    config.model = as_choice(*n, "model", moe_model_names());
    config.shape = find_moe_model(config.model)->shape;
  }
  constexpr std::int64_t most_experts = 32768, most_tokens = 65536, most_hidden = 32768;
  moe_shape& shape = config.shape;
  shape.experts = size_of_key(mapping.optional("experts"), shape.experts, most_experts);
  shape.topk = size_of_key(mapping.optional("topk"), shape.topk, most_experts);
  shape.hidden = size_of_key(mapping.optional("hidden"), shape.hidden, most_hidden);
  shape.ffn = size_of_key(mapping.optional("ffn"), shape.ffn, most_hidden);
  const auto tokens = mapping.optional("tokens");
  config.tokens_place = tokens ? tokens->place() : config.shape_place;
  shape.tokens = size_of_key(tokens, shape.tokens, most_tokens);
  if (const auto n = mapping.optional("gated")) {
    config.gated_place = n->place();
    shape.is_gated = as_bool(*n);
  }
  if (const auto n = mapping.optional("dispatch_dtype")) {
    config.dtype_place = n->place();
    shape.dispatches_fp8 = as_choice(*n, "dispatch_dtype", {"bf16", "fp8"}) == "fp8";
  }
  if (!config.model.empty()) return;
  for (const char* key : {"experts", "topk", "hidden", "ffn", "tokens"}) mapping.required(key);
}

void read_routing_keys(const yaml_node& node, moe_config& config) {
  config.routing_place = node.place();
  yaml_mapping mapping(node, "routing");
  if (const auto n = mapping.optional("file")) {
    config.routing_file = as_text(*n);
  } else {
    const std::string kind = as_choice(mapping.required("kind"), "kind", {"normal", "power"});
    config.routing.of =
        kind == "normal" ? routing_distribution::kind::normal : routing_distribution::kind::power;
    constexpr double in_training = 0.032, in_inference = 1.5;
    config.routing.spread = kind == "normal" ? in_training : in_inference;
    if (const auto s = mapping.optional("spread")) {
      config.routing.spread = as_double(*s);
      if (!(config.routing.spread >= 0 && config.routing.spread <= 10))
        throw user_error(s->place(), "expected a spread from 0 to 10");
    }
  }
  mapping.finish();
}

void read_pass(yaml_mapping& mapping, moe_config& config) {
  config.pass_place = mapping.node().place();
  if (const auto n = mapping.optional("pass")) {
    config.pass_place = n->place();
    const std::vector<std::string>& names = moe_pass_names();
    const std::string name = as_choice(*n, "pass", names);
    config.pass =
        static_cast<moe_pass>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  if (const auto n = mapping.optional("context")) {
    if (config.pass != moe_pass::decode)
      throw user_error(n->place(), "`context` is what tokens are decoded behind: `pass: decode`");
    config.context = static_cast<std::uint32_t>(as_integer(*n, 1, 1 << 24));
  }
  for (const moe_schedule* each : config.schedules)
    if (each->overlaps_parts && config.pass != moe_pass::training)
      throw user_error(config.pass_place,
                       each->name + " overlaps a forward with a backward pass: `pass: training`");
}

void read_sms(const yaml_node& node, moe_config& config) {
  config.sms_place = node.place();
  const std::vector<yaml_node> numbers = as_list(node);
  if (numbers.size() != config.sms.size())
    throw user_error(node.place(),
                     "expected the SMs of dispatch, GEMM-1, GEMM-2 and combine: [16, 50, 50, 16]");
  for (std::size_t i = 0; i < numbers.size(); ++i)
    config.sms[i] = static_cast<std::uint32_t>(as_integer(numbers[i], 1, 1024));
}

void read_groups(const yaml_node& node, moe_config& config) {
  config.has_firmware_groups = as_choice(node, "groups", {"hub", "firmware"}) == "firmware";
  if (!config.has_firmware_groups) return;
  for (const moe_schedule* each : config.schedules)
    if (each->traffic != moe_traffic::multicast || each->chunks > 1)
      throw user_error(node.place(), each->name + ": firmware drives dynamic multimem alone");
  if (config.shape.dispatches_fp8)
    throw user_error(config.dtype_place, "firmware dispatches vectors of bf16");
  if (config.pass != moe_pass::forward)
    throw user_error(node.place(), "firmware drives a forward pass without attention");
}

}  // namespace

moe_config read_moe(yaml_mapping& mapping, const workload_settings& settings) {
  moe_config config;
  config.place = config.routing_place = config.sms_place = settings.place;
  read_shape(mapping, config);
  for (const yaml_node& each : as_list(mapping.required("schedule")))
    config.schedules.push_back(
        find_moe_schedule(as_choice(each, "schedule", moe_schedule_names())));
  read_pass(mapping, config);
  if (const auto n = mapping.optional("routing")) read_routing_keys(*n, config);
  read_integer(mapping.optional("tile"), config.tile, 1, 4096);
  if (const auto n = mapping.optional("numerics"))
    config.has_gemms = as_choice(*n, "numerics", {"gemm", "scale"}) == "gemm";
  if (config.has_gemms && config.shape.is_gated)
    throw user_error(config.gated_place, "real vectors are multiplied without a gate: `numerics`");
  if (const auto n = mapping.optional("order"))
    config.keeps_order = as_choice(*n, "order", {"arrival", "target"}) == "target";
  if (const auto n = mapping.optional("sms")) read_sms(*n, config);
  read_integer(mapping.optional("software_sms"), config.software_sms, 0, 1024);
  if (const auto n = mapping.optional("groups")) read_groups(*n, config);
  read_integer(mapping.optional("repeat"), config.repeat, 1, 1'000'000);
  return config;
}

}  // namespace heddle
