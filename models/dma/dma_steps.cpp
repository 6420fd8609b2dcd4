// Descriptors that hold their channel back: waits for counters, reductions, windows of copies.
#include <fmt/format.h>

#include <algorithm>

#include "models/dma/dma.hpp"
#include "platform/poll/poll_question.hpp"
#include "platform/tensor/reduce.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

// Where nobody can tell the engine of a write, it looks again after so long: our choice.
constexpr fs_t between_looks = 100 * fs_per_ns;

dtype type_of(const dma_descriptor& reduction) {
  return static_cast<dtype>((reduction.control & DMA_DTYPE_MASK) >> DMA_DTYPE_POS);
}

reduce_op op_of(const dma_descriptor& reduction) {
  return static_cast<reduce_op>((reduction.control & DMA_OP_MASK) >> DMA_OP_POS);
}

}  // namespace

void dma_channel::look_again() {
  engine.read_counter(*this);
}

std::string dma_engine::refusal_of_step(const dma_descriptor& d) const {
  const std::uint32_t opcode = d.control & DMA_OPCODE_MASK;
  switch (opcode) {
    case DMA_WAIT:
      if (d.length != 4 && d.length != 8) return "waits for a counter of neither 4 nor 8 bytes";
      return is_local(d.source) ? "" : "waits for a counter that is not local";
    case DMA_REDUCE:
      return refusal_of_reduction(d);
    case DMA_WINDOW:
      if (d.length == 0) return {};
      if (!is_local(d.source)) return "is a window with a counter that is not local";
      return d.reserved > 0 ? "" : "is a window that counts in units of 0 bytes";
    default:
      return fmt::format("has the unknown opcode {}", opcode);
  }
}

std::string dma_engine::refusal_of_reduction(const dma_descriptor& d) const {
  const dtype type = type_of(d);
  const reduce_op op = op_of(d);
  if (d.length == 0) return "is a reduction of length 0";
  if (type > last_dtype)
    return fmt::format("is a reduction of the unknown dtype {}", static_cast<int>(type));
  if (!is_known(op))
    return fmt::format("is a reduction with the unknown operator {}", static_cast<int>(op));
  if (!applies_to(op, type))
    return fmt::format("is a reduction with the operator {}, which {} does not have", name_of(op),
                       name_of(type));
  if (d.length % size_of(type) != 0)
    return fmt::format("is a reduction whose length is no multiple of the {} B of {}",
                       size_of(type), name_of(type));
  if (!is_local(d.source, d.length)) return "is a reduction whose source is not local throughout";
  if (is_local(d.destination, d.length)) return {};
  return "is a reduction whose destination is not local throughout";
}

// Goes on to the next copy or write. False: there is none yet, or a step holds the channel back.
bool dma_engine::pass_steps(dma_channel& channel) {
  while (!channel.is_stopped && channel.next < channel.work.size()) {
    const dma_descriptor& d = channel.next_work().descriptor;
    switch (d.control & DMA_OPCODE_MASK) {
      case DMA_WAIT:
        if (!is_behind_fence(channel) || !has_reached(channel, d.source, d.length, d.destination))
          return false;
        break;
      case DMA_REDUCE:
        if (is_behind_fence(channel) && !channel.is_reducing) begin_reduction(channel);
        return false;
      case DMA_WINDOW:
        channel.window = {d.length, d.source, static_cast<std::uint32_t>(d.destination), d.reserved,
                          0};
        break;
      default:
        return true;
    }
    complete_step(channel);
  }
  return false;
}

// Otherwise a channel would come to its next wait or reduction only in its turn among those that
// have bursts to send, and lose a turn for each.
void dma_engine::pass_all_steps() {
  while (const std::uint32_t left = with_steps_ & with_work_) {
    const int index = __builtin_ctz(left);
    with_steps_ &= ~(1U << index);
    pass_steps(*channels_[index]);
  }
}

// The descriptor that the channel stands at has started completely: the next one is its turn.
void dma_engine::advance(dma_channel& channel) {
  reconsider(channel);
  ++channel.next;
  if (channel.next < channel.work.size()) return;
  with_work_ &= ~(1U << channel.index);
  fetch(channel);
}

void dma_engine::complete_step(dma_channel& channel) {
  dma_work& work = channel.next_work();
  work.started = work.finished = work.descriptor.length;
  advance(channel);
  retire(channel);
}

bool dma_engine::is_in_window(dma_channel& channel) {
  const dma_window& window = channel.window;
  const dma_work& work = channel.next_work();
  if (window.bytes == 0 || !work.is_copy()) return true;
  const std::uint64_t ahead = window.started + next_burst_bytes(channel, work);
  if (ahead <= window.bytes) return true;
  const std::uint64_t units = (ahead - window.bytes + window.unit - 1) / window.unit;
  return has_reached(channel, window.counter, 4, window.first_count + units);
}

// Otherwise the channel is considered again when it has.
bool dma_engine::has_reached(dma_channel& channel, std::uint64_t address, std::uint32_t bytes,
                             std::uint64_t wanted) {
  dma_counter& counter = channel.counter;
  if (counter.is_awaited) return false;
  const bool is_known = counter.bytes == bytes && counter.address == address;
  if (is_known && counter.has_reached(wanted)) return true;
  counter.address = address;
  counter.bytes = bytes;
  counter.wanted = wanted;
  counter.is_awaited = true;
  read_counter(channel);
  return false;
}

void dma_engine::read_counter(dma_channel& channel) {
  dma_counter& counter = channel.counter;
  counter.watched_at = nullptr;
  if (channel.is_stopped || !counter.is_awaited || counter.is_being_read) return;
  cause reading = channel.next_work().why;
  reading.join(channel.why);
  reading.then(category::completion, site(), now_fs());
  const running_cause looking(reading);
  counter.value = 0;
  counter.is_being_read = true;
  ++channel.under_way;
  dma_requester::access& access = memory_socket_.take();
  access.context = {};
  access.context.counted = &channel;
  access.context.generation = channel.generation;
  access.bulk.is_carried = true;
  set_access(access, tlm::TLM_READ_COMMAND, counter.address, &counter.value, counter.bytes);
  memory_socket_.send(access);
}

void dma_engine::end_counter_read(const dma_step& of, bool is_ok, fs_t delay) {
  dma_channel& channel = *of.channel;
  const bool is_current = channel.is_current(of.generation);
  if (is_current) channel.counter.writer = running_cause::take_seen();
  if (is_ok || !is_current) return counters_read_.push(now_fs() + delay, of);
  channel.counter.is_being_read = false;
  end_one(channel);
  fail(channel, error::BUS,
       fmt::format("cannot read the counter at {:#x}", channel.counter.address));
}

void dma_engine::take_counters() {
  cause latest = running_cause::copy();
  bool goes_on = false;
  for (dma_step due; counters_read_.pop_due(now_fs(), due);) {
    dma_channel& channel = *due.channel;
    dma_counter& counter = channel.counter;
    counter.is_being_read = false;
    end_one(channel);
    if (!channel.is_current(due.generation)) continue;
    if (!counter.has_reached(counter.wanted)) {
      watch_counter(channel);
      continue;
    }
    counter.is_awaited = false;
    show_state(channel, state::RUN);
    channel.why.join(channel.next_work().why);
    channel.why.join(counter.writer);
    channel.why.then(category::completion, site(), now_fs());
    reconsider(channel);
    latest = channel.why;
    goes_on = true;
  }
  if (!goes_on) return;
  const running_cause handling(latest);
  pump();
}

// A write may have come while the counter was being read: then the engine looks again at once.
void dma_engine::watch_counter(dma_channel& channel) {
  dma_counter& counter = channel.counter;
  show_state(channel, state::WAIT);
  std::uint64_t holds = 0;
  tlm::tlm_generic_payload asking;
  set_access(asking, tlm::TLM_READ_COMMAND, counter.address, &holds, counter.bytes);
  poll_question question;
  auto& asked = memory_socket_.get_base_port();
  question.asked = asked.operator->();
  asking.set_extension(&question);
  asked->transport_dbg(asking);
  asking.clear_extension(&question);
  if (holds != counter.value) return counter.watch.call.at(now_fs() + watch_);
  if (!question.watches) return counter.watch.call.at(now_fs() + between_looks);
  counter.watch.address = question.address;
  counter.watch.bytes = counter.bytes;
  counter.watch.reaction = watch_;
  counter.watched_at = question.watches;
  counter.watched_at->set(counter.watch);
}

void dma_engine::access(dma_reduction& of, tlm::tlm_command command, std::uint64_t address,
                        const payload_slice& data, std::uint32_t bytes, fs_t after) {
  dma_requester::access& access = memory_socket_.take();
  access.context = {};
  access.context.reduction = &of;
  access.bulk.slice = data;
  access.bulk.is_carried = carries_data_;
  void* const place =
      carries_data_ ? static_cast<void*>(access.bulk.slice.data()) : no_data_.room_for(bytes);
  set_access(access, command, address, place, bytes);
  memory_socket_.send(access, after);
}

// The channel goes on when the result is in memory.
void dma_engine::begin_reduction(dma_channel& channel) {
  const dma_work& work = channel.next_work();
  const dma_descriptor d = work.descriptor;
  channel.is_reducing = true;
  ++channel.under_way;
  channel.why.join(work.why);
  running_cause::join_into(channel.why);
  dma_reduction& begun = reductions_.take();
  begun.channel = &channel;
  begun.generation = channel.generation;
  begun.left = 3;
  begun.computed = now_fs() + reduce_rate_.duration(d.length);
  if (carries_data_) {
    begun.operand = payload_slice::allocate(d.length);
    begun.result = payload_slice::allocate(d.length);
  }
  const cause_aside for_the_reduction;
  access(begun, tlm::TLM_READ_COMMAND, d.source, begun.operand, d.length, 0);
  access(begun, tlm::TLM_READ_COMMAND, d.destination, begun.result, d.length, 0);
}

// What an access of a reduction has brought is there `delay` from now.
void dma_engine::end_reduction_access(dma_reduction& of, bool is_write, bool is_ok, fs_t delay) {
  dma_channel& channel = *of.channel;
  const fs_t now = now_fs();
  of.is_ok = of.is_ok && is_ok;
  of.computed = std::max(of.computed, now + delay);
  --of.left;
  if (of.left > 1) return;
  if (!channel.is_current(of.generation)) {
    reduced_.push(of.computed, {&channel, of.generation});
    return reductions_.give_back(of);
  }
  const dma_descriptor d = channel.next_work().descriptor;
  if (!of.is_ok) {
    reductions_.give_back(of);
    end_one(channel);
    return fail(channel, error::BUS,
                fmt::format("cannot reduce {:#x} into {:#x}", d.source, d.destination));
  }
  if (!is_write) {
    if (carries_data_)
      reduce(type_of(d), op_of(d), of.result.data(), of.operand.data(),
             d.length / size_of(type_of(d)));
    const cause_aside for_the_reduction;
    return access(of, tlm::TLM_WRITE_COMMAND, d.destination, of.result, d.length,
                  of.computed - now);
  }
  counters_.reduced += d.length;
  reduced_.push(now + delay, {&channel, of.generation});
  reductions_.give_back(of);
}

void dma_engine::end_reductions() {
  cause latest = running_cause::copy();
  bool goes_on = false;
  for (dma_step due; reduced_.pop_due(now_fs(), due);) {
    dma_channel& channel = *due.channel;
    end_one(channel);
    if (!channel.is_current(due.generation)) continue;
    channel.is_reducing = false;
    channel.why.then(category::reduction, site(), now_fs());
    latest = channel.why;
    goes_on = true;
    const running_cause handling(latest);
    complete_step(channel);
  }
  if (!goes_on) return;
  const running_cause handling(latest);
  pump();
}

}  // namespace heddle
