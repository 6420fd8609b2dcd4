#include "models/workloads/moe/moe_descriptor.hpp"

#include <numeric>

namespace heddle {
namespace {

void set_shape(token_layer& layer, const moe_config& config, const moe_shape& shape) {
  layer.gpus = shape.gpus;
  layer.experts_per_gpu = shape.experts_per_gpu();
  layer.tokens = shape.tokens;
  layer.topk = shape.topk;
  layer.tile = config.tile;
  layer.hidden = shape.hidden;
  layer.ffn = shape.ffn;
  layer.numerics = static_cast<std::uint16_t>(config.has_gemms ? TOKEN_GEMM : TOKEN_SCALE);
  layer.gemm1_matrices = static_cast<std::uint8_t>(shape.matrices() - 1);
  layer.dispatch_bytes = static_cast<std::uint8_t>(shape.dispatched_bytes() / shape.hidden);
}

void set_steps(token_layer& layer, const moe_schedule& schedule) {
  const auto bit = [](moe_start when, std::uint32_t of) {
    return when == moe_start::stage ? of : 0;
  };
  layer.traffic = static_cast<std::uint32_t>(schedule.traffic);
  layer.stages = bit(schedule.gemm1, TOKEN_STAGE_GEMM1) | bit(schedule.gemm2, TOKEN_STAGE_GEMM2) |
                 bit(schedule.combine, TOKEN_STAGE_COMBINE);
}

// Where both passes run at once, the backward one, which needs no attention before it, is first.
void set_parts(token_layer& layer, const moe_config& config, const moe_schedule& schedule) {
  constexpr std::uint32_t first = 1, second = 2;
  layer.parts = parts_of(config.pass);
  layer.chunks = layer.parts * schedule.chunks;
  layer.overlaps = schedule.overlaps_parts ? 1 : 0;
  if (config.pass == moe_pass::backward) layer.backward = first;
  if (config.pass == moe_pass::training) layer.backward = schedule.overlaps_parts ? first : second;
  const moe_attention attention = attention_of(config.pass, config.shape, config.context);
  layer.attention_flops = static_cast<std::uint64_t>(attention.flops);
  layer.attention_bytes = static_cast<std::uint64_t>(attention.bytes);
}

// SMs that communication takes from the GEMMs where these run one at a time.
std::uint32_t sms_of_communication(const moe_config& config, const moe_schedule& schedule) {
  if (!schedule.keeps_sms) return 0;
  if (schedule.traffic == moe_traffic::copies) return config.software_sms;
  const bool overlaps = schedule.gemm1 == moe_start::tile || schedule.chunks > 1;
  return overlaps ? config.sms[0] : 0;
}

void set_sms(token_layer& layer, const moe_config& config, const moe_schedule& schedule) {
  const std::uint32_t all = std::accumulate(config.sms.begin(), config.sms.end(), 0U);
  layer.dispatch_sms = config.sms[0];
  layer.combine_sms = config.sms[3];
  if (!schedule.overlaps_parts) layer.attention_sms = all;
  const bool is_fused = schedule.gemm1 == moe_start::tile && schedule.gemm2 == moe_start::tile;
  if (is_fused) {
    layer.gemm1_sms = config.sms[1];
    layer.gemm2_sms = config.sms[2];
    return;
  }
  const std::uint32_t taken = sms_of_communication(config, schedule);
  layer.gemm1_sms = all > taken ? all - taken : 1;
}

}  // namespace

token_layer moe_descriptor(const moe_config& config, const moe_schedule& schedule,
                           const moe_shape& shape) {
  token_layer layer{};
  set_shape(layer, config, shape);
  set_steps(layer, schedule);
  set_parts(layer, config, schedule);
  set_sms(layer, config, schedule);
  layer.groups = config.has_firmware_groups ? TOKEN_GROUPS_FIRMWARE : TOKEN_GROUPS_HUB;
  layer.command_entries = moe_layout::command_entries;
  return layer;
}

void place_moe_layer(token_layer& layer, const moe_layout& layout, std::uint64_t window) {
  layer.lists = window + layout.lists;
  layer.counts = window + layout.counts;
  layer.inputs = window + layout.inputs;
  layer.experts_in = window + layout.experts_in;
  layer.experts_out = window + layout.experts_out;
  layer.results = window + layout.results;
  layer.gates = window + layout.gates;
  layer.weights = window + layout.weights;
  layer.gathered = window + layout.gathered;
  layer.list_counts = window + layout.list_counts;
  layer.commands = window + layout.commands;
}

}  // namespace heddle
