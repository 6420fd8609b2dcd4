#include "models/nic/rig/rig_client.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

std::uint32_t slot_of(const property_request& pr) {
  return pr.id & 0xffff;
}

}  // namespace

rig_client::rig_client(listener& owner, rig_hub& hub, int number, int pair)
    : owner_(owner),
      hub_(hub),
      number_(number),
      pair_(pair),
      cycle_(hub.limits.cycle),
      lag_((hub.limits.quantum - 1) * hub.limits.cycle),
      ring_(hub.limits.idx_bytes / fetch_unit * fetch_unit),
      lsq_(hub.limits.lsq),
      table_(hub.limits.pending),
      transmitted_(hub.limits.tx_queue),
      wake_(timed_call::to<rig_client, &rig_client::run>(*this)),
      watchdog_(timed_call::to<rig_client, &rig_client::expire>(*this)) {}

void rig_client::start(const rig_command& command) {
  command_ = command;
  counts_ = {};
  is_running_ = true;
  fetched_ = first_byte_ = buffered_ = 0;
  issues_at_ = last_answer_ = accounted_ = now_fs();
  lsq_full_since_ = fs_never;
  expires_at_ = command.watchdog == 0 ? fs_never : now_fs() + command.watchdog;
  if (command.watchdog != 0) watchdog_.at(expires_at_);
  run();
}

void rig_client::abandon() {
  if (is_running_) note_end();
  is_running_ = false;
  ++epoch_;
  expires_at_ = fs_never;
  pieces_.clear();
  first_byte_ = buffered_ = 0;
  first_answer_ = loads_ = 0;
  stall_ = stall::none;
  stalled_until_ = 0;
  table_.clear();
  received_.clear();
  writing_ = 0;
}

void rig_client::expire() {
  if (!is_running_ || expires_at_ == fs_never) return;
  if (now_fs() < expires_at_) return watchdog_.at(expires_at_);
  fail(rig_failure::timeout);
}

void rig_client::fail(rig_failure why) {
  abandon();
  owner_.failed(number_, why);
}

// Reads ahead as far as the idx buffer has room: a sliding window.
void rig_client::fetch(fs_t when) {
  const std::uint32_t threshold = std::clamp(hub_.limits.quantum * command_.index_bytes, fetch_unit,
                                             std::min(longest_fetch, 256U));
  const auto capacity = static_cast<std::uint32_t>(ring_.size());
  const fs_t now = now_fs();
  // One read stands for those of 64 B that would have begun as the buffer became free: it begins
  // with the first of them.
  const bool is_start = fetched_ == 0;
  const fs_t ahead = is_start ? 0 : (threshold - fetch_unit) / command_.index_bytes * cycle_;
  const std::uint32_t each = is_start || threshold == fetch_unit ? 0 : fetch_unit;
  when = std::max(when > ahead ? when - ahead : 0, now > 2 * lag_ ? now - 2 * lag_ : 0);
  while (is_running_ && fetched_ < command_.count) {
    const std::uint32_t room = capacity - std::min(capacity, buffered_ * command_.index_bytes);
    const std::uint32_t rest =
        std::min(command_.count - fetched_, capacity / command_.index_bytes) * command_.index_bytes;
    if (room < std::min({threshold, capacity, std::max(rest, fetch_unit)})) return;
    const std::uint32_t whole = std::min(longest_fetch, room / fetch_unit * fetch_unit);
    if (!read_piece(std::min(whole, rest), each, when)) return fail(rig_failure::bus);
  }
}

bool rig_client::read_piece(std::uint32_t bytes, std::uint32_t each, fs_t when) {
  std::array<std::byte, longest_fetch> wrapped;
  const auto size = static_cast<std::uint32_t>(ring_.size());
  const std::uint64_t from = command_.indices + std::uint64_t{fetched_} * command_.index_bytes;
  const std::uint32_t at = (first_byte_ + buffered_ * command_.index_bytes) % size;
  const std::uint32_t straight = std::min(bytes, size - at);
  std::byte* const to = straight == bytes ? &ring_[at] : wrapped.data();
  const fs_t ready = hub_.read_host(from, to, bytes, when, each);
  if (ready == fs_never) return false;
  if (straight < bytes) {
    std::memcpy(&ring_[at], wrapped.data(), straight);
    std::memcpy(ring_.data(), wrapped.data() + straight, bytes - straight);
  }
  const std::uint32_t count = bytes / command_.index_bytes;
  pieces_.push_back({ready, count});
  buffered_ += count;
  fetched_ += count;
  return true;
}

std::uint64_t rig_client::pop_index() {
  const std::uint64_t index = index_at(first_byte_);
  first_byte_ += command_.index_bytes;
  if (first_byte_ == ring_.size()) first_byte_ = 0;
  --buffered_;
  return index;
}

// Some indices later their entries of the pending table will be asked for. What lies in the ring
// there may not be an index any more: no harm, it leads to some entry of the table.
void rig_client::prefetch_ahead() const {
  constexpr std::uint32_t ahead = 6;
  const std::uint32_t bytes = command_.index_bytes;
  std::uint32_t at = first_byte_ + ahead * bytes;
  if (at >= ring_.size()) at -= static_cast<std::uint32_t>(ring_.size());
  table_.prefetch(index_at(at));
}

std::uint64_t rig_client::index_at(std::uint32_t first_byte) const {
  const std::byte* const at = &ring_[first_byte];
  return command_.index_bytes == 4 ? gather_format::get<std::uint32_t>(at)
                                   : gather_format::get<std::uint64_t>(at);
}

fs_t rig_client::next_issue() const {
  if (pieces_.empty() || loads_ == lsq_.size()) return fs_never;
  return std::max(issues_at_, pieces_.front().ready);
}

fs_t rig_client::next_answer() const {
  if (loads_ == 0) return fs_never;
  const fs_t ready = lsq_[first_answer_].ready;
  return stall_ == stall::none ? ready : std::max(ready, stalled_until_);
}

// Catches up with simulated time.
void rig_client::run() {
  if (!is_running_) return;
  const fs_t now = now_fs();
  fetch(std::min(issues_at_, now));
  while (is_running_) {
    const fs_t issue_at = next_issue(), answer_at = next_answer();
    if (std::min(issue_at, answer_at) > now) break;
    if (answer_at <= issue_at)
      resolve(answer_at);
    else
      issue(now);
  }
  finish_if_done();
  if (!is_running_) return;
  const fs_t next = std::min(next_issue(), next_answer());
  if (next != fs_never) wake_.at(next + lag_);
}

// One index a cycle enters the pipeline, until one has to wait or simulated time is reached.
void rig_client::issue(fs_t now) {
  const rig_settings& set = hub_.settings;
  piece& from = pieces_.front();
  fs_t at = std::max(issues_at_, from.ready);
  const fs_t answer_at = next_answer();
  if (at > accounted_) times_.indices += at - accounted_;
  const fs_t begun = accounted_ = std::max(at, accounted_);
  do {
    const std::uint64_t index = pop_index();
    --from.count;
    prefetch_ahead();
    if (set.is_own(index)) {
      ++counts_.local;
    } else if (!set.is_valid(index)) {
      return fail(rig_failure::bad_index);
    } else if (command_.coalesces && table_.holds(index)) {
      ++counts_.coalesced;
    } else {
      ask_filter(index, at);
      at += cycle_;
      if (loads_ == lsq_.size()) lsq_full_since_ = at;
      break;
    }
    at += cycle_;
  } while (from.count > 0 && at <= now && at < answer_at);
  issues_at_ = at;
  accounted_ = std::max(at, begun);
  times_.scan += accounted_ - begun;
  if (from.count == 0) pieces_.pop_front();
  fetch(std::min(at, now));
}

// The load of an index's bit takes the next place of the LSQ.
void rig_client::ask_filter(std::uint64_t index, fs_t when) {
  fs_t ready = when;
  if (command_.filters) {
    hub_.filter.prefetch(index);
    ready += hub_.cache().load(pair_, index_filter::line_of(index), when);
  }
  last_answer_ = std::max(ready, last_answer_);
  lsq_[(first_answer_ + loads_) % lsq_.size()] = {index, last_answer_};
  ++loads_;
}

// The oldest answer of the filter. False: it has to wait.
bool rig_client::resolve(fs_t when) {
  const std::uint64_t index = lsq_[first_answer_].index;
  const stall behind = stall_;
  if (command_.filters && hub_.filter.holds(index)) {
    ++counts_.filtered;
  } else if (command_.coalesces && table_.holds(index)) {
    ++counts_.coalesced;
  } else if (!request(index, when)) {
    return false;
  }
  end_stall(when);
  first_answer_ = (first_answer_ + 1) % static_cast<std::uint32_t>(lsq_.size());
  --loads_;
  if (lsq_full_since_ != fs_never) end_full_lsq(behind, when);
  return true;
}

// Sends a PR for the property. False: it has to wait.
bool rig_client::request(std::uint64_t index, fs_t when) {
  if (table_.full()) {
    stall_for(stall::pending, when, fs_never);
    return false;
  }
  if (!hub_.may_send(false)) {
    stall_for(stall::transmit_buffer, when, fs_never);
    return false;
  }
  if (const fs_t free_at = transmitted_[next_transmitted_]; free_at > when) {
    stall_for(stall::transmit_queue, when, free_at);
    return false;
  }
  end_stall(when);
  property_request pr;
  pr.index = index;
  pr.source_node = hub_.settings.node;
  pr.tid = static_cast<std::uint16_t>(number_);
  pr.id = id_of(table_.insert(index));
  ++counts_.issued;
  free_transmit_slot(
      hub_.send(false, hub_.settings.owner_of(index), pr, nullptr, hub_.settings.length, when));
  return true;
}

// The pipeline goes on at the instant at which the LSQ has room again.
void rig_client::end_full_lsq(stall behind, fs_t when) {
  if (!pieces_.empty() && when > lsq_full_since_)
    counts_.stall_lsq += (when - lsq_full_since_) / cycle_;
  if (buffered_ > 0 || fetched_ < command_.count) note_full_lsq(behind, stalled_since_, when);
  lsq_full_since_ = fs_never;
  issues_at_ = std::max(issues_at_, when);
}

void rig_client::stall_for(stall why, fs_t since, fs_t until) {
  // Answers leave in order: what comes while one waits begins to wait itself once that one is gone.
  if (stall_ == stall::none) stalled_since_ = std::max(since, stalled_until_);
  stall_ = why;
  stalled_until_ = until;
}

void rig_client::end_stall(fs_t when) {
  if (stall_ == stall::none) return;
  stalled_until_ = std::max(when, stalled_since_);
  const std::uint64_t cycles = (stalled_until_ - stalled_since_) / cycle_;
  (stall_ == stall::pending ? counts_.stall_pending : counts_.stall_tx) += cycles;
  stall_ = stall::none;
}

// The LSQ was full until then; since `since` because its oldest answer had to wait for something.
void rig_client::note_full_lsq(stall behind, fs_t since, fs_t until) {
  if (until <= accounted_) return;
  fs_t waited = 0;
  if (behind != stall::none) waited = until - std::max(accounted_, std::min(since, until));
  (behind == stall::pending ? times_.pending : times_.transmit) += waited;
  times_.filter += until - accounted_ - waited;
  accounted_ = until;
}

void rig_client::note_end() {
  const fs_t now = now_fs();
  if (now > accounted_) times_.responses += now - accounted_;
  times_.last_end = now;
}

void rig_client::end_wait_for_transmit_buffer() {
  stalled_until_ = now_fs();
  run();
}

void rig_client::free_transmit_slot(fs_t accepted) {
  transmitted_[next_transmitted_] = accepted;
  next_transmitted_ = (next_transmitted_ + 1) % static_cast<std::uint32_t>(transmitted_.size());
}

std::uint32_t rig_client::id_of(std::uint32_t slot) const {
  return hub_.settings.kernel << 24 | (epoch_ & 0xff) << 16 | slot;
}

void rig_client::prefetch(const property_request& pr) const {
  table_.prefetch_slot(slot_of(pr));
}

bool rig_client::take(const property_request& pr, const payload_slice& bytes, std::uint32_t length,
                      fs_t when) {
  const std::uint32_t slot = slot_of(pr);
  const bool is_known = is_running_ && pr.id == id_of(slot) && table_.is(slot, pr.index);
  if (is_known && length == 0) {  // its owner has no such property
    fail(rig_failure::bad_index);
    return true;
  }
  if (!is_known || length != hub_.settings.length) {
    ++orphans_;
    return true;
  }
  const std::uint32_t places = std::max(1U, hub_.limits.property_bytes / length);
  if (writing_ < places && received_.empty()) {
    write(pr, bytes.data(), length, when);
    return true;
  }
  if (received_.size() >= hub_.limits.rx_queue) return false;
  received_.push_back({pr, bytes, length});
  return true;
}

// The bit of the filter is set once the host has the property, and the entry is freed with it.
void rig_client::write(const property_request& pr, const std::byte* bytes, std::uint32_t length,
                       fs_t when) {
  ++writing_;
  const std::uint64_t index = pr.index;
  const fs_t acknowledged =
      hub_.write_host(command_.destination + index * length, bytes, length, when);
  if (acknowledged == fs_never) return fail(rig_failure::bus);
  const fs_t stored =
      command_.filters ? hub_.cache().store(pair_, index_filter::line_of(index), acknowledged) : 0;
  owner_.writes(number_, slot_of(pr), epoch_, index, acknowledged + stored);
}

void rig_client::written(std::uint32_t slot, std::uint32_t epoch, std::uint64_t index, fs_t when) {
  if (epoch != epoch_) return;
  if (command_.filters) hub_.filter.set(index);
  table_.remove(slot, index);
  ++counts_.responses;
  --writing_;
  if (!received_.empty()) {
    const response next = std::move(received_.front());
    received_.pop_front();
    write(next.pr, next.bytes.data(), next.length, when);
    if (!is_running_) return;
  }
  if (stall_ == stall::pending) {
    stalled_until_ = when;
    run();
  } else {
    finish_if_done();
  }
}

void rig_client::finish_if_done() {
  if (!is_running_ || fetched_ < command_.count || !pieces_.empty() || loads_ > 0) return;
  if (!table_.empty()) return;
  note_end();
  is_running_ = false;
  expires_at_ = fs_never;
  ++epoch_;
  owner_.completed(number_);
}

}  // namespace heddle
