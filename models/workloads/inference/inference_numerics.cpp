// Real vectors of a step: what the kernels of each rank compute, and what becomes of it in the
// simulated memories between them.
#include <fmt/format.h>

#include "models/workloads/inference/inference_job.hpp"
#include "models/workloads/inference/sharded_decoder.hpp"
#include "platform/services/run_control.hpp"
#include "platform/tensor/convert.hpp"
#include "sw/collectives/layout.h"

namespace heddle {

// What the all-reduce before has left.
void inference_job::take_sum(std::uint32_t rank) {
  rank_core& core = *context_.cores.ranks[rank];
  const std::uint64_t window = core.resources().window;
  std::vector<std::byte> sum(shape_bytes_);
  if (!chosen_.by->is_quantized) {
    core.debug_read(window + reduce_.data, sum.data(), sum.size());
    return setting_.decoder->add(rank, sum);
  }
  const quantization& how = case_.quant;
  std::vector<std::byte> integers(quantized_bytes(how, reduce_.elements));
  std::vector<std::byte> scales(scale_bytes(how, reduce_.elements));
  core.debug_read(window + reduce_.scratch, integers.data(), integers.size());
  core.debug_read(window + reduce_.scratch + scales_offset(&reduce_), scales.data(), scales.size());
  std::vector<float> values(reduce_.elements);
  dequantize(how, integers.data(), scales.data(), values.size(), values.data());
  narrow(dtype::fp16, values.data(), sum.data(), values.size());
  setting_.decoder->add(rank, sum);
}

void inference_job::write_partial(std::uint32_t rank, const std::vector<std::byte>& partial) {
  rank_core& core = *context_.cores.ranks[rank];
  const std::uint64_t window = core.resources().window;
  if (!chosen_.by->is_quantized)
    return core.debug_write(window + reduce_.data, partial.data(), partial.size());
  const quantization& how = case_.quant;
  std::vector<std::byte> integers(quantized_bytes(how, reduce_.elements));
  std::vector<std::byte> scales(scale_bytes(how, reduce_.elements));
  quantize(how, dtype::fp16, partial.data(), reduce_.elements, integers.data(), scales.data());
  core.debug_write(window + reduce_.scratch, integers.data(), integers.size());
  core.debug_write(window + reduce_.scratch + scales_offset(&reduce_), scales.data(),
                   scales.size());
}

void inference_job::compute(std::uint32_t rank, std::uint32_t tag) {
  sharded_decoder& decoder = *setting_.decoder;
  const std::uint32_t layer = tag / INFERENCE_LISTS;
  switch (tag % INFERENCE_LISTS) {
    case INFERENCE_BEGIN:
      return decoder.embed(rank);
    case INFERENCE_ATTENTION:
      return write_partial(rank, decoder.attention(rank, layer));
    case INFERENCE_MLP:
      return write_partial(rank, decoder.mlp(rank, layer));
    default:
      return decoder.finish(rank);
  }
}

verdict inference_job::check(const job_times&) {
  if (!setting_.decoder) return verdict::not_checked;
  const bool is_quantized = chosen_.by->is_quantized;
  const sharded_decoder::judgment found =
      setting_.decoder->judge(is_quantized ? std::optional(case_.quant) : std::nullopt);
  numeric_ = {found.error, found.bound, found.digest};
  if (found.ranks_agree && found.error <= found.bound) return verdict::verified;
  context_.sim.service<run_control>().fail(
      fmt::format("wrong data: {} {} by {}: {}", config().model.name,
                  step_.number == 0 ? "prefill" : "decoded token", chosen_.by->name,
                  found.ranks_agree
                      ? fmt::format("logits are {:.3g} off the float64 reference, more than {:.3g}",
                                    found.error, found.bound)
                      : std::string("ranks have different sums")));
  return verdict::failed;
}

}  // namespace heddle
