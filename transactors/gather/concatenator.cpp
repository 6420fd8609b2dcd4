#include "transactors/gather/concatenator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/text/diagnostic.hpp"

namespace heddle {

using namespace gather_format;

void concatenator::check(const concatenator_settings& settings, const std::string& path) {
  const std::uint32_t least = physical_for(longest_request(settings));
  if (settings.pool == 0 || settings.pool >= least) return;
  throw user_error(fmt::format(
      "{}: a pool of {} queues of {} B does not hold the longest property request of a packet of "
      "{} B: {} are the least, 0 for a packet in each queue",
      path, settings.pool, physical_bytes, settings.mtu, least));
}

concatenator::concatenator(listener& owner, const concatenator_settings& settings)
    : owner_(owner),
      settings_(settings),
      queues_(settings.queues),
      free_physical_(settings.pool),
      expiry_(timed_call::to<concatenator, &concatenator::expire>(*this)),
      leaving_(timed_queue<departure>::to<concatenator, &concatenator::hand_over>(*this)) {}

void concatenator::set(bool is_enabled, std::uint64_t delay) {
  settings_.is_enabled = is_enabled;
  settings_.delay = delay;
}

fs_t concatenator::push(const gather_flow& flow, const property_request& pr, const std::byte* bytes,
                        std::uint32_t length, fs_t when) {
  const bool is_answer = is_response(flow.kind);
  const std::uint32_t each = bytes_of_each(is_answer, length);
  if (!fits(each))
    throw std::logic_error(
        fmt::format("a property request of {} B fits into no packet of {} B", each, settings_.mtu));
  const fs_t accepted = std::max(when, accepts_at_);
  accepts_at_ = accepted + settings_.cycle;
  if (!settings_.is_enabled) {
    send_alone(flow, pr, bytes, length, accepted);
    return accepted;
  }
  queue& to = queues_[flow.queue];
  // A queue holds properties of one length: those of another kernel wait in a packet of their own.
  if (to.filling && (to.deadline <= accepted || to.length != length)) emit(to, accepted);
  if (settings_.pool > 0) {
    const std::uint32_t used = to.filling ? to.bytes - upper_bytes - concatenation_bytes : 0;
    const std::uint32_t needed = physical_for(used + each);
    // The queue itself waited longest and was emitted: it starts again with this PR.
    if (!take_physical(to, needed - to.physical, accepted))
      take_physical(to, physical_for(each), accepted);
  }
  if (!to.filling) open(to, flow, bytes || !is_answer, length, accepted);
  append(to, pr, bytes, length, each);
  if (to.bytes + each > settings_.mtu) emit(to, accepted);
  return accepted;
}

packet& concatenator::begin(const gather_flow& flow, bool has_data, std::uint32_t capacity) const {
  packet& p = *take_packet();
  p.kind = flow.kind;
  p.source = flow.source;
  p.destination = flow.destination;
  p.vc = flow.vc;
  p.carries_data = has_data;
  p.payload = payload_slice::allocate(capacity);
  return p;
}

void concatenator::send_alone(const gather_flow& flow, const property_request& pr,
                              const std::byte* bytes, std::uint32_t length, fs_t when) {
  const bool is_answer = is_response(flow.kind);
  const std::uint32_t carried = bytes ? length : 0;
  packet& p = begin(flow, bytes || !is_answer, lone_bytes + request_bytes + carried);
  std::byte* to = p.payload.data();
  put_header(
      to, {is_answer ? gather_type::lone_response : gather_type::lone_read, flow.node, length, 1});
  put_request(to + lone_bytes, pr);
  if (carried > 0) std::memcpy(to + lone_bytes + request_bytes, bytes, carried);
  p.wire_bytes = packet_bytes(is_answer, true, 1, length);
  p.payload_bytes = p.wire_bytes - upper_bytes;
  leave(p, flow.port, when);
}

void concatenator::open(queue& opened, const gather_flow& flow, bool has_data, std::uint32_t length,
                        fs_t when) {
  opened.filling = &begin(flow, has_data, settings_.mtu - upper_bytes);
  opened.bytes = upper_bytes + concatenation_bytes;
  opened.used = concatenation_bytes;
  opened.count = 0;
  opened.length = length;
  opened.port = flow.port;
  opened.deadline = when + settings_.delay * settings_.cycle;
  opened.entry = first_entry_ + deadlines_.size();
  put_header(
      opened.filling->payload.data(),
      {is_response(flow.kind) ? gather_type::response : gather_type::read, flow.node, length, 0});
  deadlines_.push_back({opened.deadline, flow.queue, false});
  ++open_;
  if (deadlines_.size() == 1) expiry_.at(std::max(opened.deadline, now_fs()));
}

void concatenator::append(queue& to, const property_request& pr, const std::byte* bytes,
                          std::uint32_t length, std::uint32_t each) {
  std::byte* end = to.filling->payload.data() + to.used;
  put_request(end, pr);
  to.used += request_bytes;
  if (bytes) {
    std::memcpy(end + request_bytes, bytes, length);
    to.used += length;
  }
  to.bytes += each;
  ++to.count;
}

// Whether the queue has its physical queues; not when it had to be emitted itself to free some.
bool concatenator::take_physical(queue& wanting, std::uint32_t more, fs_t when) {
  const bool was_open = wanting.filling != nullptr;
  while (free_physical_ < more && open_ > 0) {
    emit_oldest(when);
    if (was_open && !wanting.filling) return false;
  }
  free_physical_ -= more;
  wanting.physical += more;
  return true;
}

void concatenator::emit_oldest(fs_t when) {
  drop_cleared();
  emit(queues_[deadlines_.front().queue], when);
}

void concatenator::emit(queue& full, fs_t when) {
  packet& p = *full.filling;
  put(p.payload.data() + 10, full.count);
  p.wire_bytes = full.bytes;
  p.payload_bytes = full.bytes - upper_bytes;
  deadlines_[full.entry - first_entry_].is_cleared = true;
  free_physical_ += full.physical;
  full.physical = 0;
  full.filling = nullptr;
  --open_;
  drop_cleared();
  leave(p, full.port, std::min(when, std::max(full.deadline, now_fs())));
}

void concatenator::drop_cleared() {
  while (!deadlines_.empty() && deadlines_.front().is_cleared) {
    deadlines_.pop_front();
    ++first_entry_;
  }
}

// The packet is complete at `when`; 64 B of it leave in a cycle, behind those before it.
void concatenator::leave(packet& p, std::uint16_t port, fs_t when) {
  const fs_t start = std::max(when, emits_at_);
  emits_at_ = start + (p.wire_bytes + bytes_a_cycle - 1) / bytes_a_cycle * settings_.cycle;
  p.head = p.tail = start;
  if (start > now_fs() || !leaving_.empty())
    leaving_.push(std::max(start, now_fs()), {&p, port});
  else
    owner_.emitted(p, port);
}

void concatenator::hand_over() {
  for (departure due; leaving_.pop_due(now_fs(), due);) owner_.emitted(*due.p, due.port);
}

void concatenator::expire() {
  const fs_t now = now_fs();
  drop_cleared();
  if (!deadlines_.empty() && deadlines_.front().expires <= now) owner_.before_expiry();
  for (drop_cleared(); !deadlines_.empty() && deadlines_.front().expires <= now; drop_cleared()) {
    queue& expired = queues_[deadlines_.front().queue];
    emit(expired, expired.deadline);
  }
  if (!deadlines_.empty()) expiry_.at(deadlines_.front().expires);
}

}  // namespace heddle
