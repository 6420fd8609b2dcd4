#include "models/cpu/rv/handlers.hpp"

#include <cstring>
#include <type_traits>

#include "models/cpu/rv/arithmetic.hpp"
#include "models/cpu/rv/float_handlers.hpp"
#include "models/cpu/rv/handler_steps.hpp"

namespace heddle::rv {
namespace {

namespace calc = arithmetic;

template <class X, X (*compute)(X, X)>
result<X> with_register(hart<X>& h, const operation<X>* at) {
  h.x[at->rd] = compute(h.x[at->rs1], h.x[at->rs2]);
  return next(h, at);
}

template <class X, X (*compute)(X, X)>
result<X> with_immediate(hart<X>& h, const operation<X>* at) {
  h.x[at->rd] = compute(h.x[at->rs1], at->immediate);
  return next(h, at);
}

template <class X>
result<X> load_immediate(hart<X>& h, const operation<X>* at) {
  h.x[at->rd] = at->immediate;
  return next(h, at);
}

template <class X, bool (*holds)(X, X)>
result<X> branch(hart<X>& h, const operation<X>* at) {
  if (holds(h.x[at->rs1], h.x[at->rs2])) return at->exit;
  return next(h, at);
}

template <class X>
result<X> jump(hart<X>& h, const operation<X>* at) {
  h.x[at->rd] = at->exit->return_address;
  return at->exit;
}

// The exit remembers where it led the last time.
template <class X>
result<X> jump_to_register(hart<X>& h, const operation<X>* at) {
  block_exit<X>* exit = at->exit;
  const X target = (h.x[at->rs1] + exit->offset) & ~X{1};
  h.x[at->rd] = exit->return_address;
  if (exit->pc != target) {
    exit->pc = target;
    exit->to = h.find_known(target);
  }
  return exit;
}

template <class X>
result<X> end(hart<X>&, const operation<X>* at) {
  return at->exit;
}

// T as a register holds it.
template <class X, class T>
X extended(T value) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<X>(static_cast<std::make_signed_t<X>>(value));
  return static_cast<X>(value);
}

template <class X, class T>
[[gnu::noinline]] result<X> load_slowly(hart<X>& h, const operation<X>* at) {
  std::uint64_t value = 0;
  if (!h.load_slowly(at, h.x[at->rs1] + at->immediate, sizeof(T), value)) return h.trapped();
  h.x[at->rd] = extended<X>(static_cast<T>(value));
  return proceed(h, at);
}

template <class X, class T>
result<X> load(hart<X>& h, const operation<X>* at) {
  const unsigned char* bytes = h.readable().template find<T>(h.x[at->rs1] + at->immediate);
  if (!bytes) return load_slowly<X, T>(h, at);
  T value;
  std::memcpy(&value, bytes, sizeof value);
  h.x[at->rd] = extended<X>(value);
  return next(h, at);
}

template <class X, class T>
[[gnu::noinline]] result<X> store_slowly(hart<X>& h, const operation<X>* at) {
  const X address = h.x[at->rs1] + at->immediate;
  const T value = static_cast<T>(h.x[at->rs2]);
  if (!h.store_slowly(at, address, sizeof(T), value)) return h.trapped();
  return proceed(h, at);
}

template <class X, class T>
result<X> store(hart<X>& h, const operation<X>* at) {
  unsigned char* bytes = h.writable().template find<T>(h.x[at->rs1] + at->immediate);
  if (!bytes) return store_slowly<X, T>(h, at);
  const T value = static_cast<T>(h.x[at->rs2]);
  std::memcpy(bytes, &value, sizeof value);
  return next(h, at);
}

template <class X>
result<X> atomic(hart<X>& h, const operation<X>* at) {
  return h.run_atomic(at);
}

template <class X>
result<X> fence(hart<X>& h, const operation<X>* at) {
  h.fence_as_encoded(at);
  return proceed(h, at);
}

template <class X>
result<X> access_csr(hart<X>& h, const operation<X>* at) {
  return h.access_csr(at);
}

template <class X, trap_cause cause>
result<X> trap(hart<X>& h, const operation<X>* at) {
  return h.trap(at, cause, at->immediate);
}

template <class X>
result<X> return_from_trap(hart<X>& h, const operation<X>* at) {
  return h.return_from_trap(at);
}

template <class X>
result<X> wait_for_interrupt(hart<X>& h, const operation<X>* at) {
  return h.wait_for_interrupt(at);
}

template <class X>
result<X> synchronize_code(hart<X>& h, const operation<X>* at) {
  return h.synchronize_code(at);
}

template <class X>
result<X> stop_at_breakpoint(hart<X>& h, const operation<X>* at) {
  return h.stop_at_breakpoint(at);
}

template <class X>
result<X> report(hart<X>& h, const operation<X>* at) {
  return h.report(at)(h, at);
}

template <class X>
handler<X> between_registers(opcode op) {
  using word = std::uint32_t;
  switch (op) {
    case opcode::add:
      return with_register<X, calc::add<X>>;
    case opcode::sub:
      return with_register<X, calc::sub<X>>;
    case opcode::sll:
      return with_register<X, calc::sll<X>>;
    case opcode::slt:
      return with_register<X, calc::slt<X>>;
    case opcode::sltu:
      return with_register<X, calc::sltu<X>>;
    case opcode::xor_:
      return with_register<X, calc::bit_xor<X>>;
    case opcode::srl:
      return with_register<X, calc::srl<X>>;
    case opcode::sra:
      return with_register<X, calc::sra<X>>;
    case opcode::or_:
      return with_register<X, calc::bit_or<X>>;
    case opcode::and_:
      return with_register<X, calc::bit_and<X>>;
    case opcode::mul:
      return with_register<X, calc::mul<X>>;
    case opcode::mulh:
      return with_register<X, calc::mulh<X>>;
    case opcode::mulhsu:
      return with_register<X, calc::mulhsu<X>>;
    case opcode::mulhu:
      return with_register<X, calc::mulhu<X>>;
    case opcode::div:
      return with_register<X, calc::div<X>>;
    case opcode::divu:
      return with_register<X, calc::divu<X>>;
    case opcode::rem:
      return with_register<X, calc::rem<X>>;
    case opcode::remu:
      return with_register<X, calc::remu<X>>;
    case opcode::addw:
      return with_register<X, calc::on_words<calc::add<word>, X>>;
    case opcode::subw:
      return with_register<X, calc::on_words<calc::sub<word>, X>>;
    case opcode::sllw:
      return with_register<X, calc::on_words<calc::sll<word>, X>>;
    case opcode::srlw:
      return with_register<X, calc::on_words<calc::srl<word>, X>>;
    case opcode::sraw:
      return with_register<X, calc::on_words<calc::sra<word>, X>>;
    case opcode::mulw:
      return with_register<X, calc::on_words<calc::mul<word>, X>>;
    case opcode::divw:
      return with_register<X, calc::on_words<calc::div<word>, X>>;
    case opcode::divuw:
      return with_register<X, calc::on_words<calc::divu<word>, X>>;
    case opcode::remw:
      return with_register<X, calc::on_words<calc::rem<word>, X>>;
    case opcode::remuw:
      return with_register<X, calc::on_words<calc::remu<word>, X>>;
    default:
      return nullptr;
  }
}

template <class X>
handler<X> with_constant(opcode op) {
  using word = std::uint32_t;
  switch (op) {
    case opcode::lui:
    case opcode::auipc:
      return load_immediate<X>;
    case opcode::addi:
      return with_immediate<X, calc::add<X>>;
    case opcode::slti:
      return with_immediate<X, calc::slt<X>>;
    case opcode::sltiu:
      return with_immediate<X, calc::sltu<X>>;
    case opcode::xori:
      return with_immediate<X, calc::bit_xor<X>>;
    case opcode::ori:
      return with_immediate<X, calc::bit_or<X>>;
    case opcode::andi:
      return with_immediate<X, calc::bit_and<X>>;
    case opcode::slli:
      return with_immediate<X, calc::sll<X>>;
    case opcode::srli:
      return with_immediate<X, calc::srl<X>>;
    case opcode::srai:
      return with_immediate<X, calc::sra<X>>;
    case opcode::addiw:
      return with_immediate<X, calc::on_words<calc::add<word>, X>>;
    case opcode::slliw:
      return with_immediate<X, calc::on_words<calc::sll<word>, X>>;
    case opcode::srliw:
      return with_immediate<X, calc::on_words<calc::srl<word>, X>>;
    case opcode::sraiw:
      return with_immediate<X, calc::on_words<calc::sra<word>, X>>;
    default:
      return nullptr;
  }
}

template <class X>
handler<X> with_memory(opcode op) {
  switch (op) {
    case opcode::lb:
      return load<X, std::int8_t>;
    case opcode::lh:
      return load<X, std::int16_t>;
    case opcode::lw:
      return load<X, std::int32_t>;
    case opcode::ld:
      return load<X, std::uint64_t>;
    case opcode::lbu:
      return load<X, std::uint8_t>;
    case opcode::lhu:
      return load<X, std::uint16_t>;
    case opcode::lwu:
      return load<X, std::uint32_t>;
    case opcode::sb:
      return store<X, std::uint8_t>;
    case opcode::sh:
      return store<X, std::uint16_t>;
    case opcode::sw:
      return store<X, std::uint32_t>;
    case opcode::sd:
      return store<X, std::uint64_t>;
    default:
      return is_between(op, opcode::lr_w, opcode::amomaxu_d) ? atomic<X> : nullptr;
  }
}

template <class X>
handler<X> of_control(opcode op) {
  switch (op) {
    case opcode::jal:
      return jump<X>;
    case opcode::jalr:
      return jump_to_register<X>;
    case opcode::beq:
      return branch<X, calc::eq<X>>;
    case opcode::bne:
      return branch<X, calc::ne<X>>;
    case opcode::blt:
      return branch<X, calc::lt<X>>;
    case opcode::bge:
      return branch<X, calc::ge<X>>;
    case opcode::bltu:
      return branch<X, calc::ltu<X>>;
    case opcode::bgeu:
      return branch<X, calc::geu<X>>;
    case opcode::fence:
      return fence<X>;
    case opcode::fence_i:
      return synchronize_code<X>;
    case opcode::ecall:
      return trap<X, trap_cause::machine_ecall>;
    case opcode::ebreak:
      return trap<X, trap_cause::breakpoint>;
    case opcode::mret:
      return return_from_trap<X>;
    case opcode::wfi:
      return wait_for_interrupt<X>;
    case opcode::illegal:
      return trap<X, trap_cause::illegal_instruction>;
    default:
      return is_between(op, opcode::csrrw, opcode::csrrci) ? access_csr<X> : nullptr;
  }
}

}  // namespace

template <class X>
handler<X> handler_of(opcode op) {
  for (const auto group :
       {between_registers<X>, with_constant<X>, with_memory<X>, of_control<X>, float_handler_of<X>})
    if (const handler<X> found = group(op)) return found;
  return trap<X, trap_cause::illegal_instruction>;
}

template <class X>
handler<X> handler_of_end() {
  return end<X>;
}

template <class X>
handler<X> handler_of_missing_code() {
  return trap<X, trap_cause::fetch_access>;
}

template <class X>
handler<X> handler_of_idle_loop() {
  return wait_for_interrupt<X>;
}

template <class X>
handler<X> handler_of_breakpoint() {
  return stop_at_breakpoint<X>;
}

template <class X>
handler<X> handler_of_report() {
  return report<X>;
}

template handler<std::uint32_t> handler_of<std::uint32_t>(opcode);
template handler<std::uint64_t> handler_of<std::uint64_t>(opcode);
template handler<std::uint32_t> handler_of_end<std::uint32_t>();
template handler<std::uint64_t> handler_of_end<std::uint64_t>();
template handler<std::uint32_t> handler_of_missing_code<std::uint32_t>();
template handler<std::uint64_t> handler_of_missing_code<std::uint64_t>();
template handler<std::uint32_t> handler_of_idle_loop<std::uint32_t>();
template handler<std::uint64_t> handler_of_idle_loop<std::uint64_t>();
template handler<std::uint32_t> handler_of_breakpoint<std::uint32_t>();
template handler<std::uint64_t> handler_of_breakpoint<std::uint64_t>();
template handler<std::uint32_t> handler_of_report<std::uint32_t>();
template handler<std::uint64_t> handler_of_report<std::uint64_t>();

}  // namespace heddle::rv
