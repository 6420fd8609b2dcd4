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
  for (const char* key : {"algorithm", "protocol", "quantization", "slots", "slot_bytes", "pieces"})
    if (const auto n = mapping.optional(key)) entries.push_back({key, n->place(), *n});
  yaml_mapping of(yaml_node::mapping(std::move(entries), place), "workload");
  collective_config config = read_collective(of, settings);
  of.finish();
  return config;
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
  if (const auto n = mapping.optional("batch"))
    config.batch = static_cast<std::uint64_t>(as_integer(*n, 1, most_batch));
  if (const auto n = mapping.optional("prefill")) {
    config.prefill = static_cast<std::uint64_t>(as_integer(*n, 1, most_tokens));
    config.prefill_place = n->place();
  }
  if (const auto n = mapping.optional("decode"))
    config.decode = static_cast<std::uint64_t>(as_integer(*n, 0, most_tokens));
  if (const auto n = mapping.optional("kernels")) {
    config.kernels = as_text(*n);
    config.kernels_place = n->place();
  }
  if (const auto n = mapping.optional("layers"))
    config.simulates_all = as_choice(*n, "layers", {"all", "until_steady"}) == "all";
  config.reduce = read_allreduce(mapping, settings);
  return config;
}

std::string algorithm_of_step(const std::string& name, bool is_prefill) {
  return name == "scin_inq" && !is_prefill ? "scin" : name;
}

}  // namespace heddle
