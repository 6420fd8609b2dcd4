#include "models/vector/vector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "sw/drivers/line.h"
#include "transactors/memory/access.hpp"
#include "transactors/memory/no_data.hpp"

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
      block_bytes_(static_cast<std::uint32_t>(p.block().bytes / largest_size * largest_size)),
      most_in_flight_(static_cast<std::uint32_t>(p.in_flight())),
      carries_data_(sim().settings().carries_data),
      regs_(context),
      status_(regs_, trace_scope(sim().trace(), path()), vector_regs::status_state_names()),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory",
                     requester::calls::to<vector_unit, &vector_unit::access_ended>(*this)),
      memory_port_(*this, "memory", memory_socket_),
      fpus_port_(*this, "fpus"),
      buffers_(sim(), this->path(), memory_socket_),
      next_read_(timed_call::to<vector_unit, &vector_unit::read_blocks>(*this)),
      computed_(timed_queue<block*>::to<vector_unit, &vector_unit::write_blocks>(*this)),
      written_(timed_queue<written_block>::to<vector_unit, &vector_unit::retire_blocks>(*this)),
      no_data_(sim().service<no_data>().room_for(block_bytes_)) {
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  regs_.control.on_write([this](std::uint64_t, std::uint64_t) { status_.reset(); });
  if (p.energy() > 0)
    sim().service<energy_book>().enter(
        {path(), "sw_reduce", quantity::count, &counters_.elements, 1, p.energy()});
}

// What follows belongs to the block until end_access() has been called as often.
void vector_unit::begin(block& user) {
  user.accesses = 1;
  user.ready = now_fs();
}

vector_unit::requester::access& vector_unit::aim(block& user, tlm::tlm_command command,
                                                 std::uint64_t address, const payload_slice& data,
                                                 std::uint32_t bytes) {
  requester::access& access = memory_socket_.take();
  access.context = {&user, nullptr};
  access.bulk.slice = data;
  access.bulk.is_carried = static_cast<bool>(data);
  void* bytes_at = data ? static_cast<void*>(access.bulk.slice.data()) : no_data_;
  set_access(access, command, address, bytes_at, bytes);
  ++user.accesses;
  return access;
}

// `into` has room for the bytes, and may be another slice, which is not the unit's to write to,
// when the access has ended. It is empty where no bytes are carried.
void vector_unit::read(block& user, std::uint64_t address, payload_slice& into,
                       std::uint32_t bytes) {
  requester::access& access = aim(user, tlm::TLM_READ_COMMAND, address, into, bytes);
  access.bulk.may_lend = true;
  access.context.into = &into;
  memory_socket_.send(access);
}

void vector_unit::write(block& user, std::uint64_t address, const payload_slice& data,
                        std::uint32_t bytes) {
  memory_socket_.send(aim(user, tlm::TLM_WRITE_COMMAND, address, data, bytes));
}

void vector_unit::access_ended(requester::access& over, fs_t delay) {
  block& user = *over.context.at;
  if (over.is_read()) *over.context.into = std::move(over.bulk.slice);
  if (user.operation == operation_ && !over.is_response_ok()) {
    if (is_ok_)
      refused_ =
          fmt::format("bus error: {} of {} B at {:#x}: {}", over.is_read() ? "read" : "write",
                      over.get_data_length(), over.get_address(), over.get_response_string());
    is_ok_ = false;
  }
  const fs_t end = now_fs() + delay;
  if (is_issuing_) return end_access(user, end);
  user.why.then(category::memory, site(), end);  // the memory has not explained it
  end_access(user, end);
  if (!is_ok_ && status_.is_busy()) fail(error::BUS, refused_);
}

void vector_unit::end_access(block& user, fs_t when) {
  user.ready = std::max(user.ready, when);
  if (--user.accesses > 0) return;
  if (user.operation != operation_ || !is_ok_) return blocks_.give_back(user);
  if (user.is_written)
    end_write(user);
  else
    compute(user);
}

void vector_unit::start() {
  if (!status_.takes_start()) {
    ++counters_.errors;
    return;
  }
  const std::uint64_t elements = regs_.elements.value();
  if (!set_operation() || elements == 0 || elements > most_elements)
    return fail(error::BAD_OPERATION,
                fmt::format("operation {:#x} over {} elements", regs_.operation.value(), elements));
  if (is_in_lines_ && !has_room_for_lines(elements * size_of(type_)))
    return fail(error::BAD_OPERATION, fmt::format("{} elements are no message in lines", elements));
  bytes_ = elements * size_of(type_);
  missing_ = 0;
  ++operation_;
  read_ = retired_ = in_flight_ = 0;
  started_ = next_slot_ = now_fs();
  why_ = running_cause::copy();
  is_ok_ = true;
  own_operands();
  status_.begin();
  read_blocks();
}

// Until the operation is over.
void vector_unit::own_operands() {
  if (!buffers_.begin(regs_.start.cell())) return;
  const std::uint64_t elements = bytes_ / size_of(type_);
  const bool is_quantized_here = work_ == work::quantize;
  const bool is_quantized_before = work_ == work::dequantize;
  std::uint64_t source_bytes = bytes_;
  if (is_quantized_before) source_bytes = quantized_bytes(quant_, elements);
  if (is_in_lines_) source_bytes = lines_of(bytes_) * LINE_BYTES;
  buffers_.take(buffer_use::destination, regs_.destination.value(),
                is_quantized_here ? quantized_bytes(quant_, elements) : bytes_, operation_);
  buffers_.take(buffer_use::source, regs_.source.value(), source_bytes, operation_);
  if (is_quantized_here || is_quantized_before)
    buffers_.take(is_quantized_here ? buffer_use::destination : buffer_use::source,
                  regs_.scales.value(), scale_bytes(quant_, elements), operation_);
}

bool vector_unit::set_operation() {
  const auto fields = regs_.operation;
  type_ = static_cast<dtype>(fields.dtype.get());
  is_in_lines_ = fields.lines.get() == vector_regs::operation_lines::YES;
  if (type_ > last_dtype) return false;
  switch (fields.op.get()) {
    case vector_regs::operation_op::SUM:
    case vector_regs::operation_op::MIN:
    case vector_regs::operation_op::MAX:
    case vector_regs::operation_op::AND:
    case vector_regs::operation_op::OR:
    case vector_regs::operation_op::XOR:
      work_ = work::reduce;
      op_ = static_cast<reduce_op>(fields.op.get());
      return applies_to(op_, type_);
    case vector_regs::operation_op::COPY:
      work_ = work::copy;
      return is_in_lines_;
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
  return !is_in_lines_ && can_quantize(type_) && quant_.is_valid() && is_whole;
}

// Blocks enter at the stated rate, unless too many are still under way.
void vector_unit::read_blocks() {
  const fs_t now = now_fs();
  while (is_ok_ && read_ < bytes_ && in_flight_ < most_in_flight_) {
    if (next_slot_ > now) return next_read_.at(next_slot_);
    read_block();
  }
  if (!is_ok_ && status_.is_busy()) fail(error::BUS, refused_);
}

void vector_unit::read_block() {
  const fs_t now = now_fs();
  block& next = blocks_.take();
  next.operation = operation_;
  next.offset = read_;
  next.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(block_bytes_, bytes_ - read_));
  running_cause::join_into(why_);
  why_.then(category::reduction, site(), now);
  next.why = why_;
  const running_cause entering(next.why);
  begin(next);
  is_issuing_ = true;
  if (is_in_lines_)
    read_lines(next);
  else if (work_ == work::reduce)
    read_operands(next);
  else
    read_quantized(next);
  if (is_ok_) {
    read_ += next.bytes;
    ++in_flight_;
    next.issue = fpus_port_.arbiter() ? fpus_port_.arbiter()->stream_delay(now) : 0;
    next_slot_ = now + next.issue + rate_.duration(next.bytes);
  }
  end_access(next, now);
  is_issuing_ = false;
}

void vector_unit::read_operands(block& next) {
  if (carries_data_) {
    next.result = payload_slice::allocate(next.bytes);
    next.operand = payload_slice::allocate(next.bytes);
  }
  read(next, regs_.destination.value() + next.offset, next.result, next.bytes);
  read(next, regs_.source.value() + next.offset, next.operand, next.bytes);
}

// All operands of the block are here.
void vector_unit::compute(block& next) {
  if (is_in_lines_)
    take_lines(next);
  else if (work_ != work::reduce)
    convert(next);
  const fs_t done = next.ready + next.issue + latency_ + rate_.duration(next.bytes);
  next.why.then(category::reduction, site(), done);
  computed_.push(done, &next);
}

// The unit may not write to what memory has lent. It reads the operands only when the result is
// written: that write frees the frame of the first operand, which is then in the caches, and the
// result of the next block goes there.
void vector_unit::reduce_block(block& done) {
  payload_slice sum = done.result.is_shared() ? payload_slice::allocate(done.bytes) : done.result;
  reduce(type_, op_, sum.data(), done.result.data(), done.operand.data(),
         done.bytes / size_of(type_));
  done.result = std::move(sum);
}

void vector_unit::write_blocks() {
  const fs_t now = now_fs();
  for (block* due = nullptr; computed_.pop_due(now, due);) {
    if (due->operation != operation_ || !is_ok_) {
      blocks_.give_back(*due);
      continue;
    }
    const running_cause leaving(due->why);
    begin(*due);
    due->is_written = true;
    is_issuing_ = true;
    if (!due->is_incomplete) write_result(*due);
    end_access(*due, now);
    is_issuing_ = false;
  }
  if (!is_ok_ && status_.is_busy()) fail(error::BUS, refused_);
}

void vector_unit::write_result(block& done) {
  if (work_ == work::reduce && done.result) reduce_block(done);
  const std::uint64_t to = regs_.destination.value();
  const region result = work_ == work::quantize ? quantized_at(to, done) : elements_at(to, done);
  write(done, result.address, done.result, result.bytes);
  if (work_ != work::quantize) return;
  const region scales = scales_at(done);
  write(done, scales.address, done.scales, scales.bytes);
}

void vector_unit::end_write(block& done) {
  written_.push(done.ready, {done.operation, done.bytes, std::move(done.why)});
  blocks_.give_back(done);
}

void vector_unit::retire_blocks() {
  cause latest;
  for (written_block due; written_.pop_due(now_fs(), due);) {
    if (due.operation != operation_) continue;
    latest = std::move(due.why);
    --in_flight_;
    retired_ += due.bytes;
  }
  if (!is_ok_ || !status_.is_busy()) return;
  const running_cause retiring(latest);
  if (retired_ == bytes_)
    finish();
  else
    read_blocks();
}

void vector_unit::finish() {
  buffers_.release(operation_, operation_);
  ++counters_.operations;
  if (missing_ != 0)
    ++counters_.incomplete;
  else
    counters_.bytes += bytes_;
  if (work_ == work::reduce && missing_ == 0) counters_.elements += bytes_ / size_of(type_);
  regs_.missing.set(missing_);
  counters_.busy += now_fs() - started_;
  regs_.completed.add(1);
  status_.end();
}

void vector_unit::fail(error reason, const std::string& what) {
  buffers_.release(operation_, operation_);
  ++counters_.errors;
  status_.fail(reason, what);
}

std::string vector_unit::waiting_for() const {
  if (!status_.is_busy()) return {};
  return fmt::format("an operation over {} B", bytes_);
}

}  // namespace heddle
