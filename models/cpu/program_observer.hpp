// Follows the program of an instruction-set core for those who want to know: the profile of its
// functions, the function in the wave, the lines of its instructions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/cpu/call_stack.hpp"
#include "models/cpu/instruction_lines.hpp"
#include "platform/run/function_profile.hpp"
#include "platform/trace/trace_signal.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {

class program_observer final : public profile_source, private rv::hart_observer {
 public:
  // Returns nullptr where nobody follows this core's program. All references must outlive the
  // object.
  static std::unique_ptr<program_observer> make(simulation& sim, const std::string& core,
                                                rv::any_hart& hart, const symbol_table& symbols,
                                                fs_t cycle,
                                                trace_signal<std::string_view> function);

  // Called before the core runs ahead for a quantum.
  void look_ahead(fs_t now, fs_t quantum);
  // Called before and after an access to the bus, in the middle of an instruction of the hart.
  void begin_access();
  void end_access();
  void add_poll(fs_t time) { extras_[stack_.caller_of_hal()].poll += time; }
  void add_sleep(fs_t time) { extras_[stack_.caller_of_hal()].sleep += time; }
  void rest();       // the instruction under way is done, for now or for ever
  void break_off();  // the program ends by a mistake
  void trap_unhandled();

  const std::string& profile_path() const override { return core_; }
  bool has_cycles() const override { return true; }
  std::vector<function_row> profile() override;

 private:
  struct function_extras {
    std::uint64_t accesses = 0;
    fs_t access = 0, poll = 0, sleep = 0;
  };

  program_observer(const std::string& core, rv::any_hart& hart, const symbol_table& symbols,
                   fs_t cycle, trace_signal<std::string_view> function, instruction_log* log);

  void leaves(const rv::left_block& left) override { stack_.leave_block(left); }
  void traps(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) override;
  void begins(const rv::begun_instruction& next) override { lines_->begin(next); }

  const std::string& core_;
  rv::any_hart& hart_;
  const fs_t cycle_;
  call_stack stack_;
  std::vector<function_extras> extras_;  // by function
  std::uint64_t access_begun_ = 0;       // cycles
  std::optional<instruction_lines> lines_;
};

}  // namespace heddle
