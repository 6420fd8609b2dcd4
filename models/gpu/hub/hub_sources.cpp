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
bool token_hub::check_list(std::uint32_t own) {
  const token_list list = list_of(own);
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
  issue(combine_);
  issue(push_);
  issue(dispatch_);
  is_pumping_ = false;
}

void token_hub::issue(stream& from) {
  while (is_running_ && (!from.moves.empty() || refill(from))) {
    vector_move& next = from.moves.front();
    if (!send_piece(from, next)) return;
    if (next.done == bsize()) from.moves.pop_front();
  }
}

bool token_hub::refill(stream& from) {
  if (&from != &dispatch_) return false;
  while (from.moves.empty() && next_token_ < layer_.tokens) {
    if (!check_list(next_token_)) return false;
    plan_dispatch(next_token_++);
  }
  return !from.moves.empty();
}

void token_hub::plan_dispatch(std::uint32_t own) {
  const token_list list = list_of(own);
  vector_move move;
  move.token = first_token() + own;
  target_list::experts_type here;
  for (std::uint32_t i = 0; i < list.count; ++i)
    (gpu_of_expert(list.experts[i]) == layer_.number ? here : move.experts)
        .push_back(list.experts[i]);
  chunk_state& chunk = chunks_[chunk_of(move.token)];
  ++chunk.issued;
  if (layer_.traffic == TOKEN_COPIES)
    pending_[move.token] = static_cast<std::uint16_t>(here.size());
  if (!here.empty()) store_own(own, here);
  if (layer_.traffic == TOKEN_COPIES) {
    // The GPU behind this one first, so that not all GPUs begin with the same.
    for (std::uint32_t i = 1; i < layer_.gpus; ++i) {
      vector_move copy = move;
      copy.gpu = static_cast<int>((layer_.number + i) % layer_.gpus);
      copy.experts.clear();
      for (const std::uint16_t each : move.experts)
        if (static_cast<int>(gpu_of_expert(each)) == copy.gpu) copy.experts.push_back(each);
      if (!copy.experts.empty()) dispatch_.moves.push_back(std::move(copy));
    }
  } else if (layer_.traffic == TOKEN_EVERYBODY || !move.experts.empty()) {
    move.is_for_all = layer_.traffic == TOKEN_EVERYBODY;
    dispatch_.moves.push_back(std::move(move));
  }
  if (list.count == 0) ready_tokens_.push(now_fs(), own);  // nobody has anything for it
  if (chunk.issued == layer_.tokens / layer_.chunks) open_gemm1(chunk);
}

// False: it has to wait for answers, for its list's turn, or for room in front of the port.
bool token_hub::send_piece(stream& from, vector_move& move) {
  const std::uint64_t address = layer_.range + move.token * bsize() + move.done;
  const auto bytes = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({bsize() - move.done, interleave_ - address % interleave_,
                               std::uint64_t{train_} * format_.packets.mtu}));
  const std::uint32_t packets = format_.packets.packets(bytes);
  if (from.unanswered > 0 && from.unanswered + packets > outstanding_limit_) return false;
  const bool has_list = move.gpu == by_switch;
  if (has_list && from.queued > 0 && from.queued + packets > from.queue_limit) return false;
  const endpoint_id to =
      has_list ? range_endpoint_ : endpoint_of(static_cast<std::uint32_t>(move.gpu));
  side& through = side_towards(to, address);
  const std::uint32_t waiting = through.waiting.packets() + through.staged;
  if (waiting > 0 && waiting + packets > queue_limit_) return false;

  piece& sent = pieces_.take();
  sent.of = &from;
  sent.stage = move.stage;
  sent.token = move.token;
  sent.offset = move.done;
  sent.bytes = bytes;
  sent.packets = packets;
  sent.missing =
      move.is_for_all ? layer_.gpus - 1 : static_cast<std::uint32_t>(move.experts.size());
  if (!has_list) sent.missing = 1;
  packet& p = *take_packet();
  p.kind = move.kind;
  p.address = address;
  p.payload_bytes = bytes;
  p.train = static_cast<std::uint16_t>(packets);
  p.source = endpoint_;
  p.destination = to;
  p.is_inc = has_list;
  p.vc = vc_of(through, p);
  p.tag = sent.pool_index;
  p.carries_data = carries_data_;
  p.reduced_type = static_cast<std::uint8_t>(dtype::bf16);
  p.created = now_fs();
  target_list& list = p.header.attach<target_list>();
  list.experts = move.experts;
  list.stage = move.stage;
  list.is_for_all = move.is_for_all;
  if (has_list && !move.is_for_all)
    list.bytes = format_.extension_bytes(packets, list.experts.size(), token_format::leg::source);
  fs_t ready = now_fs() + (has_list ? list_latency_ : 0);
  fill(p, move, move.done, ready);
  p.wire_bytes += list.bytes;
  move.done += bytes;
  from.unanswered += packets;
  from.queued += packets;
  through.staged += packets;
  if (move.stage == token_stage::dispatch) ++chunks_[chunk_of(move.token)].unacknowledged;
  (move.kind == token_store ? counters_.stored : counters_.fetched) += packets;
  if (move.kind == token_store)
    (move.stage == token_stage::dispatch ? counters_.dispatch_out : counters_.combine_out) += bytes;
  staged_.push(ready, {&p, &through, &from});
  return true;
}

// What it carries, and when that is there.
void token_hub::fill(packet& p, const vector_move& move, std::uint32_t offset, fs_t& ready) {
  if (move.kind == token_fetch) {
    p.wire_bytes = p.train * format_.packets.header;
    return;
  }
  p.wire_bytes = format_.packets.wire_bytes(p.payload_bytes, p.train);
  const fs_t now = now_fs();
  if (move.stage == token_stage::dispatch) {
    if (carries_data_) p.payload = payload_slice::allocate(p.payload_bytes);
    const std::uint64_t from = layer_.inputs + (move.token - first_token()) * bsize() + offset;
    ready = std::max(ready, access(tlm::TLM_READ_COMMAND, from, p.payload, p.payload_bytes, now));
    return;
  }
  std::vector<float> sum;
  ready = std::max(ready,
                   add_own(move.experts, move.token, offset, p.payload_bytes, p.train, sum, now));
  if (!carries_data_) return;
  p.payload = payload_slice::allocate(p.payload_bytes);
  narrow(dtype::bf16, sum.data(), p.payload.data(), sum.size());
}

void token_hub::take_staged() {
  for (staged_packet due; staged_.pop_due(now_fs(), due);) {
    due.through->staged -= due.leaving->train;
    due.of->queued -= due.leaving->train;
    due.leaving->tail = now_fs();
    enqueue(*due.through, *due.leaving);
  }
  pump();
}

void token_hub::take_answer(packet& answer) {
  piece& sent = pieces_.at(answer.tag);
  if (answer.is_error) fail(error::REMOTE, sent.token, 0);
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
  sent.of->unanswered -= sent.packets;
  if (sent.of == &combine_)
    fetched(sent);
  else
    acknowledged(sent);
  pieces_.give_back(sent);
  pump();
}

void token_hub::acknowledged(const piece& done) {
  if (done.stage == token_stage::combine) return finish_if_done();
  spans_[0].cover(now_fs());
  chunk_state& chunk = chunks_[chunk_of(done.token)];
  --chunk.unacknowledged;
  open_gemm1(chunk);
}

// The sum of the others' experts is here; own experts' come on top.
void token_hub::fetched(piece& done) {
  const std::uint32_t own = done.token - first_token();
  const auto known = own_sums_.find(own);
  if (carries_data_) done.sum.resize(done.bytes / size_of(dtype::bf16));
  if (known != own_sums_.end()) {
    const float* more = known->second.data() + done.offset / size_of(dtype::bf16);
    for (std::size_t i = 0; i < done.sum.size(); ++i) done.sum[i] += more[i];
  }
  write_result(own, done.offset, done.sum, done.bytes, std::max(now_fs(), own_[own].own_ready));
}

}  // namespace heddle
