// One hardware thread, whatever its width: what a unit or a debugger does with it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/cpu/rv/cycle_costs.hpp"
#include "models/cpu/rv/hart_bus.hpp"
#include "models/cpu/rv/hart_observer.hpp"
#include "models/cpu/rv/isa.hpp"

namespace heddle::rv {

enum class stop_reason {
  cycles,     // as many as were asked for
  wait,       // WFI, or a jump to itself: nothing to do before an interrupt
  unhandled,  // a trap without a handler: mtvec is 0
  // What a debugger asked for:
  step,        // the one instruction
  breakpoint,  // before the instruction
  watch,       // before the instruction, as gdb expects of RISC-V
};

constexpr bool is_of_debugger(stop_reason reason) {
  return reason >= stop_reason::step;
}

// Accesses that stop the hart.
struct watched_range {
  std::uint64_t address = 0, bytes = 0;
  bool loads = false, stores = false;

  bool operator==(const watched_range& other) const {
    return address == other.address && bytes == other.bytes && loads == other.loads &&
           stores == other.stores;
  }
};

// The first of them that an instruction would make.
struct watch_hit {
  watched_range range;
  std::uint64_t address = 0;  // of the first byte inside the range
};

// The trap that nobody handled.
struct trap_record {
  trap_cause cause = trap_cause::illegal_instruction;
  std::uint64_t pc = 0, value = 0;
};

class any_hart {
 public:
  virtual ~any_hart() = default;

  // Ends with the first block that reaches the limit.
  virtual stop_reason run(std::uint64_t cycle_limit) = 0;
  // While it runs: the limit is another one now; 0 ends it with the block under way.
  void set_limit(std::uint64_t cycles) { cycle_limit_ = cycles; }

  virtual int xlen() const = 0;
  virtual std::uint64_t pc() const = 0;
  virtual void set_pc(std::uint64_t pc) = 0;
  virtual std::uint64_t reg(unsigned number) const = 0;  // 0 to 31
  virtual void set_reg(unsigned number, std::uint64_t value) = 0;
  virtual std::uint64_t float_reg(unsigned number) const = 0;  // 0 to 31
  virtual void set_float_reg(unsigned number, std::uint64_t value) = 0;
  // Between run() and run(). False: there is no such register, or it cannot be written.
  virtual bool read_csr(unsigned number, std::uint64_t& value) const = 0;
  virtual bool write_csr(unsigned number, std::uint64_t value) = 0;

  virtual void set_hart_number(std::uint64_t number) = 0;
  virtual void set_pending(interrupt line, bool is_up) = 0;
  virtual bool is_woken() const = 0;        // an interrupt is pending that ends WFI
  virtual bool is_interrupted() const = 0;  // and one that may be taken
  // Enters the handler of an interrupt that is pending and enabled.
  virtual bool take_interrupt() = 0;
  const trap_record& unhandled() const { return unhandled_; }
  // After stop_reason::wait: at a jump to itself, not at WFI.
  bool is_in_idle_loop() const { return is_in_idle_loop_; }

  // Exact between run() and run(), and in calls to the bus.
  std::uint64_t cycles() const { return cycles_; }
  std::uint64_t instructions() const { return instructions_; }
  void pass(std::uint64_t cycles) { cycles_ += cycles; }
  // The pc of the instruction that calls the bus; while run() is not running, the same as pc().
  virtual std::uint64_t current_pc() const = 0;
  virtual bool is_calling() const = 0;  // the bus, right now

  // Code in memory has changed, direct pages may have been withdrawn.
  virtual void forget_code() = 0;
  virtual void forget_direct_pages() = 0;
  // Stores to the page of this address reach the bus, direct or not.
  virtual void watch_stores(std::uint64_t address) = 0;

  // Told from now on what is executed; nullptr: nobody.
  void observe(hart_observer* by) { observer_ = by; }
  // The observer hears of each instruction: code is decoded anew.
  virtual void trace_instructions(bool wanted) = 0;

  // For debuggers. None of this changes when blocks end and the limit is looked at, except that the
  // longest ones may be cut elsewhere.
  virtual void set_breakpoints(const std::vector<std::uint64_t>& addresses) = 0;
  virtual void set_watches(const std::vector<watched_range>& ranges) = 0;
  // Stops after the instruction under way, or else the next one.
  virtual void stop_after_one() = 0;
  void cancel_stop_after_one() { is_one_wanted_ = false; }
  // While the instruction under way waits for the bus, current_pc() is the one behind it.
  void show_as_done() { is_shown_as_done_ = true; }
  // Somebody else wrote to memory: also the block under way is fetched again.
  virtual void refetch() = 0;
  const watch_hit& last_watch_hit() const { return watch_hit_; }
  // Asked after a stop for a debugger: whether run() would have returned here without the debugger.
  virtual bool is_due() const = 0;
  std::uint64_t limit() const { return cycle_limit_; }

 protected:
  std::uint64_t cycles_ = 0, instructions_ = 0, cycle_limit_ = 0;
  hart_observer* observer_ = nullptr;
  bool is_one_wanted_ = false, is_shown_as_done_ = false;
  bool is_in_idle_loop_ = false;
  bool is_at_handler_ = false;  // an interrupt was taken in place of the one that is wanted
  watch_hit watch_hit_;
  trap_record unhandled_;
};

// `xlen`: 32 or 64. The bus must outlive the hart.
std::unique_ptr<any_hart> make_hart(int xlen, hart_bus& bus, const cycle_costs& costs,
                                    bool serves_misaligned);

}  // namespace heddle::rv
