// Platform-level interrupt controller: level-sensitive lines of devices, a priority a source,
// enables and a threshold a target, claim and complete.
//
// What a line has asked for stays pending until it is claimed, even if the line is down by then. A
// source that was claimed is not pending again before it is completed, by a target that has it
// enabled. The threshold masks the line alone: a claim finds sources below it as well (RISC-V PLIC
// specification 1.0.0, 7 and 8).
//
// Registers and bits of sources and targets that the unit does not have, source 0 among them, read
// as zero and ignore writes.
//
// Limitations: 63 sources, 16 targets, 7 priorities; lines are level-sensitive alone.
#pragma once

#include <memory>
#include <vector>

#include "models/plic/plic_regs.hpp"
#include "platform/unit/registry.hpp"
#include "transactors/memory/memory_port.hpp"
#include "transactors/memory/register_socket.hpp"

namespace heddle {

struct plic_parameters : parameter_set {
  parameter<std::uint64_t> sources{
      *this, "sources", 8, within(1, 63), "lines in, numbered from 1", "a handful of devices"};
  parameter<std::uint64_t> targets{*this,     "targets", 1, within(1, 16), "lines out, one a hart",
                                   "one core"};
};

struct plic_counters : statistic_set {
  statistic claims{*this, "claims", quantity::count, "interrupts claimed"};
  statistic empty_claims{*this, "empty_claims", quantity::count, "claims that found none"};
};

class plic final : public unit, public interrupt_sink {
 public:
  using parameters = plic_parameters;
  using counters = plic_counters;
  static std::vector<port_description> port_descriptions();

  plic(const unit_context& context, const parameters& p);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

 private:
  // The registers and bits of all other sources and targets.
  void leave_out(std::size_t sources, std::size_t targets);
  void set_interrupt(int source, bool is_up) override;
  // Makes the lines pending that are up and not being served.
  void forward();
  std::uint64_t enabled(std::size_t target) const;
  // The pending source of the highest priority among those that the target has enabled and whose
  // priority is above the threshold; 0: none.
  std::uint32_t best_source(std::size_t target, std::uint32_t threshold) const;
  std::uint32_t claim(std::size_t target);
  void complete(std::size_t target, std::uint32_t source);
  void update();

  plic_counters counters_;
  plic_registers regs_;
  register_socket socket_;
  std::vector<std::unique_ptr<interrupt_input_port>> inputs_;
  std::vector<std::unique_ptr<interrupt_output_port>> outputs_;
  std::uint64_t up_ = 0, pending_ = 0, claimed_ = 0;  // a bit a source
};

}  // namespace heddle
