#include "models/gpu/hub/layer_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/time/time_limits.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {

// The tables come after the shape, which keeps their products within 64 bits and their divisors
// from being 0.
bool layer_check::is_sensible(const layer_map& l) const {
  return has_sensible_shape(l) && has_sensible_tables(l) && l.traffic <= TOKEN_EVERYBODY &&
         has_sensible_sms(l) && has_sensible_vectors(l) && has_sensible_groups(l) &&
         has_addresses(l);
}

bool layer_check::has_sensible_shape(const layer_map& l) {
  constexpr std::uint32_t most_tokens = 1 << 16, most_hidden = 1 << 15, most_ffn = 1 << 20;
  constexpr std::uint64_t most_experts = std::uint64_t{UINT16_MAX} + 1;  // numbers of 16 bits
  if (l.gpus < 2 || l.number >= l.gpus || l.experts_per_gpu == 0) return false;
  if (l.tokens == 0 || l.tokens > most_tokens || l.tile == 0 || l.tile > most_tokens) return false;
  if (l.hidden == 0 || l.hidden > most_hidden || l.ffn == 0 || l.ffn > most_ffn) return false;
  const std::uint64_t experts = std::uint64_t{l.gpus} * l.experts_per_gpu;
  if (experts > most_experts || l.topk > std::min<std::uint64_t>(experts, UINT16_MAX)) return false;
  if (l.chunks == 0 || l.tokens % l.chunks != 0) return false;
  return l.parts != 0 && l.parts <= 2 && l.tokens % l.parts == 0 && l.chunks % l.parts == 0;
}

// The layout manager has an entry for each block and token. Both limits are far above what a layer
// needs, and keep a wrong number from taking all memory of the simulator's host.
bool layer_check::has_sensible_tables(const layer_map& l) {
  constexpr std::uint64_t most_blocks = 1 << 20, most_entries = 1 << 30;  // 4 GiB
  const std::uint64_t blocks = std::uint64_t{l.chunks} * l.experts_per_gpu;
  const std::uint64_t of_lists = std::uint64_t{l.tokens} * (1 + std::uint64_t{l.topk});
  return blocks <= most_blocks && of_lists <= most_entries &&
         std::uint64_t{l.gpus} * l.tokens * blocks <= most_entries;
}

// GEMM-2 may have no SMs of its own: those of GEMM-1 help. Attention, of at most two parts, must
// end within simulated time; a backward part takes twice as long.
bool layer_check::has_sensible_sms(const layer_map& l) const {
  constexpr fs_t longest_attention = end_of_time / 4;
  constexpr double backward = 2;
  const std::uint32_t all_sms = settings_.sms;
  const std::uint64_t of_gemms = std::uint64_t{l.gemm1_sms} + l.gemm2_sms;
  if (l.gemm1_sms == 0 || of_gemms > all_sms) return false;
  if (std::max({l.dispatch_sms, l.combine_sms, l.attention_sms}) > all_sms) return false;
  if (!l.has_attention()) return true;
  const auto sms = static_cast<double>(l.attention_sms != 0 ? l.attention_sms : of_gemms);
  const double computing = backward * static_cast<double>(l.attention_flops) /
                           (settings_.flops * sms / static_cast<double>(all_sms));
  const double reading = backward * static_cast<double>(l.attention_bytes) /
                         static_cast<double>(settings_.hbm.bytes_per_second());
  return std::max(computing, reading) <= seconds(longest_attention);
}

bool layer_check::has_sensible_vectors(const layer_map& l) const {
  if (l.gemm1_matrices == 0 || l.gemm1_matrices > 2) return false;
  const bool computes = settings_.carries_data && l.numerics == TOKEN_GEMM;
  if (computes && l.gemm1_matrices != 1) return false;
  return l.dispatch_bytes == 2 || (l.dispatch_bytes == 1 && !settings_.carries_data);
}

bool layer_check::has_sensible_groups(const layer_map& l) {
  const bool is_simple = l.traffic == TOKEN_MULTICAST && l.chunks == 1 && l.attention_flops == 0;
  return l.groups <= TOKEN_GROUPS_FIRMWARE && (l.groups != TOKEN_GROUPS_FIRMWARE || is_simple);
}

// Every GPU is there, and devices in switches where vectors are not copied for each target.
bool layer_check::has_addresses(const layer_map& l) const {
  const address_window* range = net_.find_window(l.range);
  const bool has_switches = range && net_.is_inc(range->endpoint);
  if (l.traffic != TOKEN_COPIES && !has_switches) return false;
  for (std::uint32_t gpu = 0; gpu < l.gpus; ++gpu)
    if (!net_.find_window(settings_.window_of(gpu))) return false;
  return true;
}

std::string layer_check::unreached(const layer_map& l, const hub_wires& wires) const {
  for (std::uint32_t gpu = 0; gpu < l.gpus; ++gpu) {
    if (gpu == l.number) continue;
    const endpoint_id peer = net_.find_window(settings_.window_of(gpu))->endpoint;
    if (!wires.reaches(peer))
      return fmt::format("rank {} ({})", gpu, net_.endpoint(peer).owner->path());
  }
  return {};
}

bool layer_check::are_counts_sensible(const layer_map& l) {
  return std::all_of(l.block_tokens.begin(), l.block_tokens.end(),
                     [&l](std::uint32_t each) { return each <= l.all_tokens(); });
}

}  // namespace heddle
