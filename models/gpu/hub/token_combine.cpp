#include "models/gpu/hub/token_combine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "models/gpu/hub/token_results.hpp"
#include "models/gpu/hub/vector_mover.hpp"

namespace heddle {

token_combine::token_combine(hub_core& core, token_tracker& tracker, const token_lists& lists,
                             const token_dispatch& own, expert_blocks& blocks,
                             firmware_groups& groups, vector_mover& mover, token_results& results,
                             layer_run& run)
    : hub_part(core),
      tracker_(tracker),
      lists_(lists),
      own_(own),
      blocks_(blocks),
      groups_(groups),
      mover_(mover),
      results_(results),
      run_(run),
      ready_(timed_queue<ready_token>::to<token_combine, &token_combine::take_ready>(*this)) {}

void token_combine::configure() {
  chunks_.assign(layer_.chunks, {});
  for (chunk_state& each : chunks_) each.tokens_left = layer_.tokens_of_chunk();
  expected_ = released_ = 0;
}

// Ranks that were told different layers name tokens that this one does not have, or has not sent,
// or tell what nobody waits for: of copies, experts return parts and no notices.
void token_combine::expert_done(std::uint32_t own, endpoint_id sender) {
  if (!own_.has_dispatched(own))
    return status_.fail(
        error::REMOTE, layer_.first_token() + own, 0,
        fmt::format("{} is done with token {} of rank {}, which has {} and has not sent that one",
                    peers_.name_of(sender), own, layer_.number, layer_.tokens));
  if (layer_.traffic == TOKEN_COPIES || tracker_.experts_left(own) == 0)
    return status_.fail(
        error::REMOTE, layer_.first_token() + own, 0,
        fmt::format("{} is done with token {} of rank {}, which waits for no expert",
                    peers_.name_of(sender), own, layer_.number));
  const token_tracker::update update = tracker_.expert_done(own, now_fs());
  if (update.is_ready) ready(own, settings_.polled(update.seen));
}

void token_combine::take_ready() {
  cause latest;
  for (ready_token due; ready_.pop_due(now_fs(), due);) {
    due.why.then(category::completion, site_, now_fs());
    latest = due.why;
    const running_cause seen(due.why);
    release(due.own);
  }
  const running_cause released(latest);
  mover_.pump();
  run_.finish_if_done();
}

// Releases the own token at once, or with all tokens of its chunk.
void token_combine::release(std::uint32_t own) {
  chunk_state& chunk = chunks_[layer_.chunk_of(own)];
  --chunk.tokens_left;
  ++released_;
  if (!layer_.waits_for_stage(TOKEN_STAGE_COMBINE) || layer_.traffic == TOKEN_COPIES)
    return groups_.token_ready(own);
  chunk.held.push_back(own);
  if (chunk.tokens_left > 0) return;
  std::vector<std::uint32_t> tokens;
  tokens.swap(chunk.held);
  std::sort(tokens.begin(), tokens.end());
  for (const std::uint32_t each : tokens) groups_.token_ready(each);
}

void token_combine::fetch(std::uint32_t own, const token_list& list, std::uint64_t result) {
  results_.set_address(own, result);
  fetch(own, list);
}

void token_combine::fetch(std::uint32_t own, const token_list& list) {
  split_list targets = lists_.split(list);
  vector_move move;
  move.kind = token_fetch;
  move.stage = token_stage::combine;
  move.token = layer_.first_token() + own;
  move.is_for_all = layer_.traffic == TOKEN_EVERYBODY;
  move.experts = std::move(targets.away);
  span(token_step::combine).cover(now_fs());
  results_.expect_sum(own);
  std::vector<float> sum;
  cause reading = running_cause::copy();
  const running_cause adding(reading);
  const fs_t ready = add_own_experts(own, targets.here, sum);
  if (ready == fs_never) return;
  if (move.experts.empty() && !move.is_for_all) return results_.write_whole(own, sum, ready);
  if (targets.here.empty()) sum.clear();  // there is nothing to be added
  results_.keep_own_sum(own, std::move(sum), ready);
  mover_.fetch(std::move(move));
}

void token_combine::part_ready(std::uint32_t token) {
  vector_move move;
  move.stage = token_stage::combine;
  move.token = token;
  move.gpu = static_cast<int>(layer_.gpu_of_token(token));
  for (std::uint32_t i = 0; i < layer_.experts_per_gpu; ++i) {
    const std::uint32_t expert = layer_.first_expert() + i;
    if (blocks_.has_place(expert, token))
      move.experts.push_back(static_cast<std::uint16_t>(expert));
  }
  span(token_step::combine).cover(now_fs());
  if (layer_.gpu_of_token(token) != layer_.number) return mover_.push(std::move(move));
  const std::uint32_t own = token - layer_.first_token();
  std::vector<float> sum;
  cause reading = running_cause::copy();
  const running_cause adding(reading);
  const fs_t ready = add_own_experts(own, move.experts, sum);
  if (ready == fs_never) return;
  results_.keep_own_sum(own, std::move(sum), ready);
  results_.take_part(own, layer_.number, 0, {},
                     static_cast<std::uint32_t>(layer_.bsize(token_stage::combine)));
}

// Adds what own experts have for a whole vector; fs_never where the layer has failed.
fs_t token_combine::add_own_experts(std::uint32_t own, const target_list::experts_type& experts,
                                    std::vector<float>& sum) {
  const auto bytes = static_cast<std::uint32_t>(layer_.bsize(token_stage::combine));
  const std::uint32_t packets = settings_.format.packets.packets(bytes);
  return blocks_.add(experts, {layer_.first_token() + own, 0, bytes, packets}, sum, now_fs());
}

}  // namespace heddle
