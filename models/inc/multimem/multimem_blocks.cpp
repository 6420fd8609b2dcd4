// Blocks: started in address order, handed to the fabric one after the other, retired when they are
// visible at their destination.
#include <fmt/format.h>

#include <algorithm>

#include "models/inc/multimem/multimem.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {

bool multimem_unit::is_current(const multimem_block& block) const {
  return block.operation == operation_ && regs_.status.state.get() == state::BUSY;
}

void multimem_unit::pump() {
  while (start_next_block()) continue;
  outstanding_trace_.set(outstanding_, now_fs());
}

bool multimem_unit::start_next_block() {
  if (regs_.status.state.get() != state::BUSY || begun_ == bytes_) return false;
  // Blocks end at block boundaries of the region, as packets and planes do.
  const std::uint64_t region =
      kind_ == kind::LD_REDUCE ? regs_.source.value() : regs_.destination.value();
  const auto to_boundary =
      static_cast<std::uint32_t>(block_bytes_ - (region + begun_) % block_bytes_);
  const std::uint32_t bytes = std::min(bytes_ - begun_, to_boundary);
  const std::uint32_t packets = (bytes + packet_bytes_ - 1) / packet_bytes_;
  if (outstanding_ + packets > most_outstanding_) {
    ++counters_.stalls;
    return false;
  }
  multimem_block& block = blocks_.take();
  block.operation = operation_;
  block.offset = begun_;
  block.bytes = bytes;
  block.packets = packets;
  block.why = running_cause::copy();
  begun_ += bytes;
  outstanding_ += packets;
  counters_.peak_outstanding.raise_to(outstanding_);
  prepare_block(block);
  return true;
}

void multimem_unit::prepare_block(multimem_block& block) {
  const std::uint64_t source = regs_.source.value() + block.offset;
  const std::uint64_t destination = regs_.destination.value() + block.offset;
  block.bulk.is_carried = carries_data_ || kind_ == kind::RED;
  block.bulk.step = steps_.next();
  block.bulk.packet_bytes = packet_bytes_;
  if (kind_ == kind::RED) {
    block.add.operand = regs_.operand.value();
    set_access(block.payload, tlm::TLM_IGNORE_COMMAND, destination, &block.former,
               sizeof block.former);
    block.payload.set_extension(&block.add);
    stores_.push_back(&block);
    return launch_.at(now_fs());
  }
  if (carries_data_) block.bulk.slice = payload_slice::allocate(block.bytes);
  if (kind_ == kind::ST) return load_local(block);
  block.is_stored_next = kind_ == kind::ALL_REDUCE;
  block.reduction = reduction_;
  block.payload.set_extension(&block.reduction);
  aim(block, tlm::TLM_READ_COMMAND, source);
  loads_.push_back(&block);
  launch_.at(now_fs());
}

void multimem_unit::aim(multimem_block& block, tlm::tlm_command command, std::uint64_t address) {
  void* data = block.bulk.slice ? static_cast<void*>(block.bulk.slice.data()) : no_data_.data();
  set_access(block.payload, command, address, data, block.bytes);
}

void multimem_unit::load_local(multimem_block& block) {
  sc_core::sc_time delay;
  const running_cause loading(block.why);
  aim(block, tlm::TLM_READ_COMMAND, regs_.source.value() + block.offset);
  memory_socket_->b_transport(block.payload, delay);
  if (!block.payload.is_response_ok()) return done(block, delay, false);
  aim(block, tlm::TLM_WRITE_COMMAND, regs_.destination.value() + block.offset);
  staged_.push(now_fs() + to_fs(delay), &block);
}

void multimem_unit::take_staged() {
  for (multimem_block* due = nullptr; staged_.pop_due(now_fs(), due);) stores_.push_back(due);
  launch();
}

// The fabric takes one access after the other; stores free their places sooner than loads.
void multimem_unit::launch() {
  while (!launching_ && !(stores_.empty() && loads_.empty())) {
    auto& queue = stores_.empty() ? loads_ : stores_;
    multimem_block& block = *queue.front();
    queue.pop_front();
    launching_ = &block;
    if (block.why.when() < now_fs()) block.why.join(launch_why_);
    block.why.then(category::queueing, site(), now_fs());
    const running_cause handing_over(block.why);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const auto result = fabric_socket_->nb_transport_fw(block.payload, phase, delay);
    if (result == tlm::TLM_ACCEPTED) continue;
    launching_ = nullptr;
    if (result == tlm::TLM_UPDATED) {
      if (phase != tlm::BEGIN_RESP) continue;
      phase = tlm::END_RESP;
      fabric_socket_->nb_transport_fw(block.payload, phase, delay);
    }
    take_response(block, delay);
  }
}

tlm::tlm_sync_enum multimem_unit::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  multimem_block& block = multimem_block::of(payload);
  if (launching_ == &block) {  // BEGIN_RESP implies END_REQ
    launching_ = nullptr;
    launch_why_ = running_cause::copy();
    launch_.at(now_fs());
  }
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  take_response(block, delay);
  return tlm::TLM_COMPLETED;
}

// The response comes `delay` from now.
void multimem_unit::take_response(multimem_block& block, const sc_core::sc_time& delay) {
  if (!block.payload.is_response_ok()) return done(block, delay, false);
  block.why = running_cause::copy();
  const running_cause handling(block.why);
  if (!block.payload.is_read()) return done(block, delay, true);
  block.payload.clear_extension(&block.reduction);
  if (!block.is_stored_next) return store_local(block, delay);
  block.is_stored_next = false;
  if (!is_current(block)) return done(block, delay, false);
  aim(block, tlm::TLM_WRITE_COMMAND, regs_.destination.value() + block.offset);
  staged_.push(now_fs() + to_fs(delay), &block);
}

void multimem_unit::store_local(multimem_block& block, sc_core::sc_time delay) {
  if (!is_current(block)) return done(block, delay, false);
  aim(block, tlm::TLM_WRITE_COMMAND, regs_.destination.value() + block.offset);
  memory_socket_->b_transport(block.payload, delay);
  done(block, delay, block.payload.is_response_ok());
}

void multimem_unit::done(multimem_block& block, const sc_core::sc_time& delay, bool is_ok) {
  done_.push(now_fs() + to_fs(delay), {&block, is_ok});
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
  const std::uint64_t address = block.payload.get_address();
  outstanding_ -= block.packets;
  outstanding_trace_.set(outstanding_, now_fs());
  blocks_.give_back(block);
  if (!counts) return;
  if (!is_ok) return fail(error::BUS, fmt::format("bus error at {:#x}", address));
  retired_ += bytes;
  if (retired_ == bytes_) finish();
}

}  // namespace heddle
