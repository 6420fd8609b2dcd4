#include "models/workloads/moe/moe_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/workloads/moe/moe_utilization.hpp"
#include "platform/services/run_control.hpp"
#include "platform/tensor/dtype.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/workload/boot_image.hpp"

namespace heddle {
namespace {

// Tokens of every block of every rank: (chunk, own expert).
std::vector<std::vector<std::uint32_t>> counts_of(const moe_shape& shape,
                                                  const expert_routing& routing,
                                                  std::uint32_t chunks) {
  const std::uint32_t of_chunk = shape.tokens / chunks;
  std::vector<std::vector<std::uint32_t>> counts(
      shape.gpus, std::vector<std::uint32_t>(chunks * shape.experts_per_gpu()));
  for (std::uint32_t token = 0; token < shape.gpus * shape.tokens; ++token) {
    const std::uint32_t chunk = token % shape.tokens / of_chunk;
    for (const std::uint16_t expert : routing.of(token)) {
      if (expert >= shape.experts) continue;  // the hardware refuses it
      const std::uint32_t own = expert % shape.experts_per_gpu();
      ++counts[expert / shape.experts_per_gpu()][chunk * shape.experts_per_gpu() + own];
    }
  }
  return counts;
}

std::uint64_t most_places(const std::vector<std::vector<std::uint32_t>>& counts) {
  std::uint64_t most = 0;
  for (const auto& each : counts)
    most = std::max(most, std::accumulate(each.begin(), each.end(), std::uint64_t{0}));
  return most;
}

moe_shape with_parts(const moe_config& config) {
  moe_shape shape = config.shape;
  shape.tokens *= parts_of(config.pass);
  return shape;
}

// Every GPU's tokens as often as there are parts.
std::optional<expert_routing> repeated(const expert_routing& routing, std::uint32_t parts) {
  if (parts == 1) return {};
  expert_routing result(routing.gpus(), parts * routing.tokens());
  for (std::uint32_t gpu = 0; gpu < routing.gpus(); ++gpu)
    for (std::uint32_t own = 0; own < parts * routing.tokens(); ++own) {
      const auto targets = routing.of(gpu * routing.tokens() + own % routing.tokens());
      result.add({targets.begin(), targets.end()});
    }
  return result;
}

}  // namespace

moe_job::moe_job(const workload_context& context, moe_setting& setting,
                 const moe_schedule& schedule, std::uint32_t number)
    : context_(context),
      setting_(setting),
      schedule_(schedule),
      number_(number),
      shape_(with_parts(setting.config)),
      of_parts_(repeated(setting.routing, parts())),
      routing_(of_parts_ ? *of_parts_ : setting.routing),
      counts_(counts_of(shape_, routing_, chunks())),
      layout_(
          moe_layout_of(shape_, chunks(), most_places(counts_), memory_of(context.cores).data)) {
  const std::uint64_t window = context.cores.ranks.front()->resources().window_bytes;
  if (layout_.end > window)
    throw user_error(setting.config.shape_place,
                     fmt::format("the layer needs {} B of each GPU's memory, which has {} B",
                                 layout_.end, window));
}

token_layer moe_job::layer_of(std::uint32_t rank) const {
  const moe_config& config = setting_.config;
  const std::uint64_t window = context_.cores.ranks[rank]->resources().window;
  const auto bit = [](moe_start when, std::uint32_t of) {
    return when == moe_start::stage ? of : 0;
  };
  token_layer layer{};
  layer.gpus = shape().gpus;
  layer.number = rank;
  layer.experts_per_gpu = shape().experts_per_gpu();
  layer.tokens = shape().tokens;
  layer.topk = shape().topk;
  layer.tile = config.tile;
  layer.hidden = shape().hidden;
  layer.ffn = shape().ffn;
  layer.traffic = static_cast<std::uint32_t>(schedule_.traffic);
  layer.stages = bit(schedule_.gemm1, TOKEN_STAGE_GEMM1) | bit(schedule_.gemm2, TOKEN_STAGE_GEMM2) |
                 bit(schedule_.combine, TOKEN_STAGE_COMBINE);
  layer.chunks = chunks();
  layer.parts = parts();
  layer.overlaps = schedule_.overlaps_parts ? 1 : 0;
  // Where both passes run at once, the backward one, which needs no attention before it, is first.
  constexpr std::uint32_t first = 1, second = 2;
  if (config.pass == moe_pass::backward) layer.backward = first;
  if (config.pass == moe_pass::training) layer.backward = schedule_.overlaps_parts ? first : second;
  const moe_attention attention = attention_of(config.pass, config.shape, config.context);
  layer.attention_flops = static_cast<std::uint64_t>(attention.flops);
  layer.attention_bytes = static_cast<std::uint64_t>(attention.bytes);
  layer.numerics = static_cast<std::uint16_t>(config.has_gemms ? TOKEN_GEMM : TOKEN_SCALE);
  layer.gemm1_matrices = static_cast<std::uint8_t>(shape().matrices() - 1);
  layer.dispatch_bytes = static_cast<std::uint8_t>(shape().dispatched_bytes() / shape().hidden);
  layer.dispatch_sms = config.sms[0];
  layer.combine_sms = config.sms[3];
  const std::uint32_t all_sms = std::accumulate(config.sms.begin(), config.sms.end(), 0U);
  if (!schedule_.overlaps_parts) layer.attention_sms = all_sms;
  const bool is_fused = schedule_.gemm1 == moe_start::tile && schedule_.gemm2 == moe_start::tile;
  const bool by_software = schedule_.traffic == moe_traffic::copies;
  const bool overlaps = schedule_.gemm1 == moe_start::tile || schedule_.chunks > 1;
  if (is_fused) {
    layer.gemm1_sms = config.sms[1];
    layer.gemm2_sms = config.sms[2];
  } else {
    // One GEMM at a time, on all SMs that communication leaves.
    const std::uint32_t taken = !schedule_.keeps_sms ? 0
                                : by_software        ? config.software_sms
                                : overlaps           ? config.sms[0]
                                                     : 0;
    layer.gemm1_sms = all_sms > taken ? all_sms - taken : 1;
  }
  layer.groups = config.has_firmware_groups ? TOKEN_GROUPS_FIRMWARE : TOKEN_GROUPS_HUB;
  layer.command_entries = moe_layout::command_entries;
  layer.list_counts = window + layout_.list_counts;
  layer.commands = window + layout_.commands;
  layer.range = setting_.range;
  layer.lists = window + layout_.lists;
  layer.counts = window + layout_.counts;
  layer.inputs = window + layout_.inputs;
  layer.experts_in = window + layout_.experts_in;
  layer.experts_out = window + layout_.experts_out;
  layer.results = window + layout_.results;
  layer.gates = window + layout_.gates;
  layer.weights = window + layout_.weights;
  layer.gathered = window + layout_.gathered;
  return layer;
}

moe_golden moe_job::golden() const {
  return {shape(), routing_, schedule_.traffic, setting_.config.has_gemms,
          context_.sim.settings().seed};
}

void moe_job::post() {
  for (std::uint32_t rank = 0; rank < shape().gpus; ++rank) {
    rank_core& core = *context_.cores.ranks[rank];
    const std::uint64_t window = core.resources().window;
    const token_layer layer = layer_of(rank);
    core.debug_write(window + memory_of(context_.cores).job, &layer, sizeof layer);
    std::vector<std::uint16_t> lists(std::size_t{shape().tokens} * (1 + shape().topk)), list_counts;
    for (std::uint32_t own = 0; own < shape().tokens; ++own) {
      const auto targets = routing_.of(rank * shape().tokens + own);
      std::uint16_t* list = lists.data() + std::size_t{own} * (1 + shape().topk);
      *list = static_cast<std::uint16_t>(targets.count);
      list_counts.push_back(*list);
      std::copy(targets.begin(), targets.end(), list + 1);
    }
    core.debug_write(layer.lists, lists.data(), lists.size() * sizeof(std::uint16_t));
    core.debug_write(layer.list_counts, list_counts.data(),
                     list_counts.size() * sizeof(std::uint16_t));
    core.debug_write(layer.counts, counts_[rank].data(),
                     counts_[rank].size() * sizeof(std::uint32_t));
    setting_.hubs[rank]->watch_rows(
        [this, rank](const token_row_read& row) { check_row(rank, row); });
    if (context_.sim.settings().carries_data) write_operands(rank);
  }
  before_ = vectors();
}

// What a GEMM reads must be what the sources of its tokens have sent.
void moe_job::check_row(std::uint32_t rank, const token_row_read& row) {
  ++rows_checked_;
  const moe_golden of = golden();
  const std::byte* read = row.vectors;
  for (const std::uint32_t token : *row.tokens) {
    const std::vector<std::byte> sent = of.input(token);
    if (!std::equal(sent.begin(), sent.end(), read))
      context_.sim.service<run_control>().fail(
          fmt::format("{}: GEMM-1 of expert {} on {} reads something else than token {}",
                      schedule_.name, row.expert, context_.cores.ranks[rank]->rank_path(), token));
    read += sent.size();
  }
}

void moe_job::write_operands(std::uint32_t rank) {
  rank_core& core = *context_.cores.ranks[rank];
  const token_layer layer = layer_of(rank);
  const moe_golden of = golden();
  const std::uint64_t bsize = shape().vector_bytes();
  const std::vector<std::byte> nothing(bsize, std::byte{0xff});  // whoever reads too early sees NaN
  for (std::uint32_t own = 0; own < shape().tokens; ++own) {
    core.debug_write(layer.inputs + own * bsize, of.input(rank * shape().tokens + own).data(),
                     bsize);
    core.debug_write(layer.results + own * bsize, nothing.data(), bsize);
  }
  const std::uint64_t places =
      std::accumulate(counts_[rank].begin(), counts_[rank].end(), std::uint64_t{0});
  for (std::uint64_t place = 0; place < places; ++place) {
    core.debug_write(layer.experts_in + place * bsize, nothing.data(), bsize);
    core.debug_write(layer.experts_out + place * bsize, nothing.data(), bsize);
  }
  const std::uint32_t own_experts = shape().experts_per_gpu(), first = rank * own_experts;
  for (std::uint32_t i = 0; i < own_experts && setting_.config.has_gemms; ++i) {
    const std::vector<std::byte> weights = of.weights(first + i);
    core.debug_write(layer.weights + i * weights.size(), weights.data(), weights.size());
  }
  const std::uint32_t all = shape().gpus * shape().tokens;
  for (std::uint32_t token = 0; token < all; ++token)
    for (const std::uint16_t expert : routing_.of(token)) {
      if (expert / own_experts != rank) continue;
      const float gate = of.gate(token, expert);
      const std::uint64_t number = std::uint64_t{expert - first} * all + token;
      core.debug_write(layer.gates + number * sizeof gate, &gate, sizeof gate);
    }
}

// Bit for bit where the order of additions is defined, else within the rounding of each addition.
verdict moe_job::check(const job_times&) {
  for (token_hub* each : setting_.hubs) each->watch_rows({});
  if (!context_.sim.settings().carries_data) return verdict::not_checked;
  constexpr double unit_roundoff = 0x1p-8;  // of BF16
  const bool is_exact = setting_.config.keeps_order || schedule_.traffic == moe_traffic::copies;
  const double bound = 3 * unit_roundoff;  // rounded by GPU, by switch and by source
  moe_golden of = golden();
  std::vector<std::byte> got(shape().vector_bytes());
  std::vector<double> values(shape().hidden);
  bool is_wrong = false;
  for (std::uint32_t token = 0; token < shape().gpus * shape().tokens; ++token) {
    const std::uint32_t rank = token / shape().tokens, own = token % shape().tokens;
    rank_core& core = *context_.cores.ranks[rank];
    core.debug_read(layer_of(rank).results + own * got.size(), got.data(), got.size());
    const moe_golden::result expected = of.of(token);
    to_double(dtype::bf16, got.data(), values.data(), values.size());
    bool is_near = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double error = std::abs(values[i] - expected.exact[i]);
      is_near &= error <= bound * expected.magnitudes[i];
      if (expected.magnitudes[i] > 0)
        max_error_ = std::max(max_error_, error / expected.magnitudes[i]);
    }
    if (is_exact ? got == expected.bits : is_near) continue;
    if (!is_wrong)
      context_.sim.service<run_control>().fail(
          fmt::format("wrong data: {}: token {} of {} is not the sum of its experts",
                      schedule_.name, own, core.rank_path()));
    is_wrong = true;
  }
  return is_wrong ? verdict::failed : verdict::verified;
}

token_vectors moe_job::vectors() const {
  token_vectors all;
  for (const token_hub* each : setting_.hubs) all += each->vectors();
  return all;
}

// Of several layers by one schedule the last one stays.
void moe_job::draw(const workload_result& result) const {
  if (context_.directory.empty() || result.time() == 0) return;
  constexpr std::size_t intervals = 128;
  moe_utilization drawn = utilization_of(setting_.hubs, result.start, result.end, intervals);
  drawn.title = fmt::format("moe_layer by {}: share of the wires' time, {:.1f} us in all",
                            schedule_.name, 1e6 * seconds(result.time()));
  output_file file(context_.directory + "/moe_utilization_" + schedule_.name + ".svg");
  file.write(utilization_plot(drawn));
  file.commit();
}

}  // namespace heddle
