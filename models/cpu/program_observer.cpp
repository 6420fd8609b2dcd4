#include "models/cpu/program_observer.hpp"

namespace heddle {

std::unique_ptr<program_observer> program_observer::make(simulation& sim, const std::string& core,
                                                         rv::any_hart& hart,
                                                         const symbol_table& symbols, fs_t cycle,
                                                         trace_signal<std::string_view> function) {
  instruction_log* const log = instruction_log::of(sim, core);
  profile_directory& profiles = sim.service<profile_directory>();
  const bool is_profiled = profiles.wants(core);
  if (!log && !is_profiled && !function.enabled()) return nullptr;
  std::unique_ptr<program_observer> made(
      new program_observer(core, hart, symbols, cycle, function, log));
  if (is_profiled) profiles.sources.push_back(made.get());
  return made;
}

program_observer::program_observer(const std::string& core, rv::any_hart& hart,
                                   const symbol_table& symbols, fs_t cycle,
                                   trace_signal<std::string_view> function, instruction_log* log)
    : core_(core), hart_(hart), cycle_(cycle), stack_(symbols), extras_(stack_.function_count()) {
  if (log) lines_.emplace(*log, core, hart, symbols, cycle);
  if (function.enabled())
    stack_.on_change = [this, function](std::size_t which, std::uint64_t cycles) {
      function.set(stack_.name(which), std::max(now_fs(), cycles * cycle_), now_fs());
    };
  hart_.observe(this);
  stack_.start(hart_.pc());
}

void program_observer::look_ahead(fs_t now, fs_t quantum) {
  if (lines_) hart_.trace_instructions(lines_->wants(now, now + quantum));
}

void program_observer::begin_access() {
  access_begun_ = hart_.cycles();
  stack_.reach(hart_.current_pc(), access_begun_);
}

void program_observer::end_access() {
  function_extras& to = extras_[stack_.caller_of_hal()];
  ++to.accesses;
  to.access += (hart_.cycles() - access_begun_) * cycle_;
}

void program_observer::traps(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) {
  if (lines_) lines_->trap(pc, handler, cycles);
  stack_.trap(pc, handler, cycles);
}

void program_observer::rest() {
  if (lines_) lines_->finish();
}

void program_observer::break_off() {
  if (lines_) lines_->break_off();
}

void program_observer::trap_unhandled() {
  if (lines_) lines_->trap_unhandled();
}

std::vector<function_row> program_observer::profile() {
  stack_.finish(hart_.cycles());
  std::vector<function_row> rows;
  for (std::size_t i = 0; i < stack_.function_count(); ++i) {
    const function_cycles& cycles = stack_.of(i);
    if (cycles.calls == 0) continue;
    const function_extras& more = extras_[i];
    rows.push_back({stack_.name(i), cycles.calls, cycles.self * cycle_, cycles.total * cycle_,
                    cycles.self, cycles.total, more.accesses, more.access, more.poll, more.sleep});
  }
  return rows;
}

}  // namespace heddle
