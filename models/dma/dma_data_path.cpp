// Bursts: read from memory ahead of need, handed to the fabric one after the other, finished when
// they are visible at their destination.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "models/dma/dma.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {

// Starts bursts while the staging buffers have room.
void dma_engine::pump() {
  if (is_pumping_) return;  // a burst that finishes at once asks again
  is_pumping_ = true;
  while (staging_ < read_ahead_ && start_next_burst()) continue;
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

void dma_engine::prepare(dma_burst& burst, tlm::tlm_command command, std::uint64_t address) {
  void* data = burst.bulk.slice ? static_cast<void*>(burst.bulk.slice.data()) : no_data_.data();
  set_access(burst, command, address, data, burst.bytes);
}

void dma_engine::start_burst(dma_channel& channel) {
  dma_work& work = channel.next_work();
  const dma_descriptor& d = work.descriptor;
  dma_burst& burst = bursts_.take();
  burst.channel = &channel;
  burst.generation = channel.generation;
  burst.number = channel.first_number + channel.next;
  burst.destination = d.destination + work.started;
  burst.is_pull = !work.is_write() && !is_local(d.source);
  burst.bytes = next_burst_bytes(work);
  burst.bulk.is_carried = carries_data_ || work.is_write() || work.is_control();
  burst.bulk.step = work.step;
  if (burst.bulk.is_carried) burst.bulk.slice = payload_slice::allocate(burst.bytes);

  burst.why = work.why;
  burst.why.join(running_cause::copy());
  burst.why.join(channel.why);
  burst.why.then(category::queueing, site(), now_fs());
  const running_cause started(burst.why);

  const std::uint64_t source = d.source + work.started;
  const bool is_ordered = work.is_ordered();
  work.started += burst.bytes;
  if (channel.window.bytes != 0) {
    if (work.is_copy()) channel.window.started += burst.bytes;
    reconsider(channel);
  }
  if (work.is_started()) advance(channel);
  ++staging_;
  sc_core::sc_time delay;
  if (work.is_write()) {
    std::memcpy(burst.bulk.slice.data(), &d.source, burst.bytes);
  } else if (!burst.is_pull) {
    prepare(burst, tlm::TLM_READ_COMMAND, source);
    memory_socket_->b_transport(burst, delay);
    if (!burst.is_response_ok()) {
      --staging_;
      return finish(burst, false);
    }
  }
  if (burst.is_pull)
    prepare(burst, tlm::TLM_READ_COMMAND, source);
  else
    prepare(burst, tlm::TLM_WRITE_COMMAND, burst.destination);
  fs_t due = now_fs() + to_fs(delay);
  if (is_ordered) due = std::max(due, channel.latest_due);
  channel.latest_due = due;
  staged_.push(due, &burst);
}

// Bursts end at burst boundaries of the far address, as packets and planes do.
std::uint32_t dma_engine::next_burst_bytes(const dma_work& work) const {
  const dma_descriptor& d = work.descriptor;
  const bool is_pull = !work.is_write() && !is_local(d.source);
  const std::uint64_t far = (is_pull ? d.source : d.destination) + work.started;
  const auto to_boundary = static_cast<std::uint32_t>(burst_bytes_ - far % burst_bytes_);
  return std::min(d.length - work.started, to_boundary);
}

// Hands what is ready to its destination: local memory takes all, the fabric one at a time.
void dma_engine::launch() {
  const fs_t now = now_fs();
  cause latest = running_cause::copy();
  for (dma_burst* due = nullptr; staged_.pop_due(now, due);) ready_.push_back(due);
  while (!ready_.empty()) {
    dma_burst& burst = *ready_.front();
    const bool is_copied_here = !burst.is_pull && is_local(burst.destination);
    if (!is_copied_here && launching_) break;
    sc_core::sc_time delay;
    burst.why.join(running_cause::copy());
    latest = burst.why;
    const running_cause handing_over(burst.why);
    if (is_copied_here) {
      memory_socket_->b_transport(burst, delay);
      --staging_;
      if (burst.is_response_ok())
        written_.push(now + to_fs(delay), &burst);
      else
        finish(burst, false);
    } else {
      launching_ = &burst;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      ready_.erase(ready_.begin());
      const auto result = fabric_socket_->nb_transport_fw(burst, phase, delay);
      if (result == tlm::TLM_ACCEPTED) continue;
      end_request();
      if (result == tlm::TLM_UPDATED) {
        if (phase != tlm::BEGIN_RESP) continue;
        phase = tlm::END_RESP;
        fabric_socket_->nb_transport_fw(burst, phase, delay);
      }
      take_response(burst, delay);
      continue;
    }
    ready_.erase(ready_.begin());
  }
  const running_cause launched(latest);
  pump();
}

tlm::tlm_sync_enum dma_engine::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  dma_burst& burst = dma_burst::of(payload);
  const bool ends_request = launching_ == &burst;  // BEGIN_RESP implies END_REQ
  if (ends_request) end_request();
  const bool is_response = phase == tlm::BEGIN_RESP;
  if (is_response) take_response(burst, delay);
  if (ends_request) launch();
  return is_response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void dma_engine::end_request() {
  launching_ = nullptr;
  --staging_;
}

// The response comes `delay` from now; what was pulled goes on into memory.
void dma_engine::take_response(dma_burst& burst, sc_core::sc_time delay) {
  if (!burst.is_response_ok()) return finish(burst, false);
  burst.why = running_cause::copy();
  const running_cause handling(burst.why);
  if (burst.is_pull) {
    prepare(burst, tlm::TLM_WRITE_COMMAND, burst.destination);
    memory_socket_->b_transport(burst, delay);
    if (!burst.is_response_ok()) return finish(burst, false);
  } else if (delay == sc_core::SC_ZERO_TIME) {
    return finish(burst, true);
  }
  written_.push(now_fs() + to_fs(delay), &burst);
}

void dma_engine::finish_local() {
  for (dma_burst* due = nullptr; written_.pop_due(now_fs(), due);) finish(*due, true);
}

void dma_engine::finish(dma_burst& burst, bool is_ok) {
  dma_channel& channel = *burst.channel;
  const bool is_current = burst.generation == channel.generation && !channel.is_stopped;
  dma_work* work = is_current ? channel.numbered(burst.number) : nullptr;
  const std::uint32_t bytes = burst.bytes;
  const std::uint64_t address = burst.get_address();
  cause why = burst.why;
  const running_cause handling(why);
  bursts_.give_back(burst);
  if (!work) return;
  if (!is_ok) return fail(channel, error::BUS, fmt::format("bus error at {:#x}", address));
  work->finished += bytes;
  if (!work->is_write()) counters_.bytes += bytes;
  if (!work->is_finished()) return;
  retire(channel);
  pump();
}

}  // namespace heddle
