// Load-reserved, store-conditional and the read-modify-write instructions. `rl` waits for what has
// been posted before; `aq` needs nothing but an answer, since nothing overtakes a blocking access.
#include <type_traits>

#include "models/cpu/rv/atomic_opcodes.hpp"
#include "models/cpu/rv/hart.hpp"

namespace heddle::rv {
namespace {

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
  reserved_bytes_ = sizeof(T);
  reserved_value_ = static_cast<T>(value);
  x[at->rd] = extended<X>(static_cast<T>(value));
  return true;
}

// Nobody else runs between the read and the write of direct memory; elsewhere the target does both.
template <class X>
template <class T>
bool hart<X>::exchange(const operation<X>* at, const atomic_access& access, T& before) {
  const X address = static_cast<X>(access.address);
  std::uint64_t found = 0;
  if (bus_.direct_page(address)) {
    read(at, address, sizeof(T), found);
    before = static_cast<T>(found);
    const T after = performed(access.operation, before, static_cast<T>(access.operand),
                              static_cast<T>(access.expected));
    const bool is_kept =
        access.operation == atomic_operation::compare_and_swap && before != access.expected;
    return is_kept || write(at, address, sizeof(T), after);
  }
  const bool is_done = modify_on_bus(at, access, found);
  before = static_cast<T>(found);
  return is_done;
}

template <class X>
template <class T>
bool hart<X>::store_conditional(const operation<X>* at, X address) {
  const T value = static_cast<T>(x[at->rs2]);
  const T expected = static_cast<T>(reserved_value_);
  bool succeeds = is_reserved_ && reserved_address_ == address && reserved_bytes_ == sizeof(T);
  is_reserved_ = false;
  if (succeeds) {
    T before = 0;
    if (!exchange<T>(at, {address, sizeof(T), atomic_operation::compare_and_swap, value, expected},
                     before))
      return refuse(at, trap_cause::store_access, address);
    succeeds = before == expected;
  }
  x[at->rd] = succeeds ? 0 : 1;
  return true;
}

template <class X>
template <class T>
bool hart<X>::modify(const operation<X>* at, opcode op, X address) {
  const T operand = static_cast<T>(x[at->rs2]);
  T before = 0;
  if (!exchange<T>(at, {address, sizeof(T), operation_of(op), operand, 0}, before))
    return refuse(at, trap_cause::store_access, address);
  x[at->rd] = extended<X>(before);
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
  if (releases(detail(at).source)) fence(at);
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
