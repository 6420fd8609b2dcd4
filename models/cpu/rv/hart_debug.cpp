// What a debugger asks of a hart: to stop at an instruction, after it, or after an access.
#include <algorithm>

#include "models/cpu/rv/block_builder.hpp"
#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {

template <class X>
void hart<X>::set_breakpoints(const std::vector<std::uint64_t>& addresses) {
  std::vector<std::uint64_t> sorted(addresses);
  std::sort(sorted.begin(), sorted.end());
  if (sorted == breakpoints_) return;
  breakpoints_ = std::move(sorted);
  refetch();
}

template <class X>
void hart<X>::set_watches(const std::vector<watched_range>& ranges) {
  if (ranges == watches_) return;
  watches_ = ranges;
  forget_direct_pages();
}

template <class X>
void hart<X>::stop_after_one() {
  is_one_wanted_ = true;
  is_at_handler_ = false;
  if (calling_) is_leaving_ = true;
}

template <class X>
void hart<X>::refetch() {
  forget_code();
  if (calling_) is_leaving_ = true;
}

template <class X>
void hart<X>::execute_one() {
  is_passing_watch_ = is_at_watch_;
  is_at_breakpoint_ = is_at_watch_ = false;
  lone_ = build_instruction<X>(pc_, bus_, costs_, traces_instructions_);
  current_ = lone_.get();
  const operation<X>* first = current_->operations.data();
  const block_exit<X>* way = first->run(*this, first);
  cycles_ += way->cycles;
  instructions_ += way->instructions;
  if (observer_) tell_observer(way);
  pc_ = way->pc;
  is_inside_block_ = is_rejoining_ || (lone_->has_end && way == lone_->operations.back().exit) ||
                     (is_stopped_ && is_of_debugger(stop_));
  is_rejoining_ = is_passing_watch_ = false;
}

template <class X>
stop_reason hart<X>::end_step() {
  is_one_wanted_ = false;
  is_rejoining_ = false;
  return stop_reason::step;
}

template <class X>
block_exit<X>* hart<X>::leave_after(const operation<X>* at) {
  is_leaving_ = false;
  is_inside_block_ = true;
  if (is_one_wanted_) {
    stop_ = stop_reason::step;
    is_stopped_ = true;
    is_one_wanted_ = false;
  } else {
    is_rejoining_ = true;
  }
  const operation_detail& here = detail(at);
  return leave(at, current_->pc + static_cast<X>(here.pc_offset) + here.source.bytes, true);
}

template <class X>
block_exit<X>* hart<X>::stop_before(const operation<X>* at, stop_reason why) {
  stop_ = why;
  is_stopped_ = is_inside_block_ = true;
  return leave(at, current_->pc + static_cast<X>(detail(at).pc_offset), false);
}

template <class X>
block_exit<X>* hart<X>::stop_at_breakpoint(const operation<X>* at) {
  is_at_breakpoint_ = true;
  return stop_before(at, stop_reason::breakpoint);
}

template <class X>
bool hart<X>::is_on_watched_page(X address) const {
  const std::uint64_t page = address / hart_bus::page_bytes;
  for (const watched_range& each : watches_)
    if (each.address / hart_bus::page_bytes <= page &&
        page <= (each.address + each.bytes - 1) / hart_bus::page_bytes)
      return true;
  return false;
}

template <class X>
bool hart<X>::stop_before_access(const operation<X>* at, X address, unsigned bytes, bool loads,
                                 bool stores) {
  if (is_passing_watch_) return false;
  for (const watched_range& each : watches_) {
    if (!(loads && each.loads) && !(stores && each.stores)) continue;
    // Differences: the sum of address and length may be 2^64.
    const bool meets = address - each.address < each.bytes || each.address - address < bytes;
    if (!meets) continue;
    watch_hit_ = {each, std::max<std::uint64_t>(address, each.address)};
    is_at_watch_ = true;
    stop_before(at, stop_reason::watch);
    return true;
  }
  return false;
}

template void hart<std::uint32_t>::set_breakpoints(const std::vector<std::uint64_t>&);
template void hart<std::uint32_t>::set_watches(const std::vector<watched_range>&);
template void hart<std::uint32_t>::stop_after_one();
template void hart<std::uint32_t>::refetch();
template void hart<std::uint32_t>::execute_one();
template stop_reason hart<std::uint32_t>::end_step();
template block_exit<std::uint32_t>* hart<std::uint32_t>::leave_after(
    const operation<std::uint32_t>*);
template block_exit<std::uint32_t>* hart<std::uint32_t>::stop_at_breakpoint(
    const operation<std::uint32_t>*);
template bool hart<std::uint32_t>::is_on_watched_page(std::uint32_t) const;
template bool hart<std::uint32_t>::stop_before_access(const operation<std::uint32_t>*,
                                                      std::uint32_t, unsigned, bool, bool);
template block_exit<std::uint32_t>* hart<std::uint32_t>::stop_before(
    const operation<std::uint32_t>*, stop_reason);
template void hart<std::uint64_t>::set_breakpoints(const std::vector<std::uint64_t>&);
template void hart<std::uint64_t>::set_watches(const std::vector<watched_range>&);
template void hart<std::uint64_t>::stop_after_one();
template void hart<std::uint64_t>::refetch();
template void hart<std::uint64_t>::execute_one();
template stop_reason hart<std::uint64_t>::end_step();
template block_exit<std::uint64_t>* hart<std::uint64_t>::leave_after(
    const operation<std::uint64_t>*);
template block_exit<std::uint64_t>* hart<std::uint64_t>::stop_at_breakpoint(
    const operation<std::uint64_t>*);
template bool hart<std::uint64_t>::is_on_watched_page(std::uint64_t) const;
template bool hart<std::uint64_t>::stop_before_access(const operation<std::uint64_t>*,
                                                      std::uint64_t, unsigned, bool, bool);
template block_exit<std::uint64_t>* hart<std::uint64_t>::stop_before(
    const operation<std::uint64_t>*, stop_reason);

}  // namespace heddle::rv
