#include "models/cpu/call_stack.hpp"

#include <algorithm>

namespace heddle {

call_stack::call_stack(const symbol_table& symbols)
    : symbols_(symbols),
      functions_(symbols.function_count() + 1),
      is_hal_(functions_.size()),
      active_(functions_.size()),
      entered_at_(functions_.size()),
      caller_(functions_.size()) {
  for (std::size_t i = 0; i < symbols.function_count(); ++i)
    is_hal_[i] = symbols.function_name(i).rfind("hal_", 0) == 0;
}

const std::string& call_stack::name(std::size_t function) const {
  static const std::string none = "(no symbol)";
  return function < symbols_.function_count() ? symbols_.function_name(function) : none;
}

// Makes it the innermost range.
std::size_t call_stack::function_at(std::uint64_t pc) {
  here_ = symbols_.range_at(pc);
  return std::min(here_.index, functions_.size() - 1);
}

void call_stack::start(std::uint64_t pc) {
  push(function_at(pc), 0, false, 0);
  find_caller(0);
}

void call_stack::leave_block(const rv::left_block& left) {
  if (left.end > here_.end) cut(left);
  if (left.kind == rv::jump_kind::plain && here_.holds(left.to)) return;
  if (left.kind == rv::jump_kind::call)
    push(function_at(left.to), left.link, false, left.cycles);
  else if (left.kind == rv::jump_kind::leave_trap)
    leave_trap(left.to, left.cycles);
  else if (left.kind == rv::jump_kind::plain || !return_to(left.to, left.cycles))
    go_on(left.to, left.cycles);
  find_caller(left.cycles);
}

// A block that runs from one function into the next, as assembly may.
void call_stack::cut(const rv::left_block& left) {
  for (std::size_t i = 0; i < left.instructions; ++i) {
    const rv::operation_detail& each = (*left.details)[i];
    const std::uint64_t pc = left.pc + each.pc_offset;
    if (here_.holds(pc)) continue;
    const std::uint64_t still = left.cycles_inside - each.cycles_before;
    const std::uint64_t begun = std::max(counted_to_, left.cycles - still);
    go_on(pc, begun);
    find_caller(begun);
  }
}

void call_stack::trap(std::uint64_t pc, std::uint64_t handler, std::uint64_t cycles) {
  reach(pc, cycles);
  push(function_at(handler), pc, true, cycles);
  find_caller(cycles);
}

void call_stack::reach(std::uint64_t pc, std::uint64_t cycles) {
  if (here_.holds(pc)) return;
  go_on(pc, cycles);
  find_caller(cycles);
}

// By a jump that is neither call nor return, as a tail call is.
void call_stack::go_on(std::uint64_t to, std::uint64_t cycles) {
  if (here_.holds(to) || return_to(to, cycles)) return;
  replace(function_at(to), cycles);
}

void call_stack::replace(std::size_t function, std::uint64_t cycles) {
  const frame left = frames_.back();
  pop(cycles);
  push(function, left.link, left.is_trap, cycles);
}

bool call_stack::return_to(std::uint64_t to, std::uint64_t cycles) {
  const auto found = std::find_if(frames_.rbegin(), frames_.rend(),
                                  [to](const frame& each) { return each.link == to; });
  if (found == frames_.rend() || to == 0) return false;
  unwind(static_cast<std::size_t>(frames_.rend() - found) - 1, to, cycles);
  return true;
}

// A handler often returns to the instruction behind the one that trapped, so the frame is found by
// its mark rather than by the address.
void call_stack::leave_trap(std::uint64_t to, std::uint64_t cycles) {
  const auto found = std::find_if(frames_.rbegin(), frames_.rend(),
                                  [](const frame& each) { return each.is_trap; });
  if (found == frames_.rend()) return go_on(to, cycles);
  unwind(static_cast<std::size_t>(frames_.rend() - found) - 1, to, cycles);
}

void call_stack::unwind(std::size_t kept, std::uint64_t to, std::uint64_t cycles) {
  while (frames_.size() > kept) pop(cycles);
  const std::size_t function = function_at(to);
  if (frames_.empty()) push(function, 0, false, cycles);
  if (frames_.back().function != function) replace(function, cycles);
}

void call_stack::push(std::size_t function, std::uint64_t link, bool is_trap,
                      std::uint64_t cycles) {
  count_self(cycles);
  if (frames_.size() == most_frames) {
    --active_[frames_.front().function];
    frames_.erase(frames_.begin());
  }
  frames_.push_back({function, link, is_trap});
  ++functions_[function].calls;
  if (active_[function]++ == 0) entered_at_[function] = cycles;
}

void call_stack::pop(std::uint64_t cycles) {
  count_self(cycles);
  const std::size_t function = frames_.back().function;
  frames_.pop_back();
  if (--active_[function] == 0) functions_[function].total += cycles - entered_at_[function];
}

void call_stack::count_self(std::uint64_t cycles) {
  if (!frames_.empty()) functions_[frames_.back().function].self += cycles - counted_to_;
  counted_to_ = cycles;
}

void call_stack::finish(std::uint64_t cycles) {
  while (!frames_.empty()) pop(cycles);
}

void call_stack::find_caller(std::uint64_t cycles) {
  std::size_t found = frames_.back().function;
  for (auto each = frames_.rbegin(); each != frames_.rend() && is_hal_[found]; ++each)
    found = each->function;
  if (found == caller_) return;
  caller_ = found;
  if (on_change) on_change(found, cycles);
}

}  // namespace heddle
