// One hardware thread: executes decoded blocks until its cycles run out or it has to stop. Knows
// nothing of simulated time beyond its cycle counter; the unit around it does.
//
// Misaligned accesses trap, or are served byte by byte where `serves_misaligned` says so.
//
// Limitations: machine mode only. A store-conditional succeeds when the word has the value again
// that load-reserved saw. Interrupts are taken between blocks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/cpu/rv/any_hart.hpp"
#include "models/cpu/rv/block.hpp"
#include "models/cpu/rv/csr_file.hpp"
#include "models/cpu/rv/cycle_costs.hpp"
#include "models/cpu/rv/direct_pages.hpp"
#include "models/cpu/rv/fp/float_unit.hpp"
#include "models/cpu/rv/hart_bus.hpp"

namespace heddle::rv {

template <class X>
class hart final : public any_hart {
 public:
  hart(hart_bus& bus, const cycle_costs& costs, bool serves_misaligned);
  ~hart() override;
  hart(const hart&) = delete;
  hart& operator=(const hart&) = delete;

  stop_reason run(std::uint64_t cycle_limit) override;
  int xlen() const override { return sizeof(X) * 8; }
  std::uint64_t pc() const override { return pc_; }
  void set_pc(std::uint64_t pc) override {
    pc_ = static_cast<X>(pc);
    is_at_breakpoint_ = is_at_watch_ = false;
  }
  std::uint64_t reg(unsigned number) const override { return x[number]; }
  void set_reg(unsigned number, std::uint64_t value) override {
    if (number != 0) x[number] = static_cast<X>(value);
  }
  std::uint64_t float_reg(unsigned number) const override { return floats.registers[number]; }
  void set_float_reg(unsigned number, std::uint64_t value) override {
    floats.registers[number] = value;
  }
  bool read_csr(unsigned number, std::uint64_t& value) const override;
  bool write_csr(unsigned number, std::uint64_t value) override;
  void set_hart_number(std::uint64_t number) override { csrs_.set_hart(static_cast<X>(number)); }
  void set_pending(interrupt line, bool is_up) override { csrs_.set_pending(line, is_up); }
  bool is_woken() const override { return csrs_.is_woken(); }
  bool is_interrupted() const override { return csrs_.is_interrupted(); }
  bool take_interrupt() override;
  std::uint64_t current_pc() const override;
  bool is_calling() const override { return calling_ != nullptr; }
  void forget_code() override { is_code_stale_ = true; }
  void forget_direct_pages() override;
  void watch_stores(std::uint64_t address) override;
  void trace_instructions(bool wanted) override;
  void set_breakpoints(const std::vector<std::uint64_t>& addresses) override;
  void set_watches(const std::vector<watched_range>& ranges) override;
  void stop_after_one() override;
  void refetch() override;
  bool is_due() const override { return !is_inside_block_ && cycles_ >= cycle_limit_; }

  // For the handlers of instructions.
  std::array<X, 33> x{};  // the last takes what is written to x0
  static constexpr std::uint8_t sink = 32;
  fp::float_unit floats;
  const direct_pages<X>& readable() const { return readable_; }
  const direct_pages<X>& writable() const { return writable_; }
  // Where no direct page is known. False: a trap has been taken, leave by way of trapped().
  bool load_slowly(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value);
  bool store_slowly(const operation<X>* at, X address, unsigned bytes, std::uint64_t value);
  block_exit<X>* trapped() { return &detour_; }
  block_exit<X>* trap(const operation<X>* at, trap_cause cause, X value);
  block_exit<X>* refuse_instruction(const operation<X>* at);  // as illegal
  block<X>* find_known(X pc) {
    const known_block& known = known_[index_of(pc)];
    return known.pc == pc ? known.code : nullptr;
  }
  block_exit<X>* access_csr(const operation<X>* at);
  block_exit<X>* run_atomic(const operation<X>* at);
  block_exit<X>* return_from_trap(const operation<X>* at);
  block_exit<X>* wait_for_interrupt(const operation<X>* at);
  block_exit<X>* synchronize_code(const operation<X>* at);
  void fence(const operation<X>* at);
  void fence_as_encoded(const operation<X>* at);
  // Somebody wants the block left after an instruction that called the bus.
  bool is_leaving() const { return is_leaving_; }
  block_exit<X>* leave_after(const operation<X>* at);
  block_exit<X>* stop_at_breakpoint(const operation<X>* at);
  handler<X> report(const operation<X>* at);  // what the instruction does

 private:
  static constexpr std::size_t known_blocks = 4096;
  struct known_block {
    X pc = 1;  // where no instruction is
    block<X>* code = nullptr;
  };
  static std::size_t index_of(X pc) { return static_cast<std::size_t>(pc / 2) % known_blocks; }

  const operation_detail& detail(const operation<X>* at) const {
    return current_->details[index(at)];
  }
  std::size_t index(const operation<X>* at) const {
    return static_cast<std::size_t>(at - current_->operations.data());
  }
  // Lets the bus see the counters as they are at this instruction.
  class precise_counters;
  template <bool is_observed>
  stop_reason run_blocks();
  void tell_observer(const block_exit<X>* way);
  block<X>* find(X pc);
  void take_trap(const operation<X>* at, trap_cause cause, X value);
  // Leaves the block after this instruction, by the slow way.
  block_exit<X>* leave(const operation<X>* at, X pc, bool is_executed);
  bool load_parts(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value);
  bool store_parts(const operation<X>* at, X address, unsigned bytes, std::uint64_t value);
  // Aligned; false where nobody answers.
  bool read(const operation<X>* at, X address, unsigned bytes, std::uint64_t& value);
  bool write(const operation<X>* at, X address, unsigned bytes, std::uint64_t value);
  bool modify_on_bus(const operation<X>* at, const atomic_access& access, std::uint64_t& before);
  // True: `x[rd]` is set. False: a trap has been taken.
  template <class T>
  bool load_reserved(const operation<X>* at, X address);
  template <class T>
  bool store_conditional(const operation<X>* at, X address);
  template <class T>
  bool exchange(const operation<X>* at, const atomic_access& access, T& before);
  template <class T>
  bool modify(const operation<X>* at, opcode op, X address);
  // One instruction, whatever breakpoint is there.
  void execute_one();
  stop_reason end_step();
  bool is_on_watched_page(X address) const;
  bool is_store_watched(X address) const;
  // True: a debugger wants to stop before this access, leave by way of trapped().
  bool stop_before_access(const operation<X>* at, X address, unsigned bytes, bool loads,
                          bool stores);
  block_exit<X>* stop_before(const operation<X>* at, stop_reason why);
  bool refuse(const operation<X>* at, trap_cause cause, X address) {
    take_trap(at, cause, address);
    return false;
  }

  hart_bus& bus_;
  const cycle_costs costs_;
  const bool serves_misaligned_;
  block<X>* current_ = nullptr;
  const operation<X>* calling_ = nullptr;  // the bus, right now
  X pc_ = 0;
  block_exit<X> detour_;  // of whatever leaves a block in an unusual way
  direct_pages<X> readable_, writable_;
  std::vector<X> watched_pages_;  // whose stores the bus wants to see
  std::array<known_block, known_blocks> known_;
  std::unordered_map<X, std::unique_ptr<block<X>>> blocks_;
  csr_file<X> csrs_{floats};
  stop_reason stop_ = stop_reason::cycles;
  bool is_stopped_ = false;
  bool is_code_stale_ = false;
  bool traces_instructions_ = false;
  X reserved_address_ = 0;
  std::uint64_t reserved_value_ = 0;
  unsigned reserved_bytes_ = 0;
  bool is_reserved_ = false;

  // Debugging
  std::vector<std::uint64_t> breakpoints_;  // sorted
  std::vector<watched_range> watches_;
  std::unique_ptr<block<X>> lone_;  // one instruction
  bool is_leaving_ = false;
  bool is_rejoining_ = false;      // the block goes on after it was left
  bool is_inside_block_ = false;   // where the debugger stopped it
  bool is_at_breakpoint_ = false;  // which has been reported
  bool is_at_watch_ = false;       // likewise
  bool is_passing_watch_ = false;
};

extern template class hart<std::uint32_t>;
extern template class hart<std::uint64_t>;

}  // namespace heddle::rv
