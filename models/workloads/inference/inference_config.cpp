#include "models/workloads/inference/inference_config.hpp"

#include "platform/yaml/mapping.hpp"

namespace heddle {
namespace {

// The all-reduces as if a workload of kind `collective` asked for them: its keys, its checks.
collective_config read_allreduce(yaml_mapping& mapping, const workload_settings& settings) {
  const source_place& place = settings.place;
  std::vector<yaml_entry> entries = {
      {"collective", place, yaml_node::scalar("allreduce", false, place)},
      {"bytes", place, yaml_node::scalar("2 B", false, place)},  // each step has its own
      {"instructions", place, yaml_node::scalar("on_demand", false, place)},
      {"addresses", place, yaml_node::scalar("single", false, place)}};
  const auto of_allreduces = static_cast<std::ptrdiff_t>(entries.size());
  for (const char* key : {"algorithm", "protocol", "quantization", "slots", "slot_bytes", "pieces"})
    if (const auto n = mapping.optional(key)) entries.push_back({key, n->place(), *n});
  yaml_mapping of(yaml_node::mapping(std::move(entries), place), "workload");
  collective_config config = read_collective(of, settings);
  of.finish();
  config.given.erase(config.given.begin(), config.given.begin() + of_allreduces);
  return config;
}

// `steps: [prefill, decode]`, or one of them.
std::vector<std::size_t> read_steps(yaml_mapping& mapping, std::uint64_t decode) {
  bool has_prefill = true, has_decode = true;
  const auto node = mapping.optional("steps");
  if (node) {
    has_prefill = has_decode = false;
    for (const yaml_node& each : as_list(*node))
      (as_choice(each, "step", {"prefill", "decode"}) == "prefill" ? has_prefill : has_decode) =
          true;
  }
  std::vector<std::size_t> steps;
  if (has_prefill) steps.push_back(0);
  for (std::size_t token = 1; has_decode && token <= decode; ++token) steps.push_back(token);
  if (steps.empty()) throw user_error(node->place(), "expected a step: no token is decoded");
  return steps;
}

}  // namespace

inference_config read_inference(yaml_mapping& mapping, const workload_settings& settings) {
  constexpr std::int64_t most_batch = 65'536, most_tokens = 1 << 20;
  inference_config config;
  config.place = config.kernels_place = config.prefill_place = config.numerics_place =
      settings.place;
  config.model_node = mapping.required("model");
  config.model_place = config.model_node.place();
  if (const auto n = mapping.optional("dtype"))
    config.type =
        as_choice(*n, "dtype", {"fp16", "fp8"}) == "fp8" ? weight_type::fp8 : weight_type::fp16;
  read_integer(mapping.optional("batch"), config.batch, 1, most_batch);
  if (const auto n = mapping.optional("prefill")) {
    config.prefill = static_cast<std::uint64_t>(as_integer(*n, 1, most_tokens));
    config.prefill_place = n->place();
  }
  read_integer(mapping.optional("decode"), config.decode, 0, most_tokens);
  config.steps = read_steps(mapping, config.decode);
  if (const auto n = mapping.optional("kernels")) {
    config.kernels = as_text(*n);
    config.kernels_place = n->place();
  }
  if (const auto n = mapping.optional("layers"))
    config.simulates_all = as_choice(*n, "layers", {"all", "until_steady"}) == "all";
  if (const auto n = mapping.optional("numerics")) {
    config.has_numerics = as_choice(*n, "numerics", {"none", "real"}) == "real";
    config.numerics_place = n->place();
  }
  config.reduce = read_allreduce(mapping, settings);
  return config;
}

std::string algorithm_of_step(const std::string& name, bool is_prefill) {
  return name == "scin_inq" && !is_prefill ? "scin" : name;
}

}  // namespace heddle
