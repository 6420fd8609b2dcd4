// What comes through the ports of the switch, and what leaves by them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "models/inc/aggregator/aggregator.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_response.hpp"

namespace heddle {
namespace {

// A tag names the owner of a request, a group or a manager, so that a refusal finds it, and has
// the lower bits of the request's number.
constexpr std::uint32_t number_bits = 25;
constexpr std::uint32_t number_mask = (1U << number_bits) - 1;
constexpr std::uint32_t owner_limit = 1U << (32 - number_bits);

}  // namespace

// Called inside the sender's activation: the packet's first byte arrives at visit.first.
bool aggregator::intercept(const stage_visit& visit, packet& arrived) {
  if (is_response(arrived.kind)) {
    take_response(visit.input, arrived);
  } else if (arrived.kind == packet_kind::write_request) {
    take_write(visit, arrived);
  } else {
    packet_port& port = switch_port_.port_at(visit.input);
    port.release(arrived, arrived.tail);
    counters_.refused += arrived.train;
    answer(visit.input, arrived, arrived.tail + forwarding_, true);
  }
  return true;
}

// Managers alone wait for answers, those to their words.
void aggregator::take_response(int port, packet& response) {
  switch_port_.port_at(port).release(response, response.tail);
  if (const std::uint32_t owner = response.tag >> number_bits; owner >= first_manager) {
    const auto words = regs_.manager[owner - first_manager].words_under_way;
    words.set(words.value() - 1);
  }
  if (response.is_error) take_refusal(response);
  give_back(&response);
}

// A refusal stops the stream that made the write. Where the group has ended that stream and begun
// another one, the refusal is reported and the present stream goes on; where its manager has reset
// the group, it has given up the stream. A word of a manager belongs to no group: its refusal is
// reported at the register that sent it.
void aggregator::take_refusal(const packet& response) {
  const std::uint32_t owner = response.tag >> number_bits;
  const std::string what = fmt::format("nobody took what was written to {:#x}", response.address);
  if (owner >= first_manager)
    return regs_.report(regs_.manager[owner - first_manager].word_send, what);
  aggregation_group& group = groups_[owner];
  const std::uint64_t number = writes_made_ - ((writes_made_ - response.tag) & number_mask);
  if (number > group.writes_when_armed) return fail(group, error::BUS, 0, 0, what);
  if (number > group.writes_when_reset)
    regs_.report(regs_.group[owner].status,
                 fmt::format("group {}: {} by an earlier stream", owner, what));
}

aggregator::write_kind aggregator::kind_of(const aggregation_group& group, std::uint64_t offset,
                                           bool is_from_parent) const {
  if (offset >= stride_ - alignment) return write_kind::word;
  if (group.is_multicast()) return write_kind::copy;
  if (group.mode == mode_kind::EXCHANGE)
    return offset >= exchange_table::bytes ? write_kind::chunk : write_kind::table;
  return is_from_parent ? write_kind::result : write_kind::operand;
}

void aggregator::take_write(const stage_visit& visit, packet& request) {
  packet_port& port = switch_port_.port_at(visit.input);
  const std::uint64_t at = request.address - base_;
  aggregation_group& group = groups_[at / stride_];
  const std::uint64_t offset = at % stride_;
  const fs_t first_packet = request.head + (request.tail - request.head) / request.train;
  counters_.contributions += request.train;
  const bool is_from_parent = group.parent != 0 && request.source == group.parent_endpoint;
  const std::uint32_t child = child_of(group, request.source);
  const write_kind kind = kind_of(group, offset, is_from_parent);
  const bool is_word = kind == write_kind::word;
  const bool is_from_below =
      child != aggregation_group::no_child && !group.children[child].is_member;
  const std::string refusal = is_from_parent || (is_word && is_from_below)
                                  ? std::string()
                                  : refuse(group, request, offset, child);
  if (is_from_parent && !is_word) check_end(group, offset + request.payload_bytes);
  if (request.is_explained) {
    const fs_t taken = is_from_parent || group.passes_on() ? request.head : first_packet;
    request.why.then(category::serialization, port.wire_in(), taken);
    request.why.then(category::forwarding, site(), taken + forwarding_);
  }
  if (!group.is_open(state_of(group)) || !refusal.empty()) {
    port.release(request, request.tail);
    return answer(visit.input, request, request.tail + forwarding_, !refusal.empty());
  }
  set_state(group, state::RUN);
  outgoing next = outgoing_of(group, visit.input, request, offset, child);
  if (kind == write_kind::copy || kind == write_kind::chunk) {
    next.held = &request;  // until the last copy or chunk has left
    return take_packet_of(kind, std::move(next), request);
  }
  port.release(request, request.tail);
  take_packet_of(kind, std::move(next), request);
  answer(visit.input, request, request.tail + forwarding_, false);
}

aggregator::outgoing aggregator::outgoing_of(aggregation_group& group, int port,
                                             const packet& request, std::uint64_t offset,
                                             std::uint32_t child) const {
  outgoing next;
  next.group = &group;
  next.generation = group.generation;
  next.offset = offset;
  next.bytes = request.payload_bytes;
  next.tail = request.tail + forwarding_;
  next.why = request.why;
  next.port = port;
  next.from = child;
  return next;
}

// Copies and results are cut through, words are looked at when they are complete.
void aggregator::take_packet_of(write_kind kind, outgoing next, const packet& request) {
  const fs_t first_byte = request.head + forwarding_, tail = next.tail;
  // contribute() reads an operand from the request itself.
  if (kind != write_kind::operand) next.payload = request.payload;
  switch (kind) {
    case write_kind::copy:
      next.what = outgoing::kind::copy;
      return outgoing_.push(first_byte, std::move(next));
    case write_kind::chunk:
      next.what = outgoing::kind::chunk;
      return take_chunks(next);
    case write_kind::word:
      next.what = outgoing::kind::word;
      return outgoing_.push(tail, std::move(next));
    case write_kind::result:
      next.what = outgoing::kind::down;
      return outgoing_.push(first_byte, std::move(next));
    case write_kind::operand:
      return contribute(*next.group, next.from, next.offset, request);
    case write_kind::table:
      return;  // refuse() has read it
  }
}

// What comes down may not go beyond the end of the stream: it stops the group.
void aggregator::check_end(aggregation_group& group, std::uint64_t end) {
  if (!group.is_open(state_of(group)) || end <= group.length) return;
  fail(group, error::WINDOW, 0, 0,
       fmt::format("the group above writes bytes up to {} of a stream of {}", end, group.length));
}

// Returns why the packet is no part of the stream, "" when it is. What a child does wrong stops the
// group; what a stranger does, or a child of a group that is not armed, goes to the audit log.
std::string aggregator::refuse(aggregation_group& group, const packet& request,
                               std::uint64_t offset, std::uint32_t child) {
  mistake found = mistake_of(group, request, offset, child);
  if (found.what.empty()) return {};
  counters_.refused += request.train;
  if (found.reason != error::NONE) {
    fail(group, found.reason, child < 64 ? std::uint64_t{1} << child : 0,
         group.children[child].number, found.what);
  } else {
    register_audit entry;
    entry.time = now_fs();
    entry.path = path();
    entry.offset = request.address - base_;
    entry.command = tlm::TLM_WRITE_COMMAND;
    entry.reason = fmt::format("group {}: {}", group.index, found.what);
    entry.initiator = fabric_.endpoint(request.source).owner->path();
    audit_.add(std::move(entry));
  }
  return std::move(found.what);
}

// Reads the table of an exchange on the way.
aggregator::mistake aggregator::mistake_of(aggregation_group& group, const packet& request,
                                           std::uint64_t offset, std::uint32_t child) {
  const bool is_open = group.is_open(state_of(group));
  const bool may_be_stranger = group.mode == mode_kind::OVERLAY && is_open;
  if (child == aggregation_group::no_child && !may_be_stranger)
    return {fmt::format("{} is no child", fabric_.endpoint(request.source).owner->path())};
  if (state_of(group) == state::ERROR) return {};
  if (!is_open) return {"the group is not armed"};
  if (group.mode == mode_kind::EXCHANGE)
    return {take_table(group, child, request, offset), error::WINDOW};
  if (!group.is_multicast())
    return mistake_of_operand(group, group.children[child], request, offset);
  const std::uint64_t end = offset + request.payload_bytes;
  if (end <= group.length) return {};
  return {fmt::format("bytes up to {} in a stream of {}", end, group.length),
          may_be_stranger ? error::NONE : error::WINDOW};
}

// Operands come in order, inside the window of the child, and in whole elements.
aggregator::mistake aggregator::mistake_of_operand(const aggregation_group& group,
                                                   const aggregation_child& from,
                                                   const packet& request,
                                                   std::uint64_t offset) const {
  const std::uint64_t end = offset + request.payload_bytes;
  const std::uint64_t last = end == 0 ? 0 : group.cell_at(end - 1);
  error reason = error::NONE;
  if (offset < from.pushed)
    reason = error::TWICE;
  else if (offset > from.pushed || end > group.length || !cells_.is_in_window(group.index, last))
    reason = error::WINDOW;
  else if (request.payload_bytes % size_of(group.type) != 0)
    reason = error::ALIGN;
  if (reason == error::NONE) return {};
  return {fmt::format("{} {} pushed bytes {}..{}, expected were those from {} on",
                      from.is_member ? "rank" : "the switch above rank", from.number, offset,
                      end - 1, from.pushed),
          reason};
}

// Behind the stream of a window: an error of a neighbor, or how far the parent has come.
void aggregator::take_word(const outgoing& what) {
  aggregation_group& group = *what.group;
  std::uint64_t word = 0;
  if (!what.payload || what.bytes < sizeof word || !group.is_open(state_of(group))) return;
  std::memcpy(&word, what.payload.data(), sizeof word);
  const auto high = static_cast<std::uint32_t>(word >> 32);
  if (high == 0) return count_segments(group, static_cast<std::uint32_t>(word), what.why);
  // The manager of a neighbor can send any word: a code that is no error counts as BUS.
  const std::uint32_t code = high & error_mask;
  const bool is_error =
      code != 0 && code < aggregator_regs::group_status_error_names().names().size();
  const std::string reason =
      is_error ? "a neighbor of the tree stopped"
               : fmt::format("a neighbor of the tree stopped with {}, which is no error", code);
  fail(group, is_error ? static_cast<error>(code) : error::BUS, 0, high >> rank_shift, reason,
       what.port);
}

// Answers carry no data: neither those to writes nor the refusals of other requests.
void aggregator::answer(int port, packet& request, fs_t when, bool is_error) {
  turn_into_response(request, format_);
  request.payload.reset();
  request.carries_data = false;
  request.is_error = is_error;
  request.tail = when;
  outgoing reply;
  reply.held = &request;
  reply.port = port;
  outgoing_.push(std::max(when, now_fs()), std::move(reply));
}

void aggregator::send_due() {
  for (outgoing due; outgoing_.pop_due(now_fs(), due);) {
    if (due.what == outgoing::kind::answer) {
      emit(*due.held, due.port);
      continue;
    }
    const bool is_current = due.generation == due.group->generation;
    if (due.what == outgoing::kind::copy)
      copy_on(due);
    else if (due.what == outgoing::kind::chunk)
      send_chunk(due);
    else if (is_current && due.what == outgoing::kind::word)
      take_word(due);
    else if (is_current && due.what == outgoing::kind::up)
      send_up(due);
    else if (is_current)
      send_down(due);
  }
}

// Modes COPY and OVERLAY: to everybody in the tree but where it came from.
void aggregator::copy_on(const outgoing& what) {
  aggregation_group& group = *what.group;
  copied_packet& copied = copied_.take();
  copied = {what.held, what.port, 1, what.held->tail};
  if (what.generation == group.generation) {
    for (std::uint32_t i = 0; i < group.children.size(); ++i)
      if (i != what.from) copy_to_child(group.children[i], what, copied);
    if (group.parent != 0 && what.port != group.parent_port) {
      write(group.index,
            {group.parent + what.offset, group.parent_endpoint, group.parent_port, what.bytes,
             what.payload, what.tail},
            what.why, &copied);
    }
    group.copied += what.bytes;
    regs_.group[static_cast<std::size_t>(group.index)].finished.set(group.copied);
    end_if_done(group);
  }
  copy_left(copied);
}

// A member of a COPY group is also told of each segment that ends with these bytes.
void aggregator::copy_to_child(aggregation_child& child, const outgoing& what,
                               copied_packet& copied) {
  const aggregation_group& group = *what.group;
  const bool is_overlay = group.mode == mode_kind::OVERLAY;
  std::uint64_t to = child.is_member ? child.address + group.result_offset : child.address;
  if (is_overlay && child.is_member) to += child.first;
  counters_.copies += format_.packets(what.bytes);
  write(group.index,
        {to + what.offset, child.endpoint, child.port, what.bytes, what.payload, what.tail},
        what.why, &copied);
  const std::uint32_t ended = group.segments_ending(what.offset, what.offset + what.bytes);
  if (is_overlay || !child.is_member || ended == 0) return;
  child.flag += ended;
  write_flag(group, child, 0, what.why);
}

// The receive buffer is free, and the sender is answered, when the last copy has left.
void aggregator::copy_left(copied_packet& of) {
  if (--of.unsent > 0) return;
  switch_port_.port_at(of.port).release(*of.request, std::max(now_fs(), of.copies_out));
  answer(of.port, *of.request, std::max(of.copies_out, of.request->tail) + forwarding_, false);
  copied_.give_back(of);
}

packet& aggregator::make_write(int owner, const parcel& what, const cause& why) {
  static_assert(owners <= owner_limit);
  packet& p = *take_packet();
  p.kind = packet_kind::write_request;
  p.vc = inc_vc_of(p.kind);
  p.is_inc = true;
  p.source = endpoint_;
  p.destination = what.endpoint;
  p.address = what.address;
  p.payload_bytes = what.bytes;
  p.train = static_cast<std::uint16_t>(format_.packets(what.bytes));
  p.wire_bytes = format_.wire_bytes(what.bytes, p.train);
  p.payload = what.payload;
  p.carries_data = static_cast<bool>(what.payload);
  ++writes_made_;
  p.tag = static_cast<std::uint32_t>(owner) << number_bits |
          (static_cast<std::uint32_t>(writes_made_) & number_mask);
  p.tail = std::max(what.tail, now_fs());
  p.explain(why);
  return p;
}

// What comes in longer packets or trains than those of the aggregator leaves in several of its own,
// each as fast as its bytes come.
void aggregator::write(int owner, const parcel& what, const cause& why, copied_packet* of) {
  const std::uint32_t most = train_ * format_.mtu;
  const fs_t now = now_fs(), to_come = std::max(what.tail, now) - now;
  for (std::uint32_t begin = 0, end = 0; begin < what.bytes; begin = end) {
    end = begin + std::min(most, what.bytes - begin);
    parcel part = what;
    part.address += begin;
    part.bytes = end - begin;
    part.payload = what.payload.from(begin);
    part.tail = now + share_of(to_come, end, what.bytes);
    if (of) ++of->unsent;
    emit(make_write(owner, part, why), what.port, of);
  }
}

void aggregator::emit(packet& p, int port, copied_packet* of) {
  if (p.kind == packet_kind::write_request)
    copies_out_[static_cast<std::size_t>(port)].push_back(of);
  switch_port_.emit(port, p);
}

void aggregator::transmitted(int port, packet_kind kind, std::uint32_t) {
  if (kind != packet_kind::write_request) return;
  std::deque<copied_packet*>& queue = copies_out_[static_cast<std::size_t>(port)];
  copied_packet* const of = queue.front();
  queue.pop_front();
  if (!of) return;
  of->copies_out = std::max(of->copies_out, switch_port_.port_at(port).free_at());
  copy_left(*of);
}

}  // namespace heddle
