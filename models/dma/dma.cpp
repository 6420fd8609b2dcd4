// Registers, descriptors and their order. The data path is in dma_data_path.cpp.
#include "models/dma/dma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"
#include "sw/drivers/line.h"
#include "transactors/memory/access.hpp"
#include "transactors/packetizer/packetizer.hpp"
#include "transactors/packetizer/word_header.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(dma_engine, describe_unit<dma_engine>("dma",
                                                           "multi-channel copy engine with "
                                                           "descriptor rings",
                                                           dma_regs::markdown));

// Bits without a meaning, and a last word where the opcode takes none.
bool sets_reserved(const dma_descriptor& descriptor) {
  constexpr std::uint32_t flags = DMA_FENCE | DMA_INTERRUPT | DMA_ORDERED | DMA_CONTROL | DMA_LINES;
  const std::uint32_t opcode = descriptor.control & DMA_OPCODE_MASK;
  const std::uint32_t of_reduction = opcode == DMA_REDUCE ? DMA_DTYPE_MASK | DMA_OP_MASK : 0;
  const bool takes_word = opcode == DMA_WINDOW || (descriptor.control & DMA_LINES) != 0;
  return (descriptor.control & ~(DMA_OPCODE_MASK | flags | of_reduction)) != 0 ||
         (descriptor.reserved != 0 && !takes_word);
}

}  // namespace

std::vector<port_description> dma_engine::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "descriptors and local data"},
          {"fabric", "memory initiator", "far data; non-blocking"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"}};
}

dma_engine::dma_engine(const unit_context& context, const parameters& p)
    : unit(context),
      burst_bytes_(static_cast<std::uint32_t>(p.burst().bytes)),
      train_bytes_(burst_bytes_),
      read_ahead_(static_cast<std::uint32_t>(p.read_ahead())),
      prefetch_(static_cast<std::uint32_t>(p.prefetch())),
      local_base_(p.local_base().value),
      local_size_(p.local_size().bytes),
      reduce_rate_(p.reduce()),
      watch_(p.watch().fs),
      serves_oldest_(p.arbitration() == "oldest"),
      sends_flags_with_data_(p.flags() == "with_data"),
      carries_data_(sim().settings().carries_data),
      fabric_(sim().service<fabric>()),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory", dma_requester::calls::to<dma_engine, &dma_engine::end_local>(*this)),
      fabric_socket_("fabric",
                     dma_requester::calls::to<dma_engine, &dma_engine::take_response>(*this)
                         .when_taken<dma_engine, &dma_engine::end_request>()
                         .when_idle<dma_engine, &dma_engine::launch>()),
      memory_port_(*this, "memory", memory_socket_),
      fabric_port_(*this, "fabric", fabric_socket_),
      events_(*this, regs_),
      buffers_(sim(), this->path(), memory_socket_),
      fetched_(timed_queue<dma_fetch*>::to<dma_engine, &dma_engine::take_fetched>(*this)),
      staged_(timed_queue<dma_burst*>::to<dma_engine, &dma_engine::launch>(*this)),
      written_(timed_queue<dma_burst*>::to<dma_engine, &dma_engine::finish_local>(*this)),
      counters_read_(timed_queue<dma_step>::to<dma_engine, &dma_engine::take_counters>(*this)),
      reduced_(timed_queue<dma_step>::to<dma_engine, &dma_engine::end_reductions>(*this)),
      no_data_(sim().service<no_data>()) {
  if (sends_flags_with_data_) sim().service<fabric>().expect_words_of(word_header::bytes);
  regs_.channels.set(static_cast<std::uint32_t>(p.channels()));
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < static_cast<int>(p.channels()); ++i) {
    dma_channel& channel = *channels_.emplace_back(std::make_unique<dma_channel>(*this, i));
    const auto block = regs_.channel[i];
    block.doorbell.on_write([this, &channel](std::uint64_t, std::uint64_t posted) {
      ring_doorbell(channel, static_cast<std::uint32_t>(posted));
    });
    // Whoever tells the channel where its ring is begins with entry 0 of it.
    const auto begin_ring = [&channel](std::uint64_t, std::uint64_t) {
      channel.to_fetch.entry = 0;
    };
    block.ring_base.on_write(begin_ring);
    block.ring_entries.on_write(begin_ring);
    block.control.on_write([this, &channel, block](std::uint64_t, std::uint64_t) {
      if (block.control.reset.get() == dma_regs::channel_control_reset::YES) reset(channel);
    });
    channel.state_trace =
        scope.state<state>("channel_" + std::to_string(i), dma_regs::channel_status_state_names());
    channel.state_trace.set(state::IDLE, 0);
  }
  for (std::size_t i = p.channels(); i < regs_.channel.size(); ++i) {
    const auto block = regs_.channel[i];
    block.doorbell.on_write([this, block](std::uint64_t, std::uint64_t) {
      regs_.report(block.doorbell,
                   fmt::format("there are {}", counted(channels_.size(), "channel")));
    });
  }
}

void dma_engine::end_of_elaboration() {
  constexpr std::uint64_t longest = 1 << 30;
  const address_window* home = fabric_.find_window(local_base_);
  if (!home) return;
  const auto& packetizers = sim().service<packetizer_directory>().by_endpoint;
  const auto sender = packetizers.find(home->endpoint);
  if (sender == packetizers.end() || sender->second->mtu() < burst_bytes_) return;
  const std::uint64_t bursts =
      std::clamp<std::uint64_t>(read_ahead_ / 2, 1, sim().settings().train);
  train_bytes_ = static_cast<std::uint32_t>(std::min(longest, burst_bytes_ * bursts));
}

void dma_engine::ring_doorbell(dma_channel& channel, std::uint32_t posted) {
  ++counters_.doorbells;
  // Only firmware is bound by the rule against doorbells in RESET: the register keeps the count.
  if (!channel.is_stopped && !channel.is_resetting) take_posted(channel, posted);
}

void dma_engine::take_posted(dma_channel& channel, std::uint32_t posted) {
  const auto entries =
      static_cast<std::uint32_t>(regs_.channel[channel.index].ring_entries.value());
  const std::uint32_t ahead = posted - channel.completed;
  if (entries == 0 || ahead > entries || ahead < channel.posted - channel.completed)
    return fail(channel, error::RING_OVERRUN,
                fmt::format("doorbell {} with {} completed overruns the ring of {} descriptors",
                            posted, channel.completed, entries));
  own(channel, channel.posted, posted);
  channel.posted = posted;
  if (channel.posted != channel.completed && channel.work.empty()) show_state(channel, state::RUN);
  fetch(channel);
}

void dma_engine::reset(dma_channel& channel) {
  ++channel.generation;
  channel.work.clear();
  with_work_ &= ~(1U << channel.index);
  reconsider(channel);
  channel.next = 0;
  channel.posted = channel.completed = 0;
  channel.to_fetch = {};
  channel.stops_behind_work = {};
  channel.is_fetching = channel.is_stopped = false;
  channel.fence_since = fs_never;
  if (channel.counter.watched_at) channel.counter.watched_at->drop(channel.counter.watch);
  channel.counter.is_awaited = channel.is_reducing = false;
  channel.counter.bytes = 0;
  channel.window = {};
  const auto block = regs_.channel[channel.index];
  block.doorbell.set(0);
  block.completed.set(0);
  block.status.error.set(error::NONE);
  channel.is_resetting = true;
  if (channel.under_way != 0) show_state(channel, state::RESET);
  settle(channel);
}

void dma_engine::fail(dma_channel& channel, error reason, const std::string& what) {
  ++counters_.errors;
  channel.is_stopped = true;
  settle(channel);
  reconsider(channel);
  const auto block = regs_.channel[channel.index];
  block.status.error.set(reason);
  show_state(channel, state::ERROR);
  regs_.report(block.doorbell, what);
  events_.raise(1U << channel.index);
}

// Descriptors before the one that is wrong are the firmware's work as ever; those behind it do not
// start.
void dma_engine::fail_behind_work(dma_channel& channel, error reason, std::string what) {
  channel.stops_behind_work = {reason, std::move(what)};
  if (channel.work.empty()) fail(channel, reason, channel.stops_behind_work.what);
}

void dma_engine::end_one(dma_channel& channel) {
  --channel.under_way;
  settle(channel);
}

// What is under way at an error or a reset still reads and writes the channel's buffers.
void dma_engine::settle(dma_channel& channel) {
  const bool is_dropped = channel.is_stopped || channel.is_resetting;
  if (!is_dropped || channel.under_way != 0) return;
  disown_all(channel);
  if (!channel.is_resetting) return;
  channel.is_resetting = false;
  show_state(channel, state::IDLE);
  const auto posted = static_cast<std::uint32_t>(regs_.channel[channel.index].doorbell.value());
  if (posted != 0) take_posted(channel, posted);
}

void dma_engine::show_state(dma_channel& channel, state now) {
  const auto shown = regs_.channel[channel.index].status.state;
  if (shown.get() == state::WAIT) counters_.counter_wait += now_fs() - channel.state_since;
  channel.state_since = now_fs();
  shown.set(now);
  channel.state_trace.set(now, now_fs());
}

// Reads the next descriptors in one access, up to the end of the ring.
void dma_engine::fetch(dma_channel& channel) {
  const std::uint32_t available = channel.posted - channel.to_fetch.number;
  if (channel.is_fetching || channel.is_stopped || available == 0) return;
  if (channel.stops_behind_work) return;
  if (channel.work.size() >= prefetch_) return;
  const auto block = regs_.channel[channel.index];
  const auto entries = static_cast<std::uint32_t>(block.ring_entries.value());
  if (entries == 0) return;  // a debugger may have poked it
  const std::uint32_t first = channel.to_fetch.entry_of(channel.to_fetch.number, entries);
  const std::uint32_t count = std::min({available, prefetch_, entries - first});

  dma_fetch& read = fetches_.take();
  read.channel = &channel;
  read.generation = channel.generation;
  read.descriptors.resize(count);
  read.why = running_cause::copy();
  channel.is_fetching = true;
  channel.to_fetch.advance(count, entries);
  ++channel.under_way;
  dma_requester::access& access = memory_socket_.take();
  access.context = {nullptr, &read};
  access.bulk.is_carried = true;
  set_access(access, tlm::TLM_READ_COMMAND,
             block.ring_base.value() + first * sizeof(dma_descriptor), read.descriptors.data(),
             static_cast<std::uint32_t>(count * sizeof(dma_descriptor)));
  const cause_aside for_the_doorbell;
  memory_socket_.send(access);
}

void dma_engine::end_fetch(dma_fetch& read, bool is_ok, fs_t delay) {
  dma_channel& channel = *read.channel;
  const fs_t when = now_fs() + delay;
  read.why.then(category::doorbell, site(), when);
  if (is_ok) return fetched_.push(when, &read);
  const bool is_current = channel.is_current(read.generation);
  fetches_.give_back(read);
  end_one(channel);
  if (!is_current) return;
  fail_behind_work(channel, error::BUS,
                   fmt::format("cannot read descriptors at {:#x}",
                               regs_.channel[channel.index].ring_base.value()));
}

void dma_engine::take_fetched() {
  cause latest;
  for (dma_fetch* due = nullptr; fetched_.pop_due(now_fs(), due);) {
    dma_channel& channel = *due->channel;
    end_one(channel);
    if (due->generation == channel.generation) {
      channel.is_fetching = false;
      for (const dma_descriptor& each : due->descriptors) accept(channel, each, due->why);
      latest = due->why;
    }
    fetches_.give_back(*due);
  }
  const running_cause handling(latest);
  pump();
}

void dma_engine::accept(dma_channel& channel, const dma_descriptor& descriptor, const cause& why) {
  if (channel.is_stopped || channel.stops_behind_work) return;
  const std::string refusal = refusal_of(descriptor);
  if (!refusal.empty())
    return fail_behind_work(
        channel, error::BAD_DESCRIPTOR,
        fmt::format(
            "descriptor {} {}: control {:#x}, length {}, source {:#x}, destination {:#x}{}",
            channel.number_of(channel.work.size()), refusal, descriptor.control, descriptor.length,
            descriptor.source, descriptor.destination,
            descriptor.reserved != 0 ? fmt::format(", reserved {:#x}", descriptor.reserved) : ""));
  const bool is_copy = (descriptor.control & DMA_OPCODE_MASK) == DMA_COPY;
  const std::uint16_t step = is_copy ? copies_.next() : copies_.latest();
  channel.work.push_back({descriptor, accepted_++, step, 0, 0, why});
  with_work_ |= 1U << channel.index;
  reconsider(channel);
}

// What is wrong with it, as the end of "descriptor 3 ..."; empty: nothing.
std::string dma_engine::refusal_of(const dma_descriptor& d) const {
  const std::uint32_t opcode = d.control & DMA_OPCODE_MASK;
  std::string refusal;
  if (opcode == DMA_COPY)
    refusal = refusal_of_copy(d);
  else if (opcode != DMA_WRITE)
    refusal = refusal_of_step(d);
  else if (d.length != 4 && d.length != 8)
    refusal = "is a write of neither 4 nor 8 bytes";
  if (!refusal.empty()) return refusal;
  if ((d.control & DMA_LINES) != 0 && opcode != DMA_COPY) return "makes lines, but is no copy";
  if ((d.control & DMA_CONTROL) != 0 && opcode != DMA_COPY)
    return "has the flag of copies that somebody acts on, but is no copy";
  if ((d.control & DMA_ORDERED) != 0 && opcode != DMA_WRITE)
    return "has the flag of ordered writes, but is no write";
  return sets_reserved(d) ? "sets bits that are reserved" : "";
}

std::string dma_engine::refusal_of_copy(const dma_descriptor& d) const {
  if (d.length == 0) return "is a copy of length 0";
  if (!is_local(d.source) && !is_local(d.destination)) return "is a copy without a local end";
  if ((d.control & DMA_LINES) == 0) return {};
  if (!is_local(d.source)) return "makes lines of data that is not local";
  if (d.destination % LINE_BYTES == 0) return {};
  return fmt::format("makes lines at an address that is no multiple of {}", LINE_BYTES);
}

bool dma_engine::may_start(dma_channel& channel) {
  if (!pass_steps(channel) || !is_behind_fence(channel)) return false;
  const bool is_in_order = channel.reading == 0 || !channel.next_work().is_ordered();
  return is_in_order && is_in_window(channel);
}

// A fenced descriptor starts when everything before it is visible at its destination.
bool dma_engine::is_behind_fence(dma_channel& channel) {
  const dma_work& work = channel.next_work();
  if (!work.is_fenced() || work.started > 0 || &work == &channel.work.front()) {
    if (channel.fence_since != fs_never) {
      counters_.fence_wait += now_fs() - channel.fence_since;
      channel.fence_since = fs_never;
      show_state(channel, state::RUN);
    }
    return true;
  }
  if (channel.fence_since == fs_never) {
    channel.fence_since = now_fs();
    show_state(channel, state::FENCE);
  }
  return false;
}

// Completes descriptors in ring order, up to what stops the channel.
void dma_engine::retire(dma_channel& channel) {
  const auto block = regs_.channel[channel.index];
  while (!channel.work.empty() && channel.work.front().is_finished()) {
    const bool wants_interrupt = (channel.work.front().descriptor.control & DMA_INTERRUPT) != 0;
    channel.work.pop_front();
    reconsider(channel);
    --channel.next;
    ++counters_.descriptors;
    disown(channel, channel.completed);
    block.completed.set(++channel.completed);
    if (!wants_interrupt) continue;
    events_.raise(1U << channel.index);
  }
  if (channel.work.empty() && channel.stops_behind_work)
    return fail(channel, channel.stops_behind_work.reason, channel.stops_behind_work.what);
  if (channel.work.empty() && channel.completed == channel.posted) show_state(channel, state::IDLE);
  fetch(channel);
}

std::string dma_engine::waiting_for() const {
  std::string text;
  for (const auto& channel : channels_) {
    const bool is_done = channel->posted == channel->completed;
    if (is_done && !channel->is_stopped && !channel->is_resetting) continue;
    if (!text.empty()) text += ", ";
    if (channel->is_resetting) {
      text += fmt::format("channel {} to end {} from before its reset", channel->index,
                          counted(channel->under_way, "transfer"));
      continue;
    }
    if (channel->is_stopped) {
      const auto reason = static_cast<int>(regs_.channel[channel->index].status.error.get());
      const trace_states reasons = dma_regs::channel_status_error_names();
      text +=
          fmt::format("channel {} to be reset after {}", channel->index, reasons.names()[reason]);
      continue;
    }
    text += fmt::format("channel {}: {} of {} descriptors completed{}", channel->index,
                        channel->completed, channel->posted,
                        channel->fence_since != fs_never ? ", waits at a fence" : "");
    if (channel->counter.is_awaited)
      text +=
          fmt::format(", waits for the counter at {:#x} to reach {}, it is {}",
                      channel->counter.address, channel->counter.wanted, channel->counter.value);
  }
  return text;
}

}  // namespace heddle
