// Bursts: read from memory ahead of need, handed to the fabric one after the other, finished when
// they are visible at their destination.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "models/dma/dma.hpp"
#include "sw/drivers/line.h"
#include "transactors/memory/access.hpp"

namespace heddle {

namespace {

constexpr const char* bus_error = "bus error";

// The data of a burst as lines, each with the flag.
payload_slice lines_around(const payload_slice& data, std::uint32_t bytes, std::uint64_t flag) {
  const auto whole = static_cast<std::uint32_t>(lines_of(bytes) * LINE_BYTES);
  payload_slice lines = payload_slice::allocate(whole);
  std::memset(lines.data(), 0, whole);
  for (std::uint64_t i = 0; i * LINE_DATA < bytes; ++i) {
    std::byte* const line = lines.data() + i * LINE_BYTES;
    std::memcpy(line, data.data() + i * LINE_DATA,
                std::min<std::uint64_t>(LINE_DATA, bytes - i * LINE_DATA));
    std::memcpy(line + LINE_DATA, &flag, sizeof flag);
  }
  return lines;
}

}  // namespace

// Starts bursts while the staging buffers have room. Waits and reductions need none of that room.
void dma_engine::pump() {
  if (is_pumping_) return;  // a burst that finishes at once asks again
  is_pumping_ = true;
  do {
    pass_all_steps();
  } while (staging_ < read_ahead_ && start_next_burst());
  is_pumping_ = false;
}

// Every burst asks: only channels in which something has changed are looked into.
dma_channel* dma_engine::oldest_to_start() {
  for (; to_consider_ != 0; to_consider_ &= to_consider_ - 1) {
    dma_channel& each = *channels_[__builtin_ctz(to_consider_)];
    const std::uint32_t bit = 1U << each.index;
    startable_ &= ~bit;
    if (!(with_work_ & bit) || !may_start(each)) continue;
    startable_ |= bit;
    next_age_[each.index] = each.next_work().age;
  }
  dma_channel* oldest = nullptr;
  std::uint64_t age = UINT64_MAX;
  for (std::uint32_t left = startable_; left != 0; left &= left - 1) {
    const int index = __builtin_ctz(left);
    if (next_age_[index] >= age) continue;
    age = next_age_[index];
    oldest = channels_[index].get();
  }
  return oldest;
}

bool dma_engine::start_next_burst() {
  if (serves_oldest_) {
    dma_channel* oldest = oldest_to_start();
    if (oldest) start_burst(*oldest);
    return oldest != nullptr;
  }
  for (std::size_t tries = 0; tries < channels_.size(); ++tries) {
    dma_channel& channel = *channels_[next_channel_];
    next_channel_ = (next_channel_ + 1) % channels_.size();
    if (!may_start(channel)) continue;
    start_burst(channel);
    return true;
  }
  return false;
}

dma_requester::access& dma_engine::aim(dma_requester& through, dma_burst& burst,
                                       tlm::tlm_command command, std::uint64_t address) {
  dma_requester::access& access = through.take();
  access.context = {&burst, nullptr};
  access.bulk.slice = burst.slice;
  access.bulk.is_carried = burst.is_carried;
  access.bulk.may_lend = command == tlm::TLM_READ_COMMAND;
  access.bulk.step = burst.step;
  access.bulk.word = burst.word;
  access.bulk.is_word_taken = false;
  if (&through == &fabric_socket_ && train_bytes_ != burst_bytes_) {  // packets of single bursts
    access.bulk.packet_bytes = burst_bytes_;
    access.bulk.packet_offset = static_cast<std::uint32_t>(address % burst_bytes_);
  }
  burst.address = address;
  void* data =
      burst.slice ? static_cast<void*>(burst.slice.data()) : no_data_.room_for(burst.bytes);
  const bool has_lines = burst.is_in_lines && command == tlm::TLM_WRITE_COMMAND;
  const auto in_lines = static_cast<std::uint32_t>(lines_of(burst.bytes) * LINE_BYTES);
  set_access(access, command, address, data, has_lines ? in_lines : burst.bytes);
  return access;
}

void dma_engine::start_burst(dma_channel& channel) {
  dma_work& work = channel.next_work();
  dma_burst& burst = make_burst(channel, work);
  burst.why = work.why;
  running_cause::join_into(burst.why);
  burst.why.join(channel.why);
  burst.why.then(category::queueing, site(), now_fs());
  const running_cause started(burst.why);

  const bool is_read_here = !work.is_write() && !burst.is_pull;
  work.started += burst.bytes;
  if (channel.window.bytes != 0) {
    if (work.is_copy()) channel.window.started += burst.bytes;
    reconsider(channel);
  }
  if (work.is_started()) {
    const bool carries_word = may_carry_word(channel);
    advance(channel);
    if (carries_word) carry_word(channel, burst);
  }
  staging_ += bursts_in(burst.bytes);
  if (!is_read_here) return stage(burst, now_fs());
  ++channel.reading;
  memory_socket_.send(aim(memory_socket_, burst, tlm::TLM_READ_COMMAND, burst.source));
}

// The next bytes of the descriptor that the channel is at.
dma_burst& dma_engine::make_burst(dma_channel& channel, const dma_work& work) {
  const dma_descriptor& d = work.descriptor;
  dma_burst& burst = bursts_.take();
  ++channel.under_way;
  burst.channel = &channel;
  burst.generation = channel.generation;
  burst.number = channel.number_of(channel.next);
  burst.source = d.source + work.started;
  burst.destination =
      d.destination + (work.makes_lines() ? lines_of(work.started) * LINE_BYTES : work.started);
  burst.is_pull = !work.is_write() && !is_local(d.source);
  burst.bytes = next_burst_bytes(channel, work);
  burst.is_in_lines = work.makes_lines();
  burst.flag = d.reserved;
  burst.is_carried = carries_data_ || work.is_write() || work.is_control() || burst.is_in_lines;
  burst.is_ordered = work.is_ordered();
  burst.step = work.step;
  if (burst.is_carried) burst.slice = payload_slice::allocate(burst.bytes);
  if (work.is_write())
    std::memcpy(burst.slice.data(), reinterpret_cast<const std::byte*>(&d.source) + work.started,
                burst.bytes);
  return burst;
}

// Whether the last burst of the copy that the channel is at may carry the word of the descriptor
// behind it: whatever the channel has sent before has been read, and both go to the same endpoint.
bool dma_engine::may_carry_word(const dma_channel& channel) const {
  if (!sends_flags_with_data_ || channel.next + 1 == channel.work.size()) return false;
  const dma_work& copy = channel.work[channel.next];
  const dma_work& write = channel.work[channel.next + 1];
  if (!copy.is_copy() || copy.makes_lines()) return false;
  if (!is_local(copy.descriptor.source) || is_local(copy.descriptor.destination)) return false;
  if (!write.is_write() || !write.is_ordered() || write.is_fenced()) return false;
  if (channel.reading != 0) return false;
  const address_window* window = fabric_.find_window(copy.descriptor.destination);
  return window && window == fabric_.find_window(write.descriptor.destination) &&
         !fabric_.is_inc(window->endpoint);
}

// The write that the channel stands at goes with the burst.
void dma_engine::carry_word(dma_channel& channel, dma_burst& burst) {
  dma_work& write = channel.next_work();
  burst.word = {write.descriptor.destination, write.descriptor.source, write.descriptor.length};
  burst.is_ordered = true;
  write.started = write.descriptor.length;
  advance(channel);
}

// Bursts end at burst boundaries of the far address, as packets and planes do, and never within a
// line of a message. Those that keep to a window are shorter than it.
std::uint32_t dma_engine::next_burst_bytes(const dma_channel& channel, const dma_work& work) const {
  const dma_descriptor& d = work.descriptor;
  const bool is_pull = !work.is_write() && !is_local(d.source);
  if (work.makes_lines()) {
    const std::uint64_t to = d.destination + lines_of(work.started) * LINE_BYTES;
    const std::uint64_t to_boundary = (train_bytes_ - to % train_bytes_) / LINE_BYTES;
    const std::uint64_t lines = std::max<std::uint64_t>(to_boundary, 1);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(d.length - work.started, lines * LINE_DATA));
  }
  const std::uint64_t far = (is_pull ? d.source : d.destination) + work.started;
  const auto to_boundary = static_cast<std::uint32_t>(train_bytes_ - far % train_bytes_);
  const std::uint32_t bytes = std::min(d.length - work.started, to_boundary);
  if (channel.window.bytes == 0 || !work.is_copy()) return bytes;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, channel.window.longest_burst()));
}

void dma_engine::stage(dma_burst& burst, fs_t due) {
  dma_channel& channel = *burst.channel;
  if (burst.is_ordered) due = std::max(due, channel.latest_due);
  channel.latest_due = due;
  staged_.push(due, &burst);
}

// An access to local memory is over; its data is there `delay` from now.
void dma_engine::end_local(dma_requester::access& over, fs_t delay) {
  const bool is_ok = over.is_response_ok();
  const dma_access& of = over.context;
  if (of.fetch) return end_fetch(*of.fetch, is_ok, delay);
  if (of.counted) return end_counter_read({of.counted, of.generation}, is_ok, delay);
  if (of.reduction) return end_reduction_access(*of.reduction, over.is_write(), is_ok, delay);
  dma_burst& burst = *of.burst;
  const bool leaves_staging = !burst.is_pull && (over.is_write() || !is_ok);
  if (leaves_staging) staging_ -= bursts_in(burst.bytes);
  // start_burst() and launch() are followed by a pump, which serves answers that come in their
  // calls. An answer that comes later has to start by itself what waited for its room.
  const bool has_to_pump = leaves_staging && !is_pumping_ && !is_launching_;
  cause freed = has_to_pump ? burst.why : cause();
  end_burst_access(over, burst, now_fs() + delay);
  if (!has_to_pump) return;
  freed.then(category::memory, site(), now_fs());
  const running_cause handling(freed);
  pump();
}

// The data that the access has read or written is there at `when`.
void dma_engine::end_burst_access(const dma_requester::access& over, dma_burst& burst, fs_t when) {
  burst.why.then(category::memory, site(), when);  // where the memory has not explained it
  if (over.is_read()) {
    burst.slice = over.bulk.slice;
    --burst.channel->reading;
    reconsider(*burst.channel);  // what is ordered behind it may start
  }
  if (!over.is_response_ok()) return finish(burst, bus_error);
  if (over.is_write()) return written_.push(when, &burst);
  if (burst.is_in_lines) burst.slice = lines_around(burst.slice, burst.bytes, burst.flag);
  stage(burst, when);
}

// Hands what is ready to its destination: local memory takes all, the fabric one at a time.
void dma_engine::launch() {
  const fs_t now = now_fs();
  cause latest;
  const bool is_inside_another = std::exchange(is_launching_, true);
  for (dma_burst* due = nullptr; staged_.pop_due(now, due);) ready_.push_back(due);
  while (!ready_.empty()) {
    dma_burst& burst = *ready_.front();
    const bool is_copied_here = !burst.is_pull && is_local(burst.destination);
    if (!is_copied_here && fabric_socket_.is_busy()) break;
    ready_.erase(ready_.begin());
    running_cause::join_into(burst.why);
    latest = burst.why;
    const running_cause handing_over(burst.why);
    dma_requester& through = is_copied_here ? memory_socket_ : fabric_socket_;
    through.send(burst.is_pull ? aim(through, burst, tlm::TLM_READ_COMMAND, burst.source)
                               : aim(through, burst, tlm::TLM_WRITE_COMMAND, burst.destination));
  }
  is_launching_ = is_inside_another;
  if (!latest) latest = running_cause::copy();
  const running_cause launched(latest);
  pump();
}

void dma_engine::end_request(dma_requester::access& taken) {
  staging_ -= bursts_in(taken.context.burst->bytes);
}

// The response comes `delay` from now; what was pulled goes on into memory.
void dma_engine::take_response(dma_requester::access& over, fs_t delay) {
  dma_burst& burst = *over.context.burst;
  if (!over.is_response_ok()) return finish(burst, bus_error);
  if (burst.word.bytes != 0 && !over.bulk.is_word_taken)
    return finish(burst, "nobody writes words behind data (set `flags: apart`)");
  burst.why = running_cause::copy();
  const running_cause handling(burst.why);
  if (burst.is_pull) {
    burst.slice = over.bulk.slice;
    memory_socket_.send(aim(memory_socket_, burst, tlm::TLM_WRITE_COMMAND, burst.destination),
                        delay);
  } else if (delay == 0) {
    finish(burst);
  } else {
    written_.push(now_fs() + delay, &burst);
  }
}

void dma_engine::finish_local() {
  for (dma_burst* due = nullptr; written_.pop_due(now_fs(), due);) finish(*due);
}

void dma_engine::finish(dma_burst& burst, const char* failure) {
  dma_channel& channel = *burst.channel;
  const std::uint32_t number = burst.number;
  dma_work* work = channel.is_current(burst.generation) ? channel.numbered(number) : nullptr;
  const std::uint32_t bytes = burst.bytes;
  const std::uint64_t address = burst.address;
  const std::uint32_t word_bytes = burst.word.bytes;
  cause why = std::move(burst.why);
  const running_cause handling(why);
  bursts_.give_back(burst);
  end_one(channel);
  if (!work) return;
  if (failure) return fail(channel, error::BUS, fmt::format("{} at {:#x}", failure, address));
  work->finished += bytes;
  if (!work->is_write()) counters_.bytes += bytes;
  if (word_bytes != 0) channel.numbered(number + 1)->finished = word_bytes;
  if (!work->is_finished()) return;
  retire(channel);
  pump();
}

}  // namespace heddle
