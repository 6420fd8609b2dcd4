// The source side: own tokens' vectors are stored at experts and fetched from them.
#include <algorithm>

#include "models/gpu/hub/expert_math.hpp"
#include "models/gpu/hub/token_hub.hpp"
#include "platform/tensor/convert.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

token_hub::token_list token_hub::list_of(std::uint32_t own) const {
  const std::uint16_t* entry = lists_.data() + std::size_t{own} * (1 + layer_.topk);
  return {entry + 1, entry[0]};
}

// A list that is wrong ends the layer, and nothing is sent for it.
bool token_hub::check_list(std::uint32_t own, const token_list& list) {
  const std::uint32_t token = first_token() + own;
  const std::uint32_t experts = layer_.gpus * layer_.experts_per_gpu;
  if (list.count > layer_.topk) return fail(error::COUNT, token, list.count), false;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    if (list.experts[i] >= experts) return fail(error::EXPERT, token, list.experts[i]), false;
    if (std::find(list.experts, list.experts + i, list.experts[i]) != list.experts + i)
      return fail(error::DUPLICATE, token, list.experts[i]), false;
  }
  return true;
}

// Sends what may be sent. Called whenever something has become free.
void token_hub::pump() {
  if (is_pumping_ || !is_running_) return;
  is_pumping_ = true;
  do {
    has_refilled_ = false;
    for (const auto& each : sides_)
      for (stream* from : {&combine_, &push_, &dispatch_})
        if (may_issue(*from, *each)) issue(*from, *each);
  } while (has_refilled_);
  is_pumping_ = false;
}

// Something has become free at one port only.
void token_hub::pump(side& through) {
  if (is_pumping_ || !is_running_) return;
  is_pumping_ = true;
  has_refilled_ = false;
  for (stream* from : {&combine_, &push_, &dispatch_})
    if (may_issue(*from, through)) issue(*from, through);
  is_pumping_ = false;
  if (has_refilled_) pump();  // there is something for other ports, too
}

// Asked far more often than there is something to send.
bool token_hub::may_issue(const stream& from, const side& through) const {
  const stream_slot& own = from.slots[through.number()];
  if (!own.planned.empty()) return has_room(from, own, own.planned.front());
  if (from.planned >= from.planned_limit) return false;
  return !from.moves.empty() || (&from == &dispatch_ && may_dispatch());
}

void token_hub::issue(stream& from, side& through) {
  stream_slot& own = from.slots[through.number()];
  while (is_running_ && (!own.planned.empty() || refill(from, own))) {
    const planned_piece next = own.planned.front();
    if (!has_room(from, own, next)) return;
    own.planned.pop_front();
    send_piece(*next.what);
  }
}

// Cuts vectors into pieces until there is one for that slot.
bool token_hub::refill(stream& from, const stream_slot& wanted) {
  while (is_running_ && wanted.planned.empty() && from.planned < from.planned_limit) {
    if (from.moves.empty()) {
      if (&from != &dispatch_ || !may_dispatch() || !check_list(next_token_, list_of(next_token_)))
        return false;
      plan_dispatch(next_token_++);
      continue;
    }
    has_refilled_ = true;
    cut(from, from.moves.front());
    from.moves.pop_front();
  }
  return !wanted.planned.empty();
}

void token_hub::cut(stream& from, const vector_move& move) {
  const std::uint64_t vector_bytes = bsize(move.stage);
  const std::uint64_t first = layer_.range + move.token * vector_bytes;
  const endpoint_id to =
      move.gpu == by_switch ? range_endpoint_ : endpoint_of(static_cast<std::uint32_t>(move.gpu));
  for (std::uint64_t done = 0; done < vector_bytes;) {
    piece& added = pieces_.take();
    added.of = &from;
    added.whole = move;
    added.to = to;
    added.address = first + done;
    added.offset = static_cast<std::uint32_t>(done);
    added.bytes = static_cast<std::uint32_t>(
        std::min<std::uint64_t>({vector_bytes - done, interleave_ - added.address % interleave_,
                                 std::uint64_t{train_} * format_.packets.mtu}));
    added.packets = format_.packets.packets(added.bytes);
    added.through = &side_towards(to, added.address);
    added.missing = move.gpu != by_switch ? 1
                    : move.is_for_all     ? layer_.gpus - 1
                                          : static_cast<std::uint32_t>(move.experts.size());
    from.slots[added.through->number()].planned.push_back(
        {&added, added.packets, move.gpu == by_switch});
    from.planned += added.packets;
    ++from.pending;
    done += added.bytes;
  }
}

void token_hub::plan_dispatch(std::uint32_t own) {
  const token_list list = list_of(own);
  vector_move move;
  move.token = first_token() + own;
  target_list::experts_type here;
  for (std::uint32_t i = 0; i < list.count; ++i)
    (gpu_of_expert(list.experts[i]) == layer_.number ? here : move.experts)
        .push_back(list.experts[i]);
  own_[own].is_dispatched = true;
  chunk_state& chunk = chunks_[chunk_of(move.token)];
  ++chunk.issued;
  if (layer_.traffic == TOKEN_COPIES)
    pending_[move.token] = static_cast<std::uint16_t>(here.size());
  if (!here.empty()) {
    own_[own].unstored += bsize(token_stage::dispatch);
    store_own(own, here);
  }
  if (layer_.traffic == TOKEN_COPIES) {
    // The GPU behind this one first, so that not all GPUs begin with the same.
    for (std::uint32_t i = 1; i < layer_.gpus; ++i) {
      vector_move copy = move;
      copy.gpu = static_cast<int>((layer_.number + i) % layer_.gpus);
      copy.experts.clear();
      for (const std::uint16_t each : move.experts)
        if (static_cast<int>(gpu_of_expert(each)) == copy.gpu) copy.experts.push_back(each);
      if (copy.experts.empty()) continue;
      chunk.unacknowledged += bsize(token_stage::dispatch);
      dispatch_.moves.push_back(std::move(copy));
    }
  } else if (layer_.traffic == TOKEN_EVERYBODY || !move.experts.empty()) {
    move.is_for_all = layer_.traffic == TOKEN_EVERYBODY;
    chunk.unacknowledged += bsize(token_stage::dispatch);
    own_[own].unstored += bsize(token_stage::dispatch);
    dispatch_.moves.push_back(std::move(move));
  }
  if (list.count == 0) ready_tokens_.push(now_fs(), own);  // nobody has anything for it
  if (chunk.issued == layer_.tokens / layer_.chunks) open_gemm1(chunk);
}

// Otherwise it has to wait for answers, for its list's turn, or in front of the port.
bool token_hub::has_room(const stream& from, const stream_slot& own,
                         const planned_piece& next) const {
  const auto fits = [&next](std::uint32_t used, std::uint32_t limit) {
    return used == 0 || used + next.packets <= limit;
  };
  return fits(own.unanswered, from.window) && fits(own.waiting, queue_limit_) &&
         (!next.has_list || fits(from.queued, from.queue_limit));
}

void token_hub::send_piece(piece& sent) {
  const vector_move& move = sent.whole;
  const bool has_list = move.gpu == by_switch;
  packet& p = *take_packet();
  p.kind = move.kind;
  p.address = sent.address;
  p.payload_bytes = sent.bytes;
  p.train = static_cast<std::uint16_t>(sent.packets);
  p.source = endpoint_;
  p.destination = sent.to;
  p.is_inc = has_list;
  p.vc = vc_of(*sent.through, p);
  p.tag = sent.pool_index;
  p.carries_data = carries_data_;
  p.reduced_type = static_cast<std::uint8_t>(dtype::bf16);
  p.created = now_fs();
  target_list& list = p.header.attach<target_list>();
  list.experts = move.experts;
  list.stage = move.stage;
  list.is_for_all = move.is_for_all;
  if (has_list && !move.is_for_all)
    list.bytes =
        format_.extension_bytes(sent.packets, list.experts.size(), token_format::leg::source);
  fs_t ready = now_fs() + (has_list ? list_latency_ : 0);
  if (!fill(p, sent, ready)) return give_back(&p);
  p.wire_bytes += list.bytes;
  stream& from = *sent.of;
  stream_slot& own = from.slots[sent.through->number()];
  own.unanswered += sent.packets;
  own.waiting += sent.packets;
  from.planned -= sent.packets;
  from.queued += sent.packets;
  (move.kind == token_store ? counters_.stored : counters_.fetched) += sent.packets;
  if (move.kind == token_store)
    (move.stage == token_stage::dispatch ? counters_.dispatch_out : counters_.combine_out) +=
        sent.bytes;
  staged_.push(ready, {&p, sent.through, &from});
}

// What it carries, and when that is there. False: the layer has failed, and it has nothing to
// carry.
bool token_hub::fill(packet& p, const piece& sent, fs_t& ready) {
  const vector_move& move = sent.whole;
  if (move.kind == token_fetch) {
    p.wire_bytes = p.train * format_.packets.header;
    return true;
  }
  p.wire_bytes = format_.packets.wire_bytes(p.payload_bytes, p.train);
  const fs_t now = now_fs();
  if (move.stage == token_stage::dispatch) {
    if (carries_data_) p.payload = payload_slice::allocate(p.payload_bytes);
    const std::uint64_t from = own_[move.token - first_token()].input + sent.offset;
    const fs_t read = access(tlm::TLM_READ_COMMAND, from, p.payload, p.payload_bytes, now);
    ready = std::max(ready, read);
    return read != fs_never;
  }
  std::vector<float> sum;
  const fs_t added =
      add_own(move.experts, move.token, sent.offset, p.payload_bytes, p.train, sum, now);
  if (added == fs_never) return false;
  ready = std::max(ready, added);
  if (!carries_data_) return true;
  p.payload = payload_slice::allocate(p.payload_bytes);
  narrow(dtype::bf16, sum.data(), p.payload.data(), sum.size());
  return true;
}

void token_hub::fetch_staged() const {
  if (const staged_packet* next = staged_.next()) __builtin_prefetch(next->leaving);
}

void token_hub::take_staged() {
  bool was_full = false;  // whoever waits for an entry of the MultimemQ may leave through any port
  for (staged_packet due; staged_.pop_due(now_fs(), due);) {
    was_full |= due.of->queued + train_ > due.of->queue_limit;
    due.of->queued -= due.leaving->train;
    due.leaving->tail = now_fs();
    enqueue(*due.through, *due.leaving);
  }
  if (was_full) pump();
}

void token_hub::take_answer(packet& answer) {
  piece& sent = pieces_.at(answer.tag);
  if (answer.is_error) fail(error::REMOTE, sent.whole.token, 0);
  if (answer.kind == token_sum) counters_.combine_in += answer.payload_bytes;
  const auto* list = answer.header.as<target_list>();
  // One answer of another hub is for all of its targets.
  const bool is_part = answer.is_inc && list && !answer.is_error;
  const std::uint32_t covered = is_part ? list->covered : sent.missing;
  sent.missing -= std::min(sent.missing, covered);
  if (answer.payload) {
    if (sent.sum.empty()) sent.sum.resize(sent.bytes / size_of(dtype::bf16));
    add_vector(answer.payload.data(), sent.sum);
  }
  give_back(&answer);
  if (sent.missing > 0) return;
  sent.of->slots[sent.through->number()].unanswered -= sent.packets;
  --sent.of->pending;
  side& through = *sent.through;
  if (sent.of == &combine_)
    fetched(sent);
  else
    acknowledged(sent);
  pieces_.give_back(sent);
  pump(through);
}

void token_hub::acknowledged(const piece& done) {
  if (done.whole.stage == token_stage::combine) return finish_if_done();
  spans_[0].cover(now_fs());
  chunk_state& chunk = chunks_[chunk_of(done.whole.token)];
  chunk.unacknowledged -= done.bytes;
  stored_everywhere(own_[done.whole.token - first_token()], done.bytes);
  open_gemm1(chunk);
  finish_if_done();
}

// The sum of the others' experts is here; own experts' come on top.
void token_hub::fetched(piece& done) {
  const std::uint32_t own = done.whole.token - first_token();
  const auto known = own_sums_.find(own);
  if (carries_data_) done.sum.resize(done.bytes / size_of(dtype::bf16));
  if (known != own_sums_.end()) {
    const float* more = known->second.data() + done.offset / size_of(dtype::bf16);
    for (std::size_t i = 0; i < done.sum.size(); ++i) done.sum[i] += more[i];
  }
  write_result(own, done.offset, done.sum, done.bytes, std::max(now_fs(), own_[own].own_ready));
}

}  // namespace heddle
