#include "models/vector/vector.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(vector_unit, describe_unit<vector_unit>("vector", "element-wise reduction of "
                                                                       "two arrays in memory",
                                                             vector_regs::markdown));

}  // namespace

std::vector<port_description> vector_unit::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "operands and results"}};
}

vector_unit::vector_unit(const unit_context& context, const parameters& p)
    : unit(context),
      rate_(p.rate()),
      latency_(p.latency().fs),
      carries_data_(sim().settings().carries_data),
      regs_(context),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory"),
      memory_port_(*this, "memory", memory_socket_),
      computed_(timed_call::to<vector_unit, &vector_unit::write_result>(*this)),
      written_(timed_call::to<vector_unit, &vector_unit::finish>(*this)) {
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  bulk_.is_carried = carries_data_;
  payload_.set_extension(&bulk_);
  state_trace_ = trace_scope(sim().trace(), path())
                     .state<state>("state", vector_regs::status_state_names());
}

vector_unit::~vector_unit() { payload_.clear_extension(&bulk_); }  // not the payload's to free

fs_t vector_unit::access(tlm::tlm_command command, std::uint64_t address,
                         std::vector<unsigned char>& data) {
  set_access(payload_, command, address, data.data(), bytes_);
  sc_core::sc_time delay;
  memory_socket_->b_transport(payload_, delay);
  is_ok_ = is_ok_ && payload_.is_response_ok();
  return to_fs(delay);
}

void vector_unit::start() {
  if (regs_.status.state.get() == state::BUSY) {
    ++counters_.errors;
    regs_.status.error.set(error::STARTED_WHILE_BUSY);  // the operation goes on: still busy
    return regs_.report(regs_.start, "started while an operation was under way");
  }
  const auto type = static_cast<dtype>(regs_.operation.dtype.get());
  const auto elements = static_cast<std::uint32_t>(regs_.elements.value());
  if (static_cast<int>(type) > static_cast<int>(dtype::int32) || elements == 0 ||
      static_cast<int>(regs_.operation.op.get()) > static_cast<int>(reduce_op::max))
    return fail(error::BAD_OPERATION, fmt::format("operation {:#x} over {} elements",
                                                  regs_.operation.value(), elements));
  bytes_ = elements * static_cast<std::uint32_t>(size_of(type));
  result_.resize(bytes_);
  operand_.resize(bytes_);
  started_ = now_fs();
  is_ok_ = true;
  const fs_t first = access(tlm::TLM_READ_COMMAND, regs_.destination.value(), result_);
  const fs_t second = access(tlm::TLM_READ_COMMAND, regs_.source.value(), operand_);
  if (!is_ok_) return fail(error::BUS, "bus error while reading the operands");
  if (carries_data_)
    reduce(type, static_cast<reduce_op>(regs_.operation.op.get()), result_.data(), operand_.data(),
           elements);
  show_state(state::BUSY);
  computed_.at(started_ + std::max({latency_ + rate_.duration(bytes_), first, second}));
}

void vector_unit::write_result() {
  const fs_t taken = access(tlm::TLM_WRITE_COMMAND, regs_.destination.value(), result_);
  if (!is_ok_) return fail(error::BUS, "bus error while writing the result");
  written_.at(now_fs() + taken);
}

void vector_unit::finish() {
  ++counters_.operations;
  counters_.bytes += bytes_;
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

void vector_unit::show_state(state now) {
  regs_.status.state.set(now);
  state_trace_.set(now, now_fs());
}

std::string vector_unit::waiting_for() const {
  if (regs_.status.state.get() != state::BUSY) return {};
  return fmt::format("an operation over {} B", bytes_);
}

}  // namespace heddle
