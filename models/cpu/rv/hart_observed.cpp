// What a hart tells its observer.
#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {
namespace {

constexpr bool is_link(std::uint8_t number) {
  constexpr std::uint8_t ra = 1, t0 = 5;
  return number == ra || number == t0;
}

// As the hints of the calling convention say.
constexpr jump_kind kind_of(const instruction& jump) {
  if (is_link(jump.rd)) return jump_kind::call;
  return jump.op == opcode::jalr && is_link(jump.rs1) ? jump_kind::leave : jump_kind::plain;
}

}  // namespace

template <class X>
void hart<X>::tell_observer(const block_exit<X>* way) {
  left_block left;
  left.pc = current_->pc;
  left.end = current_->end;
  left.to = way->pc;
  left.cycles = cycles_;
  left.cycles_inside = way->cycles;
  left.instructions = way->instructions;
  left.details = &current_->details;
  const instruction& last = current_->details.back().source;
  const bool is_jump = class_of(last.op) == instruction_class::jump && way != &detour_ &&
                       way == current_->operations.back().exit;
  if (is_jump) left.kind = kind_of(last);
  if (last.op == opcode::mret && way == &detour_ &&
      way->instructions == current_->operations.size())
    left.kind = jump_kind::leave_trap;
  if (left.kind == jump_kind::call) left.link = way->return_address;
  observer_->leaves(left);
}

template <class X>
handler<X> hart<X>::report(const operation<X>* at) {
  const operation_detail& here = detail(at);
  observer_->begins({here.source, static_cast<X>(current_->pc + static_cast<X>(here.pc_offset)),
                     cycles_ + here.cycles_before});
  return current_->untraced[index(at)];
}

template <class X>
void hart<X>::trace_instructions(bool wanted) {
  if (wanted == traces_instructions_) return;
  traces_instructions_ = wanted;
  refetch();
}

template void hart<std::uint32_t>::tell_observer(const block_exit<std::uint32_t>*);
template handler<std::uint32_t> hart<std::uint32_t>::report(const operation<std::uint32_t>*);
template void hart<std::uint32_t>::trace_instructions(bool);
template void hart<std::uint64_t>::tell_observer(const block_exit<std::uint64_t>*);
template handler<std::uint64_t> hart<std::uint64_t>::report(const operation<std::uint64_t>*);
template void hart<std::uint64_t>::trace_instructions(bool);

}  // namespace heddle::rv
