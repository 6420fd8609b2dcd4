#include "models/gpu/hub/token_dispatch.hpp"

#include <algorithm>
#include <utility>

#include "models/gpu/hub/expert_blocks.hpp"
#include "models/gpu/hub/firmware_groups.hpp"
#include "models/gpu/hub/layer_parts.hpp"
#include "models/gpu/hub/row_return.hpp"
#include "models/gpu/hub/tile_schedule.hpp"
#include "models/gpu/hub/token_combine.hpp"
#include "models/gpu/hub/vector_mover.hpp"

namespace heddle {

token_dispatch::token_dispatch(hub_core& core, token_lists& lists, vector_mover& mover,
                               expert_blocks& blocks, tile_schedule& tiles, row_return& returns,
                               token_combine& combine, firmware_groups& firmware,
                               layer_parts& parts)
    : hub_part(core),
      lists_(lists),
      mover_(mover),
      blocks_(blocks),
      tiles_(tiles),
      returns_(returns),
      combine_(combine),
      firmware_(firmware),
      parts_(parts),
      stored_(timed_queue<stored_token>::to<token_dispatch, &token_dispatch::take_stored>(*this)) {}

void token_dispatch::configure() {
  own_.assign(layer_.tokens, {});
  for (std::uint32_t own = 0; own < layer_.tokens; ++own)
    own_[own].input = layer_.inputs + own * layer_.bsize(token_stage::dispatch);
  next_ = 0;
}

bool token_dispatch::may_dispatch() const {
  return !firmware_.plays() && next_ < layer_.tokens && parts_.is_open(layer_.part_of_token(next_));
}

bool token_dispatch::dispatch_next() {
  if (!may_dispatch() || !lists_.check(next_, lists_.of(next_))) return false;
  dispatch(next_++);
  return true;
}

void token_dispatch::dispatch(std::uint32_t own, std::uint64_t input) {
  own_[own].input = input;
  dispatch(own);
  if (own_[own].unstored == 0) firmware_.command_completed();
}

void token_dispatch::dispatch(std::uint32_t own) {
  const token_list list = lists_.of(own);
  split_list targets = lists_.split(list);
  vector_move move;
  move.token = layer_.first_token() + own;
  move.experts = std::move(targets.away);
  own_[own].is_dispatched = true;
  combine_.expect();
  returns_.expect(move.token, targets.here.size());
  if (!targets.here.empty()) {
    own_[own].unstored += layer_.bsize(token_stage::dispatch);
    store_here(own, targets.here);
  }
  if (layer_.traffic == TOKEN_COPIES)
    copy_to_gpus(move);
  else if (layer_.traffic == TOKEN_EVERYBODY || !move.experts.empty())
    send(own, std::move(move));
  if (list.count == 0) combine_.ready(own, now_fs());  // nobody has anything for it
  tiles_.issued(layer_.first_token() + own);
}

// The GPU behind this one first, so that not all GPUs begin with the same.
void token_dispatch::copy_to_gpus(const vector_move& move) {
  for (std::uint32_t i = 1; i < layer_.gpus; ++i) {
    vector_move copy = move;
    copy.gpu = static_cast<int>((layer_.number + i) % layer_.gpus);
    copy.experts.clear();
    for (const std::uint16_t each : move.experts)
      if (static_cast<int>(layer_.gpu_of_expert(each)) == copy.gpu) copy.experts.push_back(each);
    if (copy.experts.empty()) continue;
    tiles_.send(move.token, layer_.bsize(token_stage::dispatch));
    mover_.dispatch(std::move(copy));
  }
}

void token_dispatch::send(std::uint32_t own, vector_move move) {
  const std::uint64_t bytes = layer_.bsize(token_stage::dispatch);
  move.is_for_all = layer_.traffic == TOKEN_EVERYBODY;
  tiles_.send(move.token, bytes);
  own_[own].unstored += bytes;
  mover_.dispatch(std::move(move));
}

// A vector for own experts takes no wires.
void token_dispatch::store_here(std::uint32_t own, const target_list::experts_type& experts) {
  const fs_t now = now_fs();
  const auto bytes = static_cast<std::uint32_t>(layer_.bsize(token_stage::dispatch));
  payload_slice data;
  if (settings_.carries_data) data = payload_slice::allocate(bytes);
  cause why = running_cause::copy();
  const running_cause storing(why);
  fs_t done = memory_.access(tlm::TLM_READ_COMMAND, own_[own].input, data, bytes, now);
  if (done == fs_never) return;
  const vector_range whole{layer_.first_token() + own, 0, bytes,
                           settings_.format.packets.packets(bytes)};
  bool is_wrong = false;
  for (const std::uint16_t each : experts) {
    const placed_vector placed = blocks_.store(each, whole, data, now);
    done = std::max(done, placed.done);
    is_wrong |= placed.wrong != error::NONE;
  }
  why.then(category::memory, site_, done);
  if (!is_wrong) stored_.push(done, {own, why});
}

// The vector was stored at the experts of the token's list, which stays as it is until the layer
// is over: each of them has given the token a place, and a row.
void token_dispatch::take_stored() {
  const auto bytes = static_cast<std::uint32_t>(layer_.bsize(token_stage::dispatch));
  for (stored_token due; stored_.pop_due(now_fs(), due);) {
    const running_cause stored(due.why);
    const std::uint32_t own = due.own;
    const token_list list = lists_.of(own);
    const std::uint32_t token = layer_.first_token() + own;
    for (std::uint32_t i = 0; i < list.count; ++i)
      if (layer_.gpu_of_expert(list.experts[i]) == layer_.number)
        tiles_.stored(blocks_.row_of(list.experts[i], token), token, bytes);
    stored_everywhere(own_[own], bytes);
  }
}

void token_dispatch::acknowledged(std::uint32_t token, std::uint32_t bytes) {
  span(token_step::dispatch).cover(now_fs());
  stored_everywhere(own_[token - layer_.first_token()], bytes);
  tiles_.acknowledged(token, bytes);
}

// All of a token's experts have acknowledged so many more bytes of it.
void token_dispatch::stored_everywhere(own_token& token, std::uint64_t bytes) {
  if (!firmware_.plays()) return;
  token.unstored -= bytes;
  if (token.unstored == 0) firmware_.command_completed();
}

}  // namespace heddle
