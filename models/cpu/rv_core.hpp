// A RISC-V core that runs firmware from an ELF file: RV64IMAC or RV32IMAC with Zicsr, Zifencei and
// Zicntr, machine mode, decoded blocks (models/cpu/rv). An instruction costs the cycles of its
// class. Memory inside `local` that grants direct access serves like a cache that always hits; all
// other accesses are loosely timed transactions on the bus, stores posted until the next fence.
//
// Apps reach the platform through the registers of firmware_host.regs.yaml. A trap that finds
// mtvec 0 fails the run with pc, function and source line; only ecall then ends the program, with
// the code in a0. A store to the symbol `tohost` ends the run: 1 is success, an odd number twice
// the code plus 1; it also serves write() and the console of the host-target interface.
//
// Registers that it has not (satp, medeleg, mideleg, pmp*, mnstatus, all of supervisor mode) and
// instructions that it has not (sret, sfence.vma, floating point) trap as illegal. MPP is always
// machine mode, misa and mcountinhibit keep their value, the registers of triggers read 0.
//
// A store to local memory counts as not fenced, for the contract of a doorbell, where it goes to a
// variable whose address the program has written to a device, as that of a descriptor ring.
//
// Limitations: what lies on the stack or on a heap has no symbol and so no such check; interrupts
// are seen at the end of a quantum; code is fetched in no time; misaligned
// accesses to devices are refused. A core that polls over the fabric never counts as hung.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/cpu/bus_view.hpp"
#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/firmware_host_regs.hpp"
#include "models/cpu/posted_stores.hpp"
#include "models/cpu/program_observer.hpp"
#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv/csr_file.hpp"
#include "models/cpu/rv_core_parameters.hpp"
#include "platform/debug/debug_target.hpp"
#include "platform/explain/running_cause.hpp"
#include "platform/firmware/rank_core.hpp"
#include "platform/registers/access_origin.hpp"
#include "platform/registers/register_audit.hpp"
#include "platform/run/mmio_log.hpp"
#include "platform/trace/trace_scope.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/memory/extensions.hpp"

namespace heddle {

class rv_core : public unit,
                public rank_core,
                public access_initiator,
                public debug_target,
                private rv::hart_bus,
                public interrupt_sink {
 public:
  using parameters = rv_core_parameters;
  using counters = rv_core_counters;
  static std::vector<port_description> port_descriptions();

  // `xlen`: 32 or 64.
  rv_core(const unit_context& context, const parameters& p, int xlen);
  ~rv_core() override;

  const statistic_set* statistics() const override { return &counters_; }
  std::string waiting_for() const override;

  const std::string& rank_path() const override { return path(); }
  place_id rank_place() const override { return unit::place(); }
  rank_resources resources() const override { return resources_; }
  void debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) override;
  void debug_read(std::uint64_t address, void* to, std::uint64_t bytes) override;

  const std::string& initiator_path() const override { return path(); }
  code_line line_at(const code_place& place) const override;

  const std::string& debug_name() const override { return path(); }
  std::string debug_state() const override;
  std::string architecture() const override;
  const std::vector<debug_register>& debug_registers() const override;
  unsigned general_registers() const override;
  bool read_register(unsigned number, std::uint64_t& value) override;
  bool write_register(unsigned number, std::uint64_t value) override;
  bool read_memory(std::uint64_t address, void* to, std::uint64_t bytes) override;
  bool write_memory(std::uint64_t address, const void* from, std::uint64_t bytes) override;
  void memory_changed() override { hart_->refetch(); }
  void set_breakpoints(const std::vector<std::uint64_t>& addresses) override;
  void set_watches(const std::vector<debug_watch>& watches) override;
  void step() override { hart_->stop_after_one(); }
  void show_as_done() override { hart_->show_as_done(); }
  void cancel_step() override { hart_->cancel_stop_after_one(); }

  const rv::any_hart& hart() const { return *hart_; }
  const symbol_table& symbols() const { return symbols_; }

 private:
  enum class activity { idle, run, poll, interrupt, job, finished, fault };
  // The poll under way; text is made of it only if somebody asks.
  struct poll_record {
    bool is_active = false;
    const char* what = "";
    std::uint64_t address = 0, value = 0;
    fs_t since = 0, quiet_since = 0;
    std::uint64_t carried = 0;  // by all wires, when last looked
  };
  // The last access that was refused.
  struct refused_access {
    std::string what;  // "read", "atomic add"
    unsigned bytes = 0;
    fs_t when = 0;
    std::string reason;  // ": ...", "" where the registers have told it
  };

  // Program
  void choose_program(const parameters& p);
  void start_of_simulation() override;
  void load(const elf_segment& segment);
  void run();
  void sleep();
  void tell_debugger(rv::stop_reason why);
  bool access_for_debugger(tlm::tlm_command command, std::uint64_t address, void* data,
                           std::uint64_t bytes);

  // What the core has done up to its own time.
  void spend(category what) { why().then(what, unit::place(), local_time()); }

  // Time: the core's own is its cycle count
  fs_t local_time() const { return hart_->cycles() * cycle_; }
  std::uint64_t cycles_until(fs_t when) const { return (when + cycle_ - 1) / cycle_; }
  void pass_until(fs_t when);  // never backwards
  void synchronize();
  std::uint64_t limit() const;

  // Bus
  unsigned char* direct_page(std::uint64_t address) override;
  template <class Access>
  bool observed(Access access);
  bool load(std::uint64_t address, unsigned bytes, std::uint64_t& value) override;
  bool store(std::uint64_t address, unsigned bytes, std::uint64_t value) override;
  bool modify(const rv::atomic_access& access, std::uint64_t& before) override;
  bool post_modify(const rv::atomic_access& access) override;
  void set_atomic(const rv::atomic_access& access, std::uint64_t& before);
  bool post();
  void share(std::uint64_t value);
  bool is_shared(std::uint64_t address) const;
  bool fetch(std::uint64_t address, std::uint16_t& parcel) override;
  void fence() override;
  std::uint64_t time() override { return local_time() / tick_; }
  bool access(tlm::tlm_generic_payload& payload, std::uint64_t cycles, fs_t& taken);
  void note_refusal(const tlm::tlm_generic_payload& payload, fs_t when, bool is_told);
  bool access_host(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes);
  bool is_host(std::uint64_t address) const { return address - host_ < host_bytes; }
  void forget_direct(sc_dt::uint64 from, sc_dt::uint64 to);
  void set_interrupt(int line, bool is_up) override;

  // Firmware
  void connect_host_registers();
  void start_or_end_poll();
  void explain_poll();
  void watch_poll(std::uint64_t value);
  std::uint32_t next_job();
  void log(std::uint64_t value);
  void add_for_firmware();
  void write_tohost(std::uint64_t value);
  void serve_tohost(std::uint64_t request);
  void write_console(char character);
  void answer_fromhost(std::uint64_t value);
  void write_for_host(std::uint64_t address, const void* from, std::uint64_t bytes);
  void end_unhandled();
  std::string trap_text() const;
  std::string trap_text(const rv::trap_record& trap) const;
  std::string first_trap_text() const;
  std::string illegal_text(std::uint64_t bits) const;
  bool is_handler_missing() const;
  std::uint64_t csr_value(rv::csr number) const;
  void refuse_interrupt();
  std::string polled_text() const;
  std::string place() const;  // where the program is
  [[noreturn]] void exit(int code);
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void end_in_fault();
  [[noreturn]] void halt();
  void show(activity now) { activity_trace_.set(now, now_fs()); }

  static constexpr std::uint64_t host_bytes = 0x100;
  static constexpr int software_line = 64, timer_line = 65;  // behind the external ones

  const rank_resources resources_;
  const rank_timing timing_;
  const fs_t cycle_, quantum_, tick_;
  const std::uint64_t local_, local_bytes_, host_;
  const std::uint64_t read_cycles_, write_cycles_;
  const bool synchronizes_;

  rv_core_counters counters_;
  debug_directory& debug_;
  register_audit_log& audit_;
  firmware_host_registers regs_;
  tlm_utils::simple_initiator_socket<rv_core> bus_;
  memory_initiator_port bus_port_;
  bus_view view_;
  std::vector<std::unique_ptr<interrupt_input_port>> interrupt_ports_;
  std::uint64_t external_up_ = 0;
  sc_core::sc_event interrupt_;
  tlm::tlm_generic_payload payload_, host_payload_;
  atomic_extension atomic_;
  tlm::tlm_dmi direct_;  // the region granted last
  bool has_direct_ = false;
  std::vector<const elf_symbol*> shared_;  // variables of the program that devices know of

  std::string program_;  // as messages call it
  std::optional<elf_image> image_;
  std::uint64_t moved_ = 0;  // bytes from where the program was linked to where it lies
  symbol_table symbols_;
  std::optional<std::uint64_t> tohost_, fromhost_;
  std::unique_ptr<rv::any_hart> hart_;
  fs_t stores_done_ = 0;  // when the last posted store has arrived
  posted_stores posted_;
  access_origin origin_;
  mmio_log* mmio_log_;  // nullptr: nobody wants it
  cause seen_;          // who wrote what was loaded last
  cause poll_begun_;    // and before, what the core had done
  std::uint32_t job_;
  std::string waiting_for_;
  bool is_over_ = false;  // the program has ended, or failed
  poll_record polled_;
  refused_access refused_;
  trace_signal<activity> activity_trace_;
  trace_signal<std::string_view> function_trace_;
  trace_signal<std::uint64_t> job_trace_;
  std::unique_ptr<program_observer> observer_;  // nullptr: nobody wants to know
};

template <int xlen>
class rv_core_of final : public rv_core {
 public:
  rv_core_of(const unit_context& context, const parameters& p) : rv_core(context, p, xlen) {}
};

using rv64_core = rv_core_of<64>;
using rv32_core = rv_core_of<32>;

}  // namespace heddle
