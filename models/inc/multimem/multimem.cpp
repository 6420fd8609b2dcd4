// Registers and operations. The blocks are in multimem_blocks.cpp.
#include "models/inc/multimem/multimem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/no_data.hpp"

namespace heddle {
namespace {

constexpr std::uint32_t completed_bit = 1, failed_bit = 2;

HEDDLE_REGISTER_UNIT(multimem_unit, describe_unit<multimem_unit>("multimem",
                                                                 "loads and stores of multicast "
                                                                 "regions (NVLS)",
                                                                 multimem_regs::markdown));

}  // namespace

std::vector<port_description> multimem_unit::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "local data"},
          {"fabric", "memory initiator", "the multicast region; non-blocking"},
          {"irq", "interrupt output", "up while irq_status & irq_enable is not 0"}};
}

// A block must find its places: as many packets as fit, a power of two of them as blocks of a
// region are aligned.
std::uint32_t multimem_unit::packets_of_block(const parameters& p) const {
  const auto most =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(sim().settings().train, p.outstanding()));
  std::uint32_t packets = 1;
  while (2 * packets <= most) packets *= 2;
  return packets;
}

multimem_unit::multimem_unit(const unit_context& context, const parameters& p)
    : unit(context),
      packet_bytes_(static_cast<std::uint32_t>(p.packet().bytes)),
      block_bytes_(std::min(static_cast<std::uint32_t>(p.block().bytes),
                            packet_bytes_ * packets_of_block(p))),
      most_outstanding_(static_cast<std::uint32_t>(p.outstanding())),
      carries_data_(sim().settings().carries_data),
      regs_(context),
      status_(regs_, trace_scope(sim().trace(), path()), multimem_regs::status_state_names()),
      registers_socket_(*this, "registers", regs_),
      memory_socket_(
          "memory", multimem_requester::calls::to<multimem_unit, &multimem_unit::end_local>(*this)),
      fabric_socket_(
          "fabric",
          multimem_requester::calls::to<multimem_unit, &multimem_unit::take_response>(*this)
              .when_idle<multimem_unit, &multimem_unit::fabric_has_room>()),
      memory_port_(*this, "memory", memory_socket_),
      fabric_port_(*this, "fabric", fabric_socket_),
      events_(*this, regs_),
      buffers_(sim(), this->path(), memory_socket_),
      staged_(timed_queue<multimem_block*>::to<multimem_unit, &multimem_unit::take_staged>(*this)),
      launch_(timed_call::to<multimem_unit, &multimem_unit::launch>(*this)),
      done_(timed_queue<done_block>::to<multimem_unit, &multimem_unit::retire_blocks>(*this)),
      no_data_(sim().service<no_data>().room_for(block_bytes_)) {
  regs_.start.on_write([this](std::uint64_t, std::uint64_t) { start(); });
  regs_.control.on_write([this](std::uint64_t, std::uint64_t) { status_.reset(); });
  outstanding_trace_ = trace_scope(sim().trace(), path()).vector("outstanding", 32);
  outstanding_trace_.set(0, 0);
}

void multimem_unit::start() {
  if (!status_.takes_start()) {
    ++counters_.errors;
    return;
  }
  if (!is_sensible())
    return fail(error::BAD_OPERATION, fmt::format("operation {:#x} over {} B",
                                                  regs_.operation.value(), regs_.bytes.value()));
  kind_ = regs_.operation.kind.get();
  reduction_.type = static_cast<dtype>(regs_.operation.dtype.get());
  reduction_.op = static_cast<reduce_op>(regs_.operation.op.get());
  bytes_ = kind_ == kind::RED ? sizeof(std::uint64_t) : regs_.bytes.value();
  begun_ = retired_ = 0;
  ++operation_;
  started_ = now_fs();
  if (kind_ != kind::RED && buffers_.begin(regs_.start.cell())) {  // its ends in local memory
    buffers_.take(buffer_use::source, regs_.source.value(), bytes_, operation_);
    buffers_.take(buffer_use::destination, regs_.destination.value(), bytes_, operation_);
  }
  status_.begin();
  pump();
}

bool multimem_unit::is_sensible() const {
  const auto asked = regs_.operation.kind.get();
  if (asked == kind::RED) return true;
  const auto type = static_cast<int>(regs_.operation.dtype.get());
  const auto op = static_cast<int>(regs_.operation.op.get());
  const bool is_known = asked <= kind::ALL_REDUCE && type <= static_cast<int>(dtype::int32) &&
                        op <= static_cast<int>(reduce_op::max);
  return is_known && regs_.bytes.value() > 0 &&
         regs_.bytes.value() % size_of(static_cast<dtype>(type)) == 0;
}

void multimem_unit::finish() {
  buffers_.release(operation_, operation_);
  ++counters_.operations;
  counters_.bytes += bytes_;
  counters_.in_operations += now_fs() - started_;
  regs_.completed.add(1);
  status_.end();
  events_.raise(completed_bit);
}

void multimem_unit::fail(error reason, const std::string& what) {
  buffers_.release(operation_, operation_);
  ++counters_.errors;
  status_.fail(reason, what);
  events_.raise(failed_bit);
}

std::string multimem_unit::waiting_for() const {
  if (!status_.is_busy()) return {};
  return fmt::format("responses to {}, {} of {} B done", counted(outstanding_, "packet"), retired_,
                     bytes_);
}

}  // namespace heddle
