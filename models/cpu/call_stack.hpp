// Which function a program is in and who called it, told from its jumps: a jump that leaves ra or
// t0 behind is a call, one to where a call returns to is a return, any other one into another
// function goes on in place of it. A trap calls its handler.
//
// Limitations: functions are symbols: what the compiler inlined belongs to its caller.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/cpu/elf/symbol_table.hpp"
#include "models/cpu/rv/hart_observer.hpp"

namespace heddle {

struct function_cycles {
  std::uint64_t calls = 0;
  std::uint64_t self = 0;   // in the function itself
  std::uint64_t total = 0;  // and in what it calls; of a recursion, the outermost activation
};

class call_stack {
 public:
  // Functions as the symbol table counts them; the last one stands for code without a symbol.
  explicit call_stack(const symbol_table& symbols);

  void start(std::uint64_t pc);
  void leave_block(const rv::left_block& left);
  void trap(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles);
  // In the middle of a block.
  void reach(std::uint64_t pc, std::uint64_t cycles);
  void finish(std::uint64_t cycles);  // what is still under way counts up to here

  // The innermost function that is not part of the HAL, which says what it does for whom.
  std::size_t caller_of_hal() const { return caller_; }
  std::size_t function_count() const { return functions_.size(); }
  const std::string& name(std::size_t function) const;
  const function_cycles& of(std::size_t function) const { return functions_[function]; }

  // caller_of_hal() is another one since this cycle.
  std::function<void(std::size_t function, std::uint64_t cycles)> on_change;

 private:
  struct frame {
    std::size_t function = 0;
    std::uint64_t link = 0;
    bool is_trap = false;
  };
  static constexpr std::size_t most_frames = 1024;  // deeper ones fall out at the bottom

  std::size_t function_at(std::uint64_t pc);
  void cut(const rv::left_block& left);
  void go_on(std::uint64_t to, std::uint64_t cycles);
  bool return_to(std::uint64_t to, std::uint64_t cycles);
  void leave_trap(std::uint64_t to, std::uint64_t cycles);
  // Leaves all functions but the `kept` lowest of the stack; the program goes on at `to` in the
  // innermost of those.
  void unwind(std::size_t kept, std::uint64_t to, std::uint64_t cycles);
  void push(std::size_t function, std::uint64_t link, bool is_trap, std::uint64_t cycles);
  void pop(std::uint64_t cycles);
  void replace(std::size_t function, std::uint64_t cycles);
  void count_self(std::uint64_t cycles);
  void find_caller(std::uint64_t cycles);

  const symbol_table& symbols_;
  std::vector<function_cycles> functions_;
  std::vector<bool> is_hal_;
  std::vector<std::uint32_t> active_;      // how often on the stack
  std::vector<std::uint64_t> entered_at_;  // by the outermost activation
  std::vector<frame> frames_;
  function_range here_;  // of the innermost
  std::uint64_t counted_to_ = 0;
  std::size_t caller_ = 0;
};

}  // namespace heddle
