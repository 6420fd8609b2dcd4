#include "models/mesh/gemm/gemm_engine.hpp"

#include <fmt/format.h>

#include <cmath>

#include "platform/services/compute_directory.hpp"
#include "platform/tensor/multiply.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/memory/access.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(gemm_engine, describe_unit<gemm_engine>("gemm_engine",
                                                             "eight cores of a cluster, "
                                                             "multiplying FP64 tiles",
                                                             gemm_engine_regs::markdown));

}  // namespace

std::vector<port_description> gemm_engine::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"memory", "memory initiator", "the cluster's L1"},
          {"fpus", "issue initiator", "FPUs that are shared; open: its own"}};
}

gemm_engine::gemm_engine(const unit_context& context, const parameters& p)
    : unit(context),
      flops_(static_cast<double>(p.flops()) * p.utilization()),
      launch_(p.launch()),
      carries_data_(sim().settings().carries_data),
      regs_(context),
      status_(regs_, trace_scope(sim().trace(), path()), gemm_engine_regs::status_state_names()),
      registers_socket_(*this, "registers", regs_),
      memory_socket_("memory"),
      memory_port_(*this, "memory", memory_socket_),
      fpus_port_(*this, "fpus") {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  sim().service<compute_directory>().flops_per_second +=
      static_cast<double>(p.flops()) / seconds(p.cycle().fs);
  sim().service<energy_book>().enter(
      {path(), "gemm", quantity::count, &counters_.multiply_adds, 1, p.energy()});
  regs_.start.on_write([this](std::uint32_t, std::uint32_t) { start(); });
  regs_.control.on_write([this](std::uint32_t, std::uint32_t) { status_.reset(); });
}

void gemm_engine::start() {
  if (!status_.takes_start()) {
    ++counters_.errors;
    return;
  }
  rows_ = regs_.rows.value();
  columns_ = regs_.columns.value();
  depth_ = regs_.depth.value();
  for (const std::size_t side : {rows_, columns_, depth_})
    if (side == 0 || side > longest_side)
      return fail(error::BAD_OPERATION,
                  fmt::format("{} x {} x {}: rows, columns and depth are 1 to {}", rows_, columns_,
                              depth_, longest_side));
  if (!read_tiles()) return;
  begin();
}

void gemm_engine::begin() {
  const fs_t period = clock_.domain().period();
  started_ = now_fs();
  why_ = running_cause::copy();
  first_ = (started_ + period - 1) / period + launch_;
  cycles_ = cycles_of(rows_ * columns_ * depth_);
  if (issue_arbiter* shared = fpus_port_.arbiter()) shared->start_run(first_, cycles_);
  status_.begin();
  clock_.wake(first_ + cycles_);
}

cycle_t gemm_engine::cycles_of(std::uint64_t multiply_adds) const {
  return static_cast<cycle_t>(std::ceil(2 * static_cast<double>(multiply_adds) / flops_));
}

bool gemm_engine::read_tiles() {
  a_.resize(rows_ * depth_);
  b_.resize(depth_ * columns_);
  c_.assign(rows_ * columns_, 0);
  const bool adds = regs_.operation.op.get() == gemm_engine_regs::operation_op::ADD;
  return access(tlm::TLM_READ_COMMAND, regs_.a.value(), a_) &&
         access(tlm::TLM_READ_COMMAND, regs_.b.value(), b_) &&
         (!adds || access(tlm::TLM_READ_COMMAND, regs_.c.value(), c_));
}

bool gemm_engine::access(tlm::tlm_command command, std::uint64_t address,
                         std::vector<double>& tile) {
  tlm::tlm_generic_payload payload;
  const auto bytes = static_cast<std::uint32_t>(tile.size() * sizeof(double));
  set_access(payload, command, address, tile.data(), bytes);
  if (memory_socket_->transport_dbg(payload) == bytes) return true;
  fail(error::BUS, fmt::format("bus error: a tile of {} B at {:#x}", bytes, address));
  return false;
}

cycle_t gemm_engine::end_of_operation() const {
  return fpus_port_.arbiter() ? fpus_port_.arbiter()->run_end() : first_ + cycles_;
}

void gemm_engine::evaluate(cycle_t now) {
  if (!status_.is_busy()) return;
  if (end_of_operation() > now) return clock_.wake(end_of_operation());
  finish();
}

void gemm_engine::finish() {
  if (carries_data_) {
    multiply_add(a_.data(), b_.data(), c_.data(), rows_, columns_, depth_);
    if (!access(tlm::TLM_WRITE_COMMAND, regs_.c.value(), c_)) return;
  }
  ++counters_.operations;
  counters_.multiply_adds += rows_ * columns_ * depth_;
  counters_.busy += now_fs() - started_;
  counters_.borrowed += (end_of_operation() - first_ - cycles_) * clock_.domain().period();
  why_.then(category::compute, site(), now_fs());
  const running_cause finishing(why_);
  regs_.completed.add(1);
  status_.end();
}

void gemm_engine::fail(error reason, const std::string& what) {
  ++counters_.errors;
  status_.fail(reason, what);
}

std::string gemm_engine::waiting_for() const {
  if (!status_.is_busy()) return {};
  return fmt::format("{} x {} x {} multiply-adds", rows_, columns_, depth_);
}

}  // namespace heddle
