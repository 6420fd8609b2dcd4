#include "models/gpu/hub/sm_groups.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/expert_rows.hpp"
#include "models/gpu/hub/layer_parts.hpp"
#include "models/gpu/hub/tile_schedule.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t block_side = 128;  // of a thread block's part of the result

std::uint32_t blocks_of(std::uint32_t elements) {
  return (elements + block_side - 1) / block_side;
}

}  // namespace

void sm_groups::configure() {
  pool_.clear();
  causes_.clear();
  freed_.clear();
  const bool shares_sms = layer_.attention_sms == 0;
  const auto helping = [shares_sms](int other) {
    return shares_sms ? std::vector<int>{other, attention_group} : std::vector<int>{other};
  };
  pool_.add_group(layer_.gemm1_sms, helping(gemm2_group));
  pool_.add_group(layer_.gemm2_sms, helping(gemm1_group));
  pool_.add_group(layer_.attention_sms);
}

void sm_groups::multiply(token_step step, std::uint32_t row) {
  const bool is_first = step == token_step::gemm1;
  const std::uint32_t block = tracker_.block_of(row), expert = layer_.expert_of_block(block);
  const std::uint32_t matrices = is_first ? layer_.gemm1_matrices : 1;
  const double times = layer_.is_backward(layer_.part_of_block(block)) ? 2 : 1;
  const std::uint32_t columns = is_first ? layer_.ffn : layer_.hidden;
  const std::uint32_t inner = is_first ? layer_.hidden : layer_.ffn;
  sm_batch batch;
  batch.tag = row;
  batch.blocks = matrices * blocks_of(layer_.tile) * blocks_of(columns);
  batch.block_flops = times * 2 * block_side * block_side * inner;
  batch.operands = 2ULL * expert + (is_first ? 0 : 1);
  batch.operand_bytes = std::uint64_t{matrices} * layer_.hidden * layer_.ffn;  // FP8
  submit(is_first ? gemm1_group : gemm2_group, batch);
}

// On SMs of its own, as a kernel that runs alone; or beside GEMMs, in blocks that share their SMs.
void sm_groups::attend(std::uint32_t part) {
  constexpr std::uint32_t blocks_of_sm = 8;
  const bool is_alone = layer_.attention_sms != 0;
  const double times = layer_.is_backward(part) ? 2 : 1;
  sm_batch batch;
  batch.tag = part;
  batch.blocks =
      is_alone ? layer_.attention_sms : blocks_of_sm * (layer_.gemm1_sms + layer_.gemm2_sms);
  batch.block_flops = times * static_cast<double>(layer_.attention_flops) / batch.blocks;
  batch.operands = attention_operands - part;
  batch.operand_bytes = static_cast<std::uint64_t>(times) * layer_.attention_bytes;
  submit(attention_group, batch);
}

void sm_groups::submit(int group, const sm_batch& batch) {
  if (running_cause::now()) causes_[{group, batch.tag}] = {running_cause::copy(), 0};
  pool_.submit(group, batch);
}

void sm_groups::batch_begins(int group, const sm_batch& batch, fs_t operands_at) {
  if (const auto found = causes_.find({group, batch.tag}); found != causes_.end()) {
    cause& why = found->second.why;
    if (why.when() < now_fs()) why.join(freed_);
    why.then(category::queueing, site_, now_fs());
    found->second.operands_at = operands_at;
  }
  if (group == attention_group) return;
  span(group == gemm1_group ? token_step::gemm1 : token_step::gemm2).cover(now_fs());
  if (group != gemm1_group) return;
  check_row(batch.tag);
  if (settings_.carries_data) rows_.read(batch.tag);
}

void sm_groups::check_row(std::uint32_t row) const {
  if (blocks_.has_all_of(row, now_fs())) return;
  owner_.sim().service<run_control>().fail(fmt::format(
      "{}: GEMM-1 of row {} begins before memory has acknowledged all of it", owner_.path(), row));
}

void sm_groups::batch_done(int group, const sm_batch& batch) {
  batch_cause done;
  if (const auto found = causes_.find({group, batch.tag}); found != causes_.end()) {
    done = std::move(found->second);
    causes_.erase(found);
    // Operands that come while blocks compute keep nobody waiting.
    if (done.why.when() + pool_.block_time(batch) < done.operands_at)
      done.why.then(category::memory, site_, done.operands_at);
    done.why.then(category::compute, site_, now_fs());
    freed_ = done.why;
  }
  const running_cause computed(done.why);
  if (group == attention_group) return parts_.attended(batch.tag);
  span(group == gemm1_group ? token_step::gemm1 : token_step::gemm2).cover(now_fs());
  if (group == gemm1_group) return tiles_.gemm1_done(batch.tag);
  const bool is_written = !settings_.carries_data || rows_.write(batch.tag);
  if (is_written) tiles_.gemm2_done(batch.tag);
}

}  // namespace heddle
