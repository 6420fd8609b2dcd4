// Load-reserved, store-conditional and the read-modify-write instructions.
#include <cstring>
#include <type_traits>

#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {
namespace {

constexpr opcode as_word(opcode op) {
  constexpr int apart = static_cast<int>(opcode::lr_d) - static_cast<int>(opcode::lr_w);
  return op >= opcode::lr_d ? static_cast<opcode>(static_cast<int>(op) - apart) : op;
}

template <class T>
T modified(opcode op, T before, T operand) {
  using signed_t = std::make_signed_t<T>;
  const bool is_less = static_cast<signed_t>(before) < static_cast<signed_t>(operand);
  switch (as_word(op)) {
    case opcode::amoswap_w:
      return operand;
    case opcode::amoadd_w:
      return before + operand;
    case opcode::amoxor_w:
      return before ^ operand;
    case opcode::amoand_w:
      return before & operand;
    case opcode::amoor_w:
      return before | operand;
    case opcode::amomin_w:
      return is_less ? before : operand;
    case opcode::amomax_w:
      return is_less ? operand : before;
    case opcode::amominu_w:
      return before < operand ? before : operand;
    default:
      return before < operand ? operand : before;
  }
}

template <class X, class T>
X extended(T value) {
  return static_cast<X>(
      static_cast<std::make_signed_t<X>>(static_cast<std::make_signed_t<T>>(value)));
}

}  // namespace

template <class X>
template <class T>
bool hart<X>::load_reserved(const operation<X>* at, X address) {
  if (address % sizeof(T) != 0) return refuse(at, trap_cause::load_misaligned, address);
  std::uint64_t value = 0;
  if (!read(at, address, sizeof(T), value)) return refuse(at, trap_cause::load_access, address);
  is_reserved_ = true;
  reserved_address_ = address;
  reserved_value_ = static_cast<T>(value);
  x[at->rd] = extended<X>(static_cast<T>(value));
  return true;
}

template <class X>
template <class T>
bool hart<X>::store_conditional(const operation<X>* at, X address) {
  const T value = static_cast<T>(x[at->rs2]);
  bool succeeds = is_reserved_ && reserved_address_ == address;
  is_reserved_ = false;
  if (succeeds) {
    std::uint64_t now = 0;
    if (!read(at, address, sizeof(T), now)) return refuse(at, trap_cause::store_access, address);
    succeeds = static_cast<T>(now) == reserved_value_;
  }
  if (succeeds && !write(at, address, sizeof(T), value))
    return refuse(at, trap_cause::store_access, address);
  x[at->rd] = succeeds ? 0 : 1;
  return true;
}

template <class X>
template <class T>
bool hart<X>::modify(const operation<X>* at, opcode op, X address) {
  const T operand = static_cast<T>(x[at->rs2]);
  std::uint64_t before = operand;
  const bool is_wide_add = as_word(op) == opcode::amoadd_w && sizeof(T) == 8;
  if (is_wide_add && !bus_.direct_page(address)) {
    if (!add_on_bus(at, address, before)) return refuse(at, trap_cause::store_access, address);
  } else {
    if (!read(at, address, sizeof(T), before)) return refuse(at, trap_cause::store_access, address);
    const T after = modified<T>(op, static_cast<T>(before), operand);
    if (!write(at, address, sizeof(T), after)) return refuse(at, trap_cause::store_access, address);
  }
  x[at->rd] = extended<X>(static_cast<T>(before));
  return true;
}

template <class X>
block_exit<X>* hart<X>::run_atomic(const operation<X>* at) {
  const opcode op = detail(at).source.op;
  const X address = x[at->rs1];
  const bool is_double = op >= opcode::lr_d;
  const bool loads = as_word(op) != opcode::sc_w && at->rd != sink;
  if (stop_before_access(at, address, is_double ? 8 : 4, loads, as_word(op) != opcode::lr_w))
    return &detour_;
  bool is_done = false;
  if (as_word(op) == opcode::lr_w)
    is_done = is_double ? load_reserved<std::uint64_t>(at, address)
                        : load_reserved<std::uint32_t>(at, address);
  else if (address % (is_double ? 8 : 4) != 0)
    is_done = refuse(at, trap_cause::store_misaligned, address);
  else if (as_word(op) == opcode::sc_w)
    is_done = is_double ? store_conditional<std::uint64_t>(at, address)
                        : store_conditional<std::uint32_t>(at, address);
  else
    is_done =
        is_double ? modify<std::uint64_t>(at, op, address) : modify<std::uint32_t>(at, op, address);
  if (!is_done) return &detour_;
  return is_leaving_ ? leave_after(at) : at[1].run(*this, at + 1);
}

template block_exit<std::uint32_t>* hart<std::uint32_t>::run_atomic(
    const operation<std::uint32_t>*);
template block_exit<std::uint64_t>* hart<std::uint64_t>::run_atomic(
    const operation<std::uint64_t>*);

}  // namespace heddle::rv
