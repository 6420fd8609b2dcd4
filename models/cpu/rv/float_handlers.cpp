#include "models/cpu/rv/float_handlers.hpp"

#include <cstring>

#include "models/cpu/rv/fp/float_arithmetic.hpp"
#include "models/cpu/rv/handler_steps.hpp"

namespace heddle::rv {
namespace {

using single = std::uint32_t;
using twofold = std::uint64_t;  // double precision
using fp::status;

// Sets the rounding mode that the instruction names, or that of frm. False: there is no such mode,
// or floating point is off.
template <class X>
bool begin(hart<X>& h, const operation<X>* at) {
  constexpr unsigned dynamic = 7, modes = 5;
  const unsigned mode = at->rounding == dynamic ? h.floats.frm : at->rounding;
  h.floats.state.mode = static_cast<fp::rounding>(mode);
  return h.floats.is_on && mode < modes;
}

template <class X, class B, B (*compute)(B, B, status&)>
result<X> with_two(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  h.floats.write(at->rd, compute(h.floats.template read<B>(at->rs1),
                                 h.floats.template read<B>(at->rs2), h.floats.state));
  return next(h, at);
}

template <class X, class B>
result<X> square_root(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  h.floats.write(at->rd, fp::sqrt(h.floats.template read<B>(at->rs1), h.floats.state));
  return next(h, at);
}

template <class X, class B, bool negates_product, bool negates_addend>
result<X> fused(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  const B a = h.floats.template read<B>(at->rs1) ^ (negates_product ? fp::sign_bit<B> : B{0});
  const B c = h.floats.template read<B>(at->rs3) ^ (negates_addend ? fp::sign_bit<B> : B{0});
  h.floats.write(at->rd, fp::fma(a, h.floats.template read<B>(at->rs2), c, h.floats.state));
  return next(h, at);
}

// Rounds nothing.
template <class X, class B, B (*choose)(B, B, status&)>
result<X> extreme(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  h.floats.write(at->rd, choose(h.floats.template read<B>(at->rs1),
                                h.floats.template read<B>(at->rs2), h.floats.state));
  return next(h, at);
}

template <class X, class B, bool (*holds)(B, B, status&)>
result<X> compare(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  h.x[at->rd] =
      holds(h.floats.template read<B>(at->rs1), h.floats.template read<B>(at->rs2), h.floats.state)
          ? 1
          : 0;
  return next(h, at);
}

enum class sign_rule { copied, inverted, combined };

template <class X, class B, sign_rule rule>
result<X> inject_sign(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  const B a = h.floats.template read<B>(at->rs1), b = h.floats.template read<B>(at->rs2);
  const B sign = (rule == sign_rule::copied     ? b
                  : rule == sign_rule::inverted ? static_cast<B>(~b)
                                                : a ^ b) &
                 fp::sign_bit<B>;
  h.floats.write(at->rd, static_cast<B>(fp::magnitude(a) | sign));
  return next(h, at);
}

template <class X, class B>
result<X> classify(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  h.x[at->rd] = fp::classify(h.floats.template read<B>(at->rs1));
  return next(h, at);
}

template <class X, class B, int bits, bool is_signed>
result<X> to_integer(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  h.x[at->rd] = static_cast<X>(
      fp::to_integer(h.floats.template read<B>(at->rs1), bits, is_signed, h.floats.state));
  return next(h, at);
}

// T: what the integer register holds.
template <class X, class B, class T>
result<X> from_integer(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  const T value = static_cast<T>(h.x[at->rs1]);
  h.floats.write(at->rd,
                 std::is_signed_v<T>
                     ? fp::from_signed<B>(static_cast<std::int64_t>(value), h.floats.state)
                     : fp::from_unsigned<B>(static_cast<std::uint64_t>(value), h.floats.state));
  return next(h, at);
}

template <class X, class To, class From>
result<X> convert(hart<X>& h, const operation<X>* at) {
  if (!begin(h, at)) return h.refuse_instruction(at);
  h.floats.write(at->rd, fp::convert<To>(h.floats.template read<From>(at->rs1), h.floats.state));
  return next(h, at);
}

// Bits as they are, whatever they mean.
template <class X, class B>
result<X> move_to_integer(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  const auto bits = static_cast<std::make_signed_t<B>>(h.floats.registers[at->rs1]);
  h.x[at->rd] = static_cast<X>(static_cast<std::make_signed_t<X>>(bits));
  return next(h, at);
}

template <class X, class B>
result<X> move_from_integer(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  h.floats.write(at->rd, static_cast<B>(h.x[at->rs1]));
  return next(h, at);
}

template <class X, class B>
[[gnu::noinline]] result<X> load_slowly(hart<X>& h, const operation<X>* at) {
  std::uint64_t value = 0;
  if (!h.load_slowly(at, h.x[at->rs1] + at->immediate, sizeof(B), value)) return h.trapped();
  h.floats.write(at->rd, static_cast<B>(value));
  return proceed(h, at);
}

template <class X, class B>
result<X> load(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  const unsigned char* bytes = h.readable().template find<B>(h.x[at->rs1] + at->immediate);
  if (!bytes) return load_slowly<X, B>(h, at);
  B value;
  std::memcpy(&value, bytes, sizeof value);
  h.floats.write(at->rd, value);
  return next(h, at);
}

template <class X, class B>
[[gnu::noinline]] result<X> store_slowly(hart<X>& h, const operation<X>* at) {
  const B value = static_cast<B>(h.floats.registers[at->rs2]);
  if (!h.store_slowly(at, h.x[at->rs1] + at->immediate, sizeof(B), value)) return h.trapped();
  return proceed(h, at);
}

template <class X, class B>
result<X> store(hart<X>& h, const operation<X>* at) {
  if (!h.floats.is_on) return h.refuse_instruction(at);
  unsigned char* bytes = h.writable().template find<B>(h.x[at->rs1] + at->immediate);
  if (!bytes) return store_slowly<X, B>(h, at);
  const B value = static_cast<B>(h.floats.registers[at->rs2]);
  std::memcpy(bytes, &value, sizeof value);
  return next(h, at);
}

// Opcodes of one precision, as those of the other are numbered.
template <class X, class B>
handler<X> computing(opcode op) {
  switch (op) {
    case opcode::fmadd_s:
      return fused<X, B, false, false>;
    case opcode::fmsub_s:
      return fused<X, B, false, true>;
    case opcode::fnmsub_s:
      return fused<X, B, true, false>;
    case opcode::fnmadd_s:
      return fused<X, B, true, true>;
    case opcode::fadd_s:
      return with_two<X, B, fp::add<B>>;
    case opcode::fsub_s:
      return with_two<X, B, fp::sub<B>>;
    case opcode::fmul_s:
      return with_two<X, B, fp::mul<B>>;
    case opcode::fdiv_s:
      return with_two<X, B, fp::div<B>>;
    case opcode::fsqrt_s:
      return square_root<X, B>;
    case opcode::fsgnj_s:
      return inject_sign<X, B, sign_rule::copied>;
    case opcode::fsgnjn_s:
      return inject_sign<X, B, sign_rule::inverted>;
    case opcode::fsgnjx_s:
      return inject_sign<X, B, sign_rule::combined>;
    case opcode::fmin_s:
      return extreme<X, B, fp::minimum<B>>;
    case opcode::fmax_s:
      return extreme<X, B, fp::maximum<B>>;
    case opcode::feq_s:
      return compare<X, B, fp::equal<B>>;
    case opcode::flt_s:
      return compare<X, B, fp::less<B>>;
    case opcode::fle_s:
      return compare<X, B, fp::less_or_equal<B>>;
    case opcode::fclass_s:
      return classify<X, B>;
    default:
      return nullptr;
  }
}

template <class X, class B>
handler<X> moving(opcode op) {
  switch (op) {
    case opcode::flw:
      return load<X, B>;
    case opcode::fsw:
      return store<X, B>;
    case opcode::fcvt_w_s:
      return to_integer<X, B, 32, true>;
    case opcode::fcvt_wu_s:
      return to_integer<X, B, 32, false>;
    case opcode::fcvt_l_s:
      return to_integer<X, B, 64, true>;
    case opcode::fcvt_lu_s:
      return to_integer<X, B, 64, false>;
    case opcode::fcvt_s_w:
      return from_integer<X, B, std::int32_t>;
    case opcode::fcvt_s_wu:
      return from_integer<X, B, std::uint32_t>;
    case opcode::fcvt_s_l:
      return from_integer<X, B, std::int64_t>;
    case opcode::fcvt_s_lu:
      return from_integer<X, B, std::uint64_t>;
    case opcode::fmv_x_w:
      return move_to_integer<X, B>;
    case opcode::fmv_w_x:
      return move_from_integer<X, B>;
    default:
      return nullptr;
  }
}

template <class X, class B>
handler<X> of_precision(opcode as_single) {
  const handler<X> found = computing<X, B>(as_single);
  return found ? found : moving<X, B>(as_single);
}

}  // namespace

template <class X>
handler<X> float_handler_of(opcode op) {
  if (op == opcode::fcvt_s_d) return convert<X, single, twofold>;
  if (op == opcode::fcvt_d_s) return convert<X, twofold, single>;
  if (is_between(op, opcode::flw, opcode::fmv_w_x)) return of_precision<X, single>(op);
  if (is_between(op, opcode::fld, opcode::fmv_d_x)) return of_precision<X, twofold>(single_of(op));
  return nullptr;
}

template handler<std::uint32_t> float_handler_of<std::uint32_t>(opcode);
template handler<std::uint64_t> float_handler_of<std::uint64_t>(opcode);

}  // namespace heddle::rv
