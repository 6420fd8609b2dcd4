// A RISC-V core that runs firmware from an ELF file: RV64GC or RV32GC (IMAFDC, Zicsr, Zifencei)
// with Zicntr, machine mode, decoded blocks (models/cpu/rv). An instruction costs the cycles of its
// class. Memory inside `local` that grants direct access serves like a cache that always hits; all
// other accesses are loosely timed transactions on the bus, stores posted until the next fence or
// fence.i.
//
// Apps reach the platform through the registers of firmware_host.regs.yaml. A trap that finds
// mtvec 0 fails the run with pc, function and source line; only ecall then ends the program, with
// the code in a0. A store to the symbol `tohost` serves as host_interface.hpp says.
//
// Floating point is off until the program writes mstatus.FS, as after a reset of most cores.
//
// The `time` CSR is the mtime of the clint among the core's devices (`devices`), of the first if
// there are several.
//
// Accesses to registers that this core does not have (satp, medeleg, mideleg, mnstatus, all of
// supervisor mode) and instructions that it does not have (sret, sfence.vma, vectors) trap as
// illegal. MPP is always machine mode, misa and mcountinhibit keep their value; the registers of
// triggers, performance events and physical memory protection read 0: there are none.
//
// Limitations: interrupts are seen at the end of a quantum; code is fetched in no time; misaligned
// accesses to devices are refused. A core that polls over the fabric never counts as hung. See
// shared_variables.hpp for what the contract of a doorbell does not see.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/cpu/core_activity.hpp"
#include "models/cpu/core_bus.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv_core/core_accesses.hpp"
#include "models/cpu/rv_core/core_clock.hpp"
#include "models/cpu/rv_core/direct_memory.hpp"
#include "models/cpu/rv_core/firmware_host.hpp"
#include "models/cpu/rv_core/hart_debug_target.hpp"
#include "models/cpu/rv_core/host_interface.hpp"
#include "models/cpu/rv_core/host_window.hpp"
#include "models/cpu/rv_core/interrupt_lines.hpp"
#include "models/cpu/rv_core/loaded_program.hpp"
#include "models/cpu/rv_core/poll_watch.hpp"
#include "models/cpu/rv_core/program_end.hpp"
#include "models/cpu/rv_core/rv_core_counters.hpp"
#include "models/cpu/rv_core/rv_core_parameters.hpp"
#include "models/cpu/rv_core/shared_variables.hpp"
#include "platform/unit/registry.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/machine_timer.hpp"

namespace heddle {

class rv_core : public unit, public rank_core, public access_initiator, private rv::hart_bus {
 public:
  using parameters = rv_core_parameters;
  using counters = rv_core_counters;
  static std::vector<port_description> port_descriptions();

  // `xlen`: 32 or 64.
  rv_core(const unit_context& context, const parameters& p, int xlen);

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  const std::string& rank_path() const override { return path(); }
  site_id rank_site() const override { return site(); }
  rank_resources resources() const override { return resources_; }
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) override;
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) override;

  const std::string& initiator_path() const override { return path(); }
  code_line line_at(const code_point& point) const override { return program_.line_at(point); }

  const rv::any_hart& hart() const { return *hart_; }

 private:
  void tell_of_no_program();
  void read_program(const parameters& p);
  void observe();
  void start_of_simulation() override;
  void find_timer();

  void run();
  void take_interrupt();
  std::string awaited() const;
  void sleep();
  void check_end();
  void report_overwritten(std::uint64_t address, std::uint64_t value);
  [[noreturn]] void end_unhandled();

  // An address leads to the host registers, to local memory or to the bus.
  unsigned char* direct_page(std::uint64_t address) override;
  bool load(std::uint64_t address, unsigned bytes, std::uint64_t& value) override;
  bool store(std::uint64_t address, unsigned bytes, std::uint64_t value) override;
  bool modify(const rv::atomic_access& access, std::uint64_t& before) override {
    return accesses_.modify(access, before);
  }
  bool post_modify(const rv::atomic_access& access) override {
    return accesses_.post_modify(access);
  }
  bool fetch(std::uint64_t address, std::uint16_t& parcel) override {
    return accesses_.fetch(address, parcel);
  }
  void fence(bool for_devices) override { accesses_.fence(for_devices); }
  std::uint64_t time() override {
    return timer_ ? timer_->mtime(clock_.now()) : clock_.now() / tick_;
  }
  void time_is_read() override { poll_.forget_loop(); }

  const rank_resources resources_;
  const fs_t tick_;
  const bool is_tick_set_;
  const machine_timer* timer_ = nullptr;  // none: the core counts by itself
  rv_core_counters counters_;
  std::unique_ptr<rv::any_hart> hart_;
  loaded_program program_;
  std::unique_ptr<program_observer> observer_;  // nullptr: nobody wants to know
  core_clock clock_;
  core_activity activity_;
  host_window window_;
  core_bus bus_;
  direct_memory memory_;
  interrupt_lines interrupts_;
  hart_debug_target debugged_;
  program_end end_;
  poll_watch poll_;
  core_accesses accesses_;
  firmware_host host_;
  host_interface tohost_;
  shared_variables shared_;
  code_point waited_at_;  // for an interrupt, lastly
};

template <int xlen>
class rv_core_of final : public rv_core {
 public:
  rv_core_of(const unit_context& context, const parameters& p) : rv_core(context, p, xlen) {}
};

using rv64_core = rv_core_of<64>;
using rv32_core = rv_core_of<32>;

}  // namespace heddle
