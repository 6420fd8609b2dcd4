// Arithmetic of IEEE 754 in integers: every rounding mode, every exception, bit for bit. Tininess
// is detected after rounding and every NaN result is the canonical one, as RISC-V has them.
#pragma once

#include <cstdint>

#include "models/cpu/rv/fp/float_format.hpp"

namespace heddle::rv::fp {

template <class B>
B soft_add(B a, B b, status& s);
template <class B>
B soft_sub(B a, B b, status& s);
template <class B>
B soft_mul(B a, B b, status& s);
template <class B>
B soft_div(B a, B b, status& s);
template <class B>
B soft_sqrt(B a, status& s);
// a b + c, rounded once.
template <class B>
B soft_fma(B a, B b, B c, status& s);

// -0 is less than +0; of one NaN and a number the number.
template <class B>
B minimum(B a, B b, status& s);
template <class B>
B maximum(B a, B b, status& s);
template <class B>
bool equal(B a, B b, status& s);  // only a signaling NaN is invalid
template <class B>
bool less(B a, B b, status& s);  // any NaN is
template <class B>
bool less_or_equal(B a, B b, status& s);

// As the mask that FCLASS gives.
template <class B>
std::uint32_t classify(B a);

template <class To, class From>
To convert(From a, status& s);

// An integer of `bits` bits, sign-extended to 64. What does not fit is invalid and gives the
// nearest that does, a NaN the largest.
template <class B>
std::uint64_t to_integer(B a, int bits, bool is_signed, status& s);
template <class B>
B from_signed(std::int64_t a, status& s);
template <class B>
B from_unsigned(std::uint64_t a, status& s);

}  // namespace heddle::rv::fp
