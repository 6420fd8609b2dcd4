// Own tokens: when they are ready, what is fetched or received for them, and their results.
#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/hub/token_hub.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

// Ranks that were told different layers name tokens that this one does not have, or has not sent.
void token_hub::expert_done(std::uint32_t own, endpoint_id sender) {
  if (!has_dispatched(own))
    return fail(
        error::REMOTE, first_token() + own, 0,
        fmt::format("{} is done with token {} of rank {}, which has {} and has not sent that one",
                    sender_name(sender), own, layer_.number, layer_.tokens));
  const token_tracker::update update = tracker_.expert_done(own, now_fs());
  if (update.is_ready) ready_tokens_.push(polled(update.seen), own);
}

void token_hub::take_ready_tokens() {
  for (std::uint32_t own = 0; ready_tokens_.pop_due(now_fs(), own);) token_ready(own);
  pump();
}

void token_hub::token_ready(std::uint32_t own) {
  chunk_state& chunk = chunks_[chunk_of(own)];
  --chunk.tokens_left;
  if (!waits_for_stage(TOKEN_STAGE_COMBINE) || layer_.traffic == TOKEN_COPIES)
    return token_may_return(own);
  chunk.held_tokens.push_back(own);
  if (chunk.tokens_left > 0) return;
  std::vector<std::uint32_t> tokens;
  tokens.swap(chunk.held_tokens);
  std::sort(tokens.begin(), tokens.end());
  for (const std::uint32_t each : tokens) token_may_return(each);
}

void token_hub::combine(std::uint32_t own, const token_list& list) {
  const auto bytes = static_cast<std::uint32_t>(bsize(token_stage::combine));
  vector_move move;
  move.kind = token_fetch;
  move.stage = token_stage::combine;
  move.token = first_token() + own;
  target_list::experts_type here;
  for (std::uint32_t i = 0; i < list.count; ++i)
    (gpu_of_expert(list.experts[i]) == layer_.number ? here : move.experts)
        .push_back(list.experts[i]);
  spans_[3].cover(now_fs());
  own_token& token = own_[own];
  token.missing = bytes;
  std::vector<float> sum;
  token.own_ready =
      add_own(here, move.token, 0, bytes, format_.packets.packets(bytes), sum, now_fs());
  if (token.own_ready == fs_never) return;
  move.is_for_all = layer_.traffic == TOKEN_EVERYBODY;
  if (move.experts.empty() && !move.is_for_all)
    return write_result(own, 0, sum, bytes, token.own_ready);
  if (carries_data_ && !here.empty()) own_sums_[own] = std::move(sum);
  combine_.moves.push_back(std::move(move));
}

// All own experts are done with a token, whoever's it is (copies).
void token_hub::part_ready(std::uint32_t token) {
  vector_move move;
  move.stage = token_stage::combine;
  move.token = token;
  move.gpu = static_cast<int>(gpu_of_token(token));
  for (std::uint32_t i = 0; i < layer_.experts_per_gpu; ++i) {
    const std::uint32_t expert = first_expert() + i;
    if (layout_.look_up(block_of(expert, token), token).error == layout_error::none)
      move.experts.push_back(static_cast<std::uint16_t>(expert));
  }
  spans_[3].cover(now_fs());
  if (gpu_of_token(token) != layer_.number) return push_.moves.push_back(std::move(move));
  const std::uint32_t own = token - first_token();
  const auto bytes = static_cast<std::uint32_t>(bsize(token_stage::combine));
  std::vector<float> sum;
  const fs_t ready =
      add_own(move.experts, token, 0, bytes, format_.packets.packets(bytes), sum, now_fs());
  if (ready == fs_never) return;
  own_[own].own_ready = ready;
  if (carries_data_) own_sums_[own] = std::move(sum);
  take_part(own, layer_.number, 0, {}, bytes);
}

// Of one GPU's experts. All of them together are the result.
void token_hub::take_part(std::uint32_t own, std::uint32_t gpu, std::uint32_t offset,
                          payload_slice data, std::uint32_t bytes) {
  own_token& token = own_[own];
  if (token.missing == 0) {  // the first part
    const token_list list = list_of(own);
    std::vector<bool> is_named(layer_.gpus);
    for (std::uint32_t i = 0; i < list.count; ++i) is_named[gpu_of_expert(list.experts[i])] = true;
    token.missing = bsize(token_stage::combine) *
                    static_cast<std::uint64_t>(std::count(is_named.begin(), is_named.end(), true));
  }
  if (bytes > token.missing)
    return fail(error::REMOTE, first_token() + own, 0,
                fmt::format("rank {} sends {} B of the sum of token {}, which waits for {} B", gpu,
                            bytes, first_token() + own, token.missing));
  if (data) parts_[own].push_back({gpu, offset, std::move(data), bytes});
  token.missing -= bytes;
  if (token.missing == 0) add_parts(own);
}

// In the order of GPUs, own experts last.
void token_hub::add_parts(std::uint32_t own) {
  own_token& token = own_[own];
  token.missing = bsize(token_stage::combine);
  std::vector<float> sum;
  if (carries_data_) {
    sum.assign(layer_.hidden, 0.0F);
    std::vector<partial_sum>& parts = parts_[own];
    std::sort(parts.begin(), parts.end(), [](const partial_sum& a, const partial_sum& b) {
      return a.gpu != b.gpu ? a.gpu < b.gpu : a.offset < b.offset;
    });
    for (const partial_sum& each : parts) {
      std::vector<float> values(each.bytes / size_of(dtype::bf16));
      widen(dtype::bf16, each.data.data(), values.data(), values.size());
      float* to = sum.data() + each.offset / size_of(dtype::bf16);
      for (std::size_t i = 0; i < values.size(); ++i) to[i] += values[i];
    }
    parts_.erase(own);
    const auto known = own_sums_.find(own);
    if (known != own_sums_.end())
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += known->second[i];
  }
  write_result(own, 0, sum, static_cast<std::uint32_t>(bsize(token_stage::combine)),
               std::max(now_fs(), token.own_ready));
}

// `start` is when the sum is complete.
void token_hub::write_result(std::uint32_t own, std::uint32_t offset, const std::vector<float>& sum,
                             std::uint32_t bytes, fs_t start) {
  result_part part{own, bytes, own_[own].result + offset, {}};
  if (carries_data_) {
    part.data = payload_slice::allocate(bytes);
    narrow(dtype::bf16, sum.data(), part.data.data(), bytes / size_of(dtype::bf16));
  }
  summed_.push(start, std::move(part));
}

// A memory serves accesses in the order of their calls: a write that is issued before its time
// would delay the others behind it.
void token_hub::write_summed() {
  for (result_part due; summed_.pop_due(now_fs(), due);) {
    const fs_t done = access(tlm::TLM_WRITE_COMMAND, due.address, due.data, due.bytes, now_fs());
    due.data.reset();
    if (done == fs_never) continue;
    results_.push(done, std::move(due));
  }
}

void token_hub::take_results() {
  for (result_part due; results_.pop_due(now_fs(), due);) {
    own_token& token = own_[due.token];
    token.missing -= due.bytes;
    if (token.missing > 0) continue;
    ++tokens_done_;
    command_completed();
    spans_[3].cover(now_fs());
    own_sums_.erase(due.token);
    token_done(due.token);
  }
  finish_if_done();
}

void token_hub::finish_if_done() {
  const bool is_done = is_running_ && tokens_done_ == layer_.tokens &&
                       rows_done_ == tracker_.rows() && parts_done_ == layer_.parts &&
                       push_.is_empty() && dispatch_.is_empty();
  if (!is_done) return;
  is_running_ = false;
  finished_ = now_fs();
  const auto raise_to = [](statistic& known, std::uint64_t now) { known += now - known.raw(); };
  raise_to(counters_.row_spills, tracker_.row_spills());
  raise_to(counters_.token_spills, tracker_.token_spills());
  raise_to(counters_.computing, pool_.busy());
  raise_to(counters_.operand_misses, pool_.operand_misses());
  ++counters_.layers;
  regs_.status.state.set(state::IDLE);
  regs_.completed.set(static_cast<std::uint32_t>(regs_.completed.value() + 1));
  events_.raise(completed_bit);
}

}  // namespace heddle
