// Blocks: started in address order, handed to the fabric one after the other, retired when they are
// visible at their destination.
#include <fmt/format.h>

#include <algorithm>

#include "models/inc/multimem/multimem.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {

bool multimem_unit::is_current(const multimem_block& block) const {
  return block.operation == operation_ && status_.is_busy();
}

void multimem_unit::pump() {
  while (start_next_block()) continue;
  outstanding_trace_.set(outstanding_, now_fs());
}

bool multimem_unit::start_next_block() {
  if (!status_.is_busy() || begun_ == bytes_) return false;
  // Blocks end at block boundaries of the region, as planes do, and packets at those of packets.
  const std::uint64_t region =
      kind_ == kind::LD_REDUCE ? regs_.source.value() : regs_.destination.value();
  const auto to_boundary =
      static_cast<std::uint32_t>(block_bytes_ - (region + begun_) % block_bytes_);
  const std::uint32_t bytes = std::min(bytes_ - begun_, to_boundary);
  const auto offset = static_cast<std::uint32_t>((region + begun_) % packet_bytes_);
  const std::uint32_t packets = (offset + bytes + packet_bytes_ - 1) / packet_bytes_;
  if (outstanding_ + packets > most_outstanding_) {
    ++counters_.stalls;
    return false;
  }
  multimem_block& block = blocks_.take();
  block.operation = operation_;
  block.offset = begun_;
  block.bytes = bytes;
  block.packets = packets;
  block.packet_offset = offset;
  block.why = running_cause::copy();
  begun_ += bytes;
  outstanding_ += packets;
  counters_.peak_outstanding.raise_to(outstanding_);
  prepare_block(block);
  return true;
}

void multimem_unit::prepare_block(multimem_block& block) {
  const bool begins_at_region = kind_ == kind::RED;
  block.address =
      (begins_at_region ? regs_.destination.value() : regs_.source.value()) + block.offset;
  block.step = steps_.next();
  if (kind_ == kind::RED) {
    block.operand = regs_.operand.value();
    stores_.push_back(&block);
    return launch_.at(now_fs());
  }
  if (carries_data_) block.slice = payload_slice::allocate(block.bytes);
  if (kind_ == kind::ST) return load_local(block);
  block.is_stored_next = kind_ == kind::ALL_REDUCE;
  loads_.push_back(&block);
  launch_.at(now_fs());
}

// Sets up an access to the data of a block.
multimem_requester::access& multimem_unit::aim(multimem_requester& through, multimem_block& block,
                                               tlm::tlm_command command) {
  multimem_requester::access& access = through.take();
  access.context.block = &block;
  access.bulk.slice = block.slice;
  access.bulk.is_carried = carries_data_;
  access.bulk.may_lend = command == tlm::TLM_READ_COMMAND;
  access.bulk.step = block.step;
  access.bulk.packet_bytes = packet_bytes_;
  access.bulk.packet_offset = block.packet_offset;
  void* data = block.slice ? static_cast<void*>(block.slice.data()) : no_data_;
  set_access(access, command, block.address, data, block.bytes);
  return access;
}

multimem_requester::access& multimem_unit::aim_at_region(multimem_block& block, bool is_load) {
  if (is_load) {
    auto& access = aim(fabric_socket_, block, tlm::TLM_READ_COMMAND);
    access.reduction = reduction_;
    access.set_reduction();
    return access;
  }
  if (kind_ != kind::RED) return aim(fabric_socket_, block, tlm::TLM_WRITE_COMMAND);
  auto& access = aim(fabric_socket_, block, tlm::TLM_IGNORE_COMMAND);
  access.bulk.is_carried = true;
  access.atomic = {};
  access.atomic.operand = block.operand;
  access.set_data_ptr(reinterpret_cast<unsigned char*>(&block.former));
  access.set_atomic();
  return access;
}

void multimem_unit::load_local(multimem_block& block) {
  const running_cause loading(block.why);
  memory_socket_.send(aim(memory_socket_, block, tlm::TLM_READ_COMMAND));
}

void multimem_unit::take_staged() {
  for (multimem_block* due = nullptr; staged_.pop_due(now_fs(), due);) stores_.push_back(due);
  launch();
}

// The fabric takes one access after the other; stores free their places sooner than loads.
void multimem_unit::launch() {
  while (!fabric_socket_.is_busy() && !(stores_.empty() && loads_.empty())) {
    const bool is_load = stores_.empty();
    auto& queue = is_load ? loads_ : stores_;
    multimem_block& block = *queue.front();
    queue.pop_front();
    if (block.why.when() < now_fs()) block.why.join(launch_why_);
    block.why.then(category::queueing, site(), now_fs());
    const running_cause handing_over(block.why);
    fabric_socket_.send(aim_at_region(block, is_load));
  }
}

void multimem_unit::fabric_has_room() {
  launch_why_ = running_cause::copy();
  launch_.at(now_fs());
}

// The response comes `delay` from now.
void multimem_unit::take_response(multimem_requester::access& over, fs_t delay) {
  multimem_block& block = *over.context.block;
  const bool is_atomic = over.get_command() == tlm::TLM_IGNORE_COMMAND;
  if (!over.is_response_ok() || (is_atomic && !over.atomic.is_performed))
    return done(block, delay, false);
  block.why = running_cause::copy();
  const running_cause handling(block.why);
  if (!over.is_read()) return done(block, delay, true);
  block.slice = over.bulk.slice;
  if (!block.is_stored_next) return store_local(block, delay);
  block.is_stored_next = false;
  if (!is_current(block)) return done(block, delay, false);
  block.address = regs_.destination.value() + block.offset;
  staged_.push(now_fs() + delay, &block);
}

void multimem_unit::store_local(multimem_block& block, fs_t delay) {
  if (!is_current(block)) return done(block, delay, false);
  block.address = regs_.destination.value() + block.offset;
  memory_socket_.send(aim(memory_socket_, block, tlm::TLM_WRITE_COMMAND), delay);
}

// The block has been loaded from the unit's own memory, or stored there.
void multimem_unit::end_local(multimem_requester::access& over, fs_t delay) {
  multimem_block& block = *over.context.block;
  block.why.then(category::memory, site(), now_fs() + delay);
  if (!over.is_read() || !over.is_response_ok()) return done(block, delay, over.is_response_ok());
  if (!is_current(block)) return done(block, delay, false);
  block.slice = over.bulk.slice;
  block.address = regs_.destination.value() + block.offset;
  staged_.push(now_fs() + delay, &block);
}

void multimem_unit::done(multimem_block& block, fs_t delay, bool is_ok) {
  done_.push(now_fs() + delay, {&block, is_ok});
}

void multimem_unit::retire_blocks() {
  cause latest;
  for (done_block due; done_.pop_due(now_fs(), due);) {
    latest = due.block->why;
    const running_cause retiring(latest);
    retire(*due.block, due.is_ok);
  }
  const running_cause retired(latest);
  pump();
}

void multimem_unit::retire(multimem_block& block, bool is_ok) {
  const bool counts = is_current(block);
  const std::uint32_t bytes = block.bytes;
  const std::uint64_t address = block.address;
  outstanding_ -= block.packets;
  outstanding_trace_.set(outstanding_, now_fs());
  blocks_.give_back(block);
  if (!counts) return;
  if (!is_ok) return fail(error::BUS, fmt::format("bus error at {:#x}", address));
  retired_ += bytes;
  if (retired_ == bytes_) finish();
}

}  // namespace heddle
