#include "models/gpu/hub/vector_mover.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpu/hub/expert_math.hpp"
#include "models/gpu/hub/layer_run.hpp"
#include "models/gpu/hub/piece_packer.hpp"
#include "models/gpu/hub/token_dispatch.hpp"
#include "models/gpu/hub/token_results.hpp"
#include "platform/tensor/dtype.hpp"

namespace heddle {

vector_mover::vector_mover(hub_core& core, hub_wires& wires, token_dispatch& source,
                           piece_packer& packer, token_results& results, layer_run& run)
    : hub_part(core),
      wires_(wires),
      source_(source),
      packer_(packer),
      results_(results),
      run_(run),
      staged_(timed_queue<staged_packet>::to<vector_mover, &vector_mover::take_staged,
                                             &vector_mover::fetch_staged>(*this)) {}

void vector_mover::configure() {
  const auto sides = static_cast<std::uint32_t>(wires_.sides().size());
  dispatch_ = combine_ = push_ = {};
  for (vector_stream* each : {&dispatch_, &combine_, &push_}) {
    each->slots.resize(sides);
    each->queue_limit =
        (each == &dispatch_ ? layer_.dispatch_sms : layer_.combine_sms) * settings_.multimem_queue;
    each->window = each == &combine_ ? settings_.fetches : settings_.outstanding;
    // Plain stores need no entry of a MultimemQ.
    each->planned_limit =
        layer_.traffic == TOKEN_COPIES ? sides * settings_.queue : each->queue_limit;
  }
}

// When pieces leave ----------------------------------------------------------------------------

void vector_mover::pump() {
  if (is_pumping_ || !status_.is_running()) return;
  is_pumping_ = true;
  do {
    has_refilled_ = false;
    for (const auto& each : wires_.sides())
      for (vector_stream* from : {&combine_, &push_, &dispatch_})
        if (may_issue(*from, *each)) issue(*from, *each);
  } while (has_refilled_);
  is_pumping_ = false;
}

void vector_mover::pump(hub_side& through) {
  if (is_pumping_ || !status_.is_running()) return;
  is_pumping_ = true;
  has_refilled_ = false;
  for (vector_stream* from : {&combine_, &push_, &dispatch_})
    if (may_issue(*from, through)) issue(*from, through);
  is_pumping_ = false;
  if (has_refilled_) pump();  // there is something for other ports, too
}

// Asked far more often than there is something to send, so the cheap tests come first.
bool vector_mover::may_issue(const vector_stream& from, const hub_side& through) const {
  const stream_slot& own = from.slots[through.number()];
  if (!own.planned.empty()) return has_room(from, own, own.planned.front());
  if (from.planned >= from.planned_limit) return false;
  return !from.moves.empty() || (&from == &dispatch_ && source_.may_dispatch());
}

void vector_mover::issue(vector_stream& from, hub_side& through) {
  stream_slot& own = from.slots[through.number()];
  while (status_.is_running() && (!own.planned.empty() || refill(from, own))) {
    const planned_piece next = own.planned.front();
    if (!has_room(from, own, next)) return;
    own.planned.pop_front();
    send(*next.what);
  }
}

// Cuts vectors into pieces until there is one for that slot.
bool vector_mover::refill(vector_stream& from, const stream_slot& wanted) {
  while (status_.is_running() && wanted.planned.empty() && from.planned < from.planned_limit) {
    if (from.moves.empty()) {
      if (&from != &dispatch_ || !source_.dispatch_next()) return false;
      continue;
    }
    has_refilled_ = true;
    cut(from, from.moves.front());
    from.moves.pop_front();
  }
  return !wanted.planned.empty();
}

void vector_mover::cut(vector_stream& from, const vector_move& move) {
  const std::uint64_t vector_bytes = layer_.bsize(move.stage);
  const std::uint64_t first = layer_.range + move.token * vector_bytes;
  const endpoint_id to =
      move.has_list() ? peers_.range() : peers_.of(static_cast<std::uint32_t>(move.gpu));
  const packet_format& packets = settings_.format.packets;
  for (std::uint64_t done = 0; done < vector_bytes;) {
    vector_piece& added = pieces_.take();
    added.of = &from;
    added.whole = move;
    added.to = to;
    added.address = first + done;
    added.offset = static_cast<std::uint32_t>(done);
    added.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        {vector_bytes - done, settings_.interleave - added.address % settings_.interleave,
         std::uint64_t{settings_.train} * packets.mtu}));
    added.packets = packets.packets(added.bytes);
    added.through = &wires_.towards(to, added.address);
    added.missing = !move.has_list()  ? 1
                    : move.is_for_all ? layer_.gpus - 1
                                      : static_cast<std::uint32_t>(move.experts.size());
    from.slots[added.through->number()].planned.push_back({&added, added.packets, move.has_list()});
    from.planned += added.packets;
    ++from.pending;
    done += added.bytes;
  }
}

// Whether a piece need not wait for answers, for the turn of its list, or in front of the port.
bool vector_mover::has_room(const vector_stream& from, const stream_slot& own,
                            const planned_piece& next) const {
  const auto fits = [&next](std::uint32_t used, std::uint32_t limit) {
    return used == 0 || used + next.packets <= limit;
  };
  return fits(own.unanswered, from.window) && fits(own.waiting, settings_.queue) &&
         (!next.has_list || fits(from.queued, from.queue_limit));
}

// What leaves ----------------------------------------------------------------------------------

void vector_mover::send(vector_piece& sent) {
  cause why = running_cause::copy();
  const packed_piece packed = pack(sent, why);
  if (!packed.leaving) return;
  packed.leaving->explain(why);
  sent.is_under_way = true;
  vector_stream& from = *sent.of;
  stream_slot& own = from.slots[sent.through->number()];
  own.unanswered += sent.packets;
  own.waiting += sent.packets;
  from.planned -= sent.packets;
  from.queued += sent.packets;
  staged_.push(packed.ready, {packed.leaving, sent.through, &from});
}

// The next piece does not wait until this one has been read from memory.
packed_piece vector_mover::pack(const vector_piece& sent, cause& why) {
  const running_cause packing(why);
  const packed_piece packed = packer_.pack(sent);
  if (packed.leaving) why.then(category::memory, site_, packed.ready);
  return packed;
}

void vector_mover::fetch_staged() const {
  if (const staged_packet* next = staged_.next()) __builtin_prefetch(next->leaving);
}

void vector_mover::take_staged() {
  bool was_full = false;  // whoever waits for an entry of the MultimemQ may leave through any port
  cause latest;
  for (staged_packet due; staged_.pop_due(now_fs(), due);) {
    if (due.leaving->is_explained) latest = due.leaving->why;
    was_full |= due.of->queued + settings_.train > due.of->queue_limit;
    due.of->queued -= due.leaving->train;
    due.leaving->tail = now_fs();
    wires_.enqueue(*due.through, *due.leaving);
  }
  const running_cause freed(latest);
  if (was_full) pump();
}

void vector_mover::leaves(const packet& p, const hub_side& through) {
  pieces_.at(p.tag).of->slots[through.number()].waiting -= p.train;
}

// What is answered ------------------------------------------------------------------------------

// Whoever is in the network may send an answer, with any tag. A payload has the bytes that its
// packet tells.
bool vector_mover::is_expected(const packet& answer) const {
  if (answer.tag >= pieces_.size()) return false;
  const vector_piece& sent = pieces_.at(answer.tag);
  if (!sent.is_under_way || answer.source != sent.to) return false;
  const bool is_fetch = sent.whole.kind == token_fetch;
  if (answer.kind != (is_fetch ? token_sum : token_ack)) return false;
  return !is_fetch || answer.payload_bytes == sent.bytes;
}

void vector_mover::take_answer(packet& answer) {
  if (!is_expected(answer)) {
    status_.fail(error::REMOTE, 0, 0,
                 fmt::format("{} sends a {} that answers nothing", peers_.name_of(answer.source),
                             name_of(answer.kind)));
    return give_back(&answer);
  }
  vector_piece& sent = pieces_.at(answer.tag);
  if (answer.is_error) status_.fail(error::REMOTE, sent.whole.token, 0);
  if (answer.kind == token_sum) counters_.combine_in += answer.payload_bytes;
  const auto* list = answer.header.as<target_list>();
  // One answer of another hub is for all of its targets.
  const bool is_part = answer.is_inc && list && !answer.is_error;
  const std::uint32_t covered = is_part ? list->covered : sent.missing;
  if (answer.kind == token_sum && covered < sent.missing)
    results_.arrives_in_parts(sent.whole.token);
  sent.missing -= std::min(sent.missing, covered);
  if (answer.payload && answer.kind == token_sum) {
    if (sent.sum.empty()) sent.sum.resize(sent.bytes / size_of(dtype::bf16));
    add_vector(answer.payload.data(), sent.sum);
  }
  give_back(&answer);
  if (sent.missing == 0) complete(sent);
}

void vector_mover::complete(vector_piece& done) {
  done.of->slots[done.through->number()].unanswered -= done.packets;
  --done.of->pending;
  hub_side& through = *done.through;
  if (done.of == &combine_) {
    results_.fetched(done.whole.token, done.offset, done.bytes, done.sum);
  } else {
    if (done.whole.stage == token_stage::dispatch)
      source_.acknowledged(done.whole.token, done.bytes);
    run_.finish_if_done();
  }
  pieces_.give_back(done);
  pump(through);
}

}  // namespace heddle
