#include "models/workloads/moe/moe_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/workloads/moe/moe_bound.hpp"
#include "models/workloads/moe/moe_descriptor.hpp"
#include "models/workloads/moe/moe_utilization.hpp"
#include "platform/services/run_control.hpp"
#include "platform/trace/output_file.hpp"
#include "platform/workload/boot_image.hpp"
#include "platform/workload/memory_room.hpp"

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
  check_room(context, layout_.end, fmt::format("the layer by {}", schedule.name));
}

token_layer moe_job::layer_of(std::uint32_t rank) const {
  token_layer layer = moe_descriptor(setting_.config, schedule_, shape());
  layer.number = rank;
  layer.range = setting_.range;
  place_moe_layer(layer, layout_, context_.cores.ranks[rank]->resources().window);
  return layer;
}

moe_golden moe_job::golden() const {
  return {shape(), routing_, schedule_.traffic, setting_.config.has_gemms,
          context_.sim.settings().seed};
}

void moe_job::post() {
  for (std::uint32_t rank = 0; rank < shape().gpus; ++rank) {
    write_tables(rank);
    setting_.hubs[rank]->watch_rows(
        [this, rank](const token_row_read& row) { check_row(rank, row); });
    if (context_.sim.settings().carries_data) write_operands(rank);
  }
  before_ = vectors();
}

// The descriptor, lists of experts, and counts of tokens.
void moe_job::write_tables(std::uint32_t rank) {
  rank_core& core = *context_.cores.ranks[rank];
  const token_layer layer = layer_of(rank);
  core.debug_write(core.resources().window + memory_of(context_.cores).job, &layer, sizeof layer);
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
  write_vectors(core, layer, of);
  if (setting_.config.has_gemms) write_weights(core, layer, of);
  write_gates(core, layer, of);
}

// Inputs; whoever reads results or vectors of experts before they are there sees NaN.
void moe_job::write_vectors(rank_core& core, const token_layer& layer, const moe_golden& of) const {
  const std::uint64_t bsize = shape().vector_bytes();
  const std::vector<std::byte> nothing(bsize, std::byte{0xff});
  for (std::uint32_t own = 0; own < shape().tokens; ++own) {
    const std::vector<std::byte> input = of.input(layer.number * shape().tokens + own);
    core.debug_write(layer.inputs + own * bsize, input.data(), bsize);
    core.debug_write(layer.results + own * bsize, nothing.data(), bsize);
  }
  const std::vector<std::uint32_t>& counts = counts_[layer.number];
  const std::uint64_t places = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  for (std::uint64_t place = 0; place < places; ++place) {
    core.debug_write(layer.experts_in + place * bsize, nothing.data(), bsize);
    core.debug_write(layer.experts_out + place * bsize, nothing.data(), bsize);
  }
}

void moe_job::write_weights(rank_core& core, const token_layer& layer, const moe_golden& of) {
  const std::uint32_t first = layer.number * layer.experts_per_gpu;
  for (std::uint32_t i = 0; i < layer.experts_per_gpu; ++i) {
    const std::vector<std::byte> weights = of.weights(first + i);
    core.debug_write(layer.weights + i * weights.size(), weights.data(), weights.size());
  }
}

// Factors of own experts, for the tokens that they get.
void moe_job::write_gates(rank_core& core, const token_layer& layer, const moe_golden& of) const {
  const std::uint32_t first = layer.number * layer.experts_per_gpu;
  const std::uint32_t all = shape().gpus * shape().tokens;
  for (std::uint32_t token = 0; token < all; ++token)
    for (const std::uint16_t expert : routing_.of(token)) {
      if (expert / layer.experts_per_gpu != layer.number) continue;
      const float gate = of.gate(token, expert);
      const std::uint64_t number = std::uint64_t{expert - first} * all + token;
      core.debug_write(layer.gates + number * sizeof gate, &gate, sizeof gate);
    }
}

std::vector<moe_machine> moe_job::machines() const {
  std::vector<moe_machine> machines;
  for (const token_hub* each : setting_.hubs) {
    moe_machine machine;
    machine.wire_rate = each->wire_rate();
    machine.flops = each->flops();
    machine.hbm_rate = each->hbm_rate();
    machine.packet_payload = setting_.largest_mtu;
    machine.packet_header = setting_.smallest_header;
    // A packet and its response: of 128 B, 8 of 10 flits.
    machine.payload_rate = machine.wire_rate * machine.packet_payload /
                           (machine.packet_payload + 2 * machine.packet_header);
    machines.push_back(machine);
  }
  return machines;
}

double moe_job::bound() const {
  const moe_config& config = setting_.config;
  const moe_loads loads =
      loads_of(setting_.routing, config.shape, schedule_.traffic, schedule_.chunks);
  return moe_bound(config.pass, schedule_, config.shape, loads, machines(), config.context);
}

bool moe_job::is_possible(const job_times& times) const {
  const std::string why = impossibility(seconds(times.last_end() - times.first_start()), bound());
  if (why.empty()) return true;
  context_.sim.service<run_control>().fail(
      fmt::format("impossible: moe_layer by {}: {}", schedule_.name, why));
  return false;
}

// The first token that is wrong is told.
verdict moe_job::check(const job_times& times) {
  for (token_hub* each : setting_.hubs) each->watch_rows({});
  if (!is_possible(times)) return verdict::failed;
  if (!context_.sim.settings().carries_data) return verdict::not_checked;
  moe_golden of = golden();
  bool is_wrong = false;
  for (std::uint32_t token = 0; token < shape().gpus * shape().tokens; ++token) {
    if (is_right(token, of)) continue;
    const rank_core& core = *context_.cores.ranks[token / shape().tokens];
    if (!is_wrong)
      context_.sim.service<run_control>().fail(
          fmt::format("wrong data: {}: token {} of {} is not the sum of its experts",
                      schedule_.name, token % shape().tokens, core.rank_path()));
    is_wrong = true;
  }
  return is_wrong ? verdict::failed : verdict::verified;
}

// Bit for bit where the order of additions is defined, else within the rounding of each addition. A
// sum that came in parts was added in the order of their arrival.
bool moe_job::is_right(std::uint32_t token, moe_golden& of) {
  const std::uint32_t rank = token / shape().tokens, own = token % shape().tokens;
  const bool is_ordered = setting_.config.keeps_order && !setting_.hubs[rank]->is_parted(own);
  const bool is_exact = is_ordered || schedule_.traffic == moe_traffic::copies;
  std::vector<std::byte> got(shape().vector_bytes());
  context_.cores.ranks[rank]->debug_read(layer_of(rank).results + own * got.size(), got.data(),
                                         got.size());
  const moe_difference found = of.of(token).difference(got);
  max_error_ = std::max(max_error_, found.error);
  return is_exact ? found.is_same : found.is_within;
}

token_vectors moe_job::vectors() const {
  token_vectors all;
  for (const token_hub* each : setting_.hubs) all += each->vectors();
  return all;
}

// Writes the drawing of a layer. Of several layers by one schedule the last one stays.
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
