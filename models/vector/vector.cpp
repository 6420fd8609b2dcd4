#include "models/vector/vector.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t most_elements = 1ULL << 30;

HEDDLE_REGISTER_UNIT(vector_unit, describe_unit<vector_unit>("vector",
                                                             "element-wise reduction of "
                                                             "two arrays in memory",
                                                             vector_regs::markdown));

}  // namespace

std::vector<port_description> vector_unit::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "operands and results"},
          {"fpus", "issue initiator", "FPUs that are shared; open: its own"}};
}

vector_unit::vector_unit(const unit_context& context, const parameters& p)
    : unit(context),
      rate_(p.rate()),
      latency_(p.latency().fs),
      block_bytes_(static_cast<std::uint32_t>(p.block().bytes / 4 * 4)),  // whole elements
      most_in_flight_(static_cast<std::uint32_t>(p.in_flight())),
      carries_data_(sim().settings().carries_data),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory"),
      memory_port_(*this, "memory", memory_socket_),
      fpus_port_(*this, "fpus"),
      next_read_(timed_call::to<vector_unit, &vector_unit::read_blocks>(*this)),
      computed_(timed_queue<block>::to<vector_unit, &vector_unit::write_blocks>(*this)),
      written_(timed_queue<written_block>::to<vector_unit, &vector_unit::retire_blocks>(*this)),
      no_data_(block_bytes_) {
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  regs_.control.on_write([this](std::uint64_t, std::uint64_t) { reset(); });
  memory_socket_.register_invalidate_direct_mem_ptr(this, &vector_unit::forget_direct);
  payload_.set_extension(&bulk_);
  if (p.energy() > 0)
    sim().service<energy_book>().enter(
        {path(), "sw_reduce", quantity::count, &counters_.elements, 1, p.energy()});
  state_trace_ =
      trace_scope(sim().trace(), path()).state<state>("state", vector_regs::status_state_names());
  state_trace_.set(state::IDLE, 0);
}

vector_unit::~vector_unit() {
  payload_.clear_extension(&bulk_);
}  // not the payload's to free

fs_t vector_unit::access(tlm::tlm_command command, std::uint64_t address, const payload_slice& data,
                         std::uint32_t bytes) {
  bulk_.slice = data;
  bulk_.is_carried = static_cast<bool>(data);
  void* bytes_at = data ? static_cast<void*>(bulk_.slice.data()) : no_data_.data();
  set_access(payload_, command, address, bytes_at, bytes);
  sc_core::sc_time delay;
  memory_socket_->b_transport(payload_, delay);
  bulk_.slice.reset();
  if (is_ok_ && !payload_.is_response_ok())
    refused_ = fmt::format("bus error: {} of {} B at {:#x}: {}",
                           command == tlm::TLM_READ_COMMAND ? "read" : "write", bytes, address,
                           payload_.get_response_string());
  is_ok_ = is_ok_ && payload_.is_response_ok();
  return to_fs(delay);
}

void vector_unit::start() {
  if (regs_.status.state.get() == state::BUSY) {
    ++counters_.errors;
    regs_.status.error.set(error::STARTED_WHILE_BUSY);  // the operation goes on: still busy
    return regs_.report(regs_.start, "started while an operation was under way");
  }
  const std::uint64_t elements = regs_.elements.value();
  if (!set_operation() || elements == 0 || elements > most_elements)
    return fail(error::BAD_OPERATION,
                fmt::format("operation {:#x} over {} elements", regs_.operation.value(), elements));
  bytes_ = static_cast<std::uint32_t>(elements * size_of(type_));
  ++operation_;
  read_ = retired_ = in_flight_ = 0;
  started_ = next_slot_ = now_fs();
  why_ = running_cause::copy();
  is_ok_ = true;
  show_state(state::BUSY);
  read_blocks();
}

bool vector_unit::set_operation() {
  const auto fields = regs_.operation;
  type_ = static_cast<dtype>(fields.dtype.get());
  if (type_ > dtype::fp64) return false;
  switch (fields.op.get()) {
    case vector_regs::operation_op::SUM:
    case vector_regs::operation_op::MIN:
    case vector_regs::operation_op::MAX:
      work_ = work::reduce;
      op_ = static_cast<reduce_op>(fields.op.get());
      return true;
    case vector_regs::operation_op::QUANTIZE:
      work_ = work::quantize;
      break;
    case vector_regs::operation_op::DEQUANTIZE:
      work_ = work::dequantize;
      break;
    default:
      return false;
  }
  quant_.bits = fields.bits.get() == vector_regs::operation_bits::INT4 ? 4 : 8;
  quant_.block = std::size_t{1} << fields.block.get();
  const bool is_whole = block_bytes_ / size_of(type_) % quant_.block == 0;
  return type_ != dtype::int32 && type_ != dtype::fp64 && quant_.is_valid() && is_whole;
}

// Blocks enter at the stated rate, unless too many are still under way.
void vector_unit::read_blocks() {
  const fs_t now = now_fs();
  while (is_ok_ && read_ < bytes_ && in_flight_ < most_in_flight_) {
    if (next_slot_ > now) return next_read_.at(next_slot_);
    read_block();
  }
  if (!is_ok_ && regs_.status.state.get() == state::BUSY) fail(error::BUS, refused_);
}

void vector_unit::read_block() {
  const fs_t now = now_fs();
  block next;
  next.operation = operation_;
  next.offset = read_;
  next.bytes = std::min(block_bytes_, bytes_ - read_);
  why_.join(running_cause::copy());
  why_.then(category::reduction, site(), now);
  next.why = why_;
  const running_cause entering(next.why);
  fs_t taken = work_ == work::reduce ? read_operands(next) : read_and_convert(next);
  if (!is_ok_) return;
  read_ += next.bytes;
  ++in_flight_;
  const fs_t passing = rate_.duration(next.bytes);
  const fs_t waiting = fpus_port_.arbiter() ? fpus_port_.arbiter()->stream_delay(now) : 0;
  taken += waiting;
  next_slot_ = now + waiting + passing;
  next.why.then(category::reduction, site(), now + taken + latency_ + passing);
  computed_.push(now + taken + latency_ + passing, std::move(next));
}

fs_t vector_unit::read_operands(block& next) {
  payload_slice operand;
  const bool is_copied = carries_data_ && !find_operands(next);
  if (is_copied) {
    next.result = payload_slice::allocate(next.bytes);
    operand = payload_slice::allocate(next.bytes);
  }
  const fs_t first = access(tlm::TLM_READ_COMMAND, regs_.destination.value() + next.offset,
                            next.result, next.bytes);
  const fs_t second =
      access(tlm::TLM_READ_COMMAND, regs_.source.value() + next.offset, operand, next.bytes);
  if (is_ok_ && is_copied)
    reduce(type_, op_, next.result.data(), operand.data(), next.bytes / size_of(type_));
  return std::max(first, second);
}

// Where memory grants direct access to both operands, transactions carry time alone and the result
// is computed in place when it is written: three copies fewer.
bool vector_unit::find_operands(block& wanted) {
  const std::uint64_t to = regs_.destination.value() + wanted.offset;
  const std::uint64_t from = regs_.source.value() + wanted.offset;
  const bool overlap = to < from + wanted.bytes && from < to + wanted.bytes;
  if (overlap) return false;
  wanted.source = find_direct(source_memory_, from, wanted.bytes);
  if (wanted.source) wanted.destination = find_direct(destination_memory_, to, wanted.bytes);
  return wanted.destination != nullptr;
}

unsigned char* vector_unit::find_direct(direct_region& known, std::uint64_t address,
                                        std::uint32_t bytes) {
  if (unsigned char* found = known.find(address, bytes)) return found;
  tlm::tlm_dmi dmi;
  tlm::tlm_generic_payload asking;
  set_access(asking, tlm::TLM_READ_COMMAND, address, no_data_.data(), bytes);
  known = {};
  if (memory_socket_->get_direct_mem_ptr(asking, dmi) && dmi.is_read_write_allowed())
    known = {dmi.get_start_address(), dmi.get_end_address(), dmi.get_dmi_ptr()};
  return known.find(address, bytes);
}

void vector_unit::forget_direct(sc_dt::uint64, sc_dt::uint64) {
  destination_memory_ = source_memory_ = {};
}

void vector_unit::write_blocks() {
  const fs_t now = now_fs();
  for (block due; computed_.pop_due(now, due);) {
    if (due.operation != operation_ || !is_ok_) continue;
    const running_cause leaving(due.why);
    const fs_t taken = write_result(due);
    if (!is_ok_) continue;
    if (due.destination)
      reduce(type_, op_, due.destination, due.source, due.bytes / size_of(type_));
    written_.push(now + taken, {due.operation, due.bytes, due.why});
  }
  if (!is_ok_ && regs_.status.state.get() == state::BUSY) fail(error::BUS, refused_);
}

fs_t vector_unit::write_result(const block& done) {
  const std::uint64_t to = regs_.destination.value();
  const region result = work_ == work::quantize ? quantized_at(to, done) : elements_at(to, done);
  const fs_t data = access(tlm::TLM_WRITE_COMMAND, result.address, done.result, result.bytes);
  if (work_ != work::quantize) return data;
  const region scales = scales_at(done);
  return std::max(data, access(tlm::TLM_WRITE_COMMAND, scales.address, done.scales, scales.bytes));
}

void vector_unit::retire_blocks() {
  cause latest;
  for (written_block due; written_.pop_due(now_fs(), due);) {
    if (due.operation != operation_) continue;
    latest = due.why;
    --in_flight_;
    retired_ += due.bytes;
  }
  if (!is_ok_ || regs_.status.state.get() != state::BUSY) return;
  const running_cause retiring(latest);
  if (retired_ == bytes_)
    finish();
  else
    read_blocks();
}

void vector_unit::finish() {
  ++counters_.operations;
  counters_.bytes += bytes_;
  if (work_ == work::reduce) counters_.elements += bytes_ / size_of(type_);
  counters_.busy += now_fs() - started_;
  regs_.completed.set(static_cast<std::uint32_t>(regs_.completed.value() + 1));
  show_state(state::IDLE);
}

void vector_unit::fail(error reason, const std::string& what) {
  ++counters_.errors;
  regs_.status.error.set(reason);
  show_state(state::ERROR);
  regs_.report(regs_.start, what);
}

// Only out of the error state: an operation under way is not taken back.
void vector_unit::reset() {
  const bool is_asked = regs_.control.reset.get() == vector_regs::control_reset::YES;
  if (!is_asked || regs_.status.state.get() != state::ERROR) return;
  regs_.status.error.set(error::NONE);
  show_state(state::IDLE);
}

void vector_unit::show_state(state now) {
  regs_.status.state.set(now);
  state_trace_.set(now, now_fs());
}

std::string vector_unit::waiting_for() const {
  if (regs_.status.state.get() != state::BUSY) return {};
  return fmt::format("an operation over {} B", bytes_);
}

}  // namespace heddle
