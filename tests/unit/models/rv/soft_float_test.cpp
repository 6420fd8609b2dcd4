// Arithmetic in integers, and by way of the host, against the host's own unit in every mode that it
// has, with random operands that often lie at the edges of the formats.
#include <catch2/catch.hpp>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>

#include "models/cpu/rv/fp/float_arithmetic.hpp"

using namespace heddle::rv::fp;

namespace {

struct outcome {
  std::uint64_t bits = 0;
  std::uint32_t flags = 0;
  bool operator==(const outcome& other) const { return bits == other.bits && flags == other.flags; }
};

std::ostream& operator<<(std::ostream& out, const outcome& of) {
  return out << std::hex << of.bits << " flags " << of.flags;
}

constexpr rounding host_modes[] = {rounding::nearest_even, rounding::toward_zero, rounding::down,
                                   rounding::up};

int host_mode(rounding mode) {
  switch (mode) {
    case rounding::toward_zero:
      return FE_TOWARDZERO;
    case rounding::down:
      return FE_DOWNWARD;
    case rounding::up:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

std::uint32_t host_flags() {
  const int raised = std::fetestexcept(FE_ALL_EXCEPT);
  std::uint32_t flags = 0;
  if (raised & FE_INEXACT) flags |= inexact;
  if (raised & FE_UNDERFLOW) flags |= underflow;
  if (raised & FE_OVERFLOW) flags |= overflow;
  if (raised & FE_DIVBYZERO) flags |= divided_by_zero;
  if (raised & FE_INVALID) flags |= invalid;
  return flags;
}

template <class B>
outcome canonical(B bits, std::uint32_t flags) {
  return {is_nan(bits) ? canonical_nan<B> : bits, flags};
}

// The operands are read behind the change of mode, the result is stored before the flags are asked.
template <class B, class Operation>
outcome on_host(rounding mode, Operation compute) {
  std::fesetround(host_mode(mode));
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile typename format<B>::host result = compute();
  const std::uint32_t flags = host_flags();
  std::fesetround(FE_TONEAREST);
  return canonical(from_host<B>(result), flags);
}

template <class B>
class operands {
 public:
  explicit operands(std::uint64_t seed) : random_(seed) {}

  // Exponents near each other or at the ends, fractions of few bits or many.
  B next() {
    const B sign = random_() % 2 == 0 ? 0 : sign_bit<B>;
    return sign | static_cast<B>(static_cast<B>(field()) << fraction_bits<B>) | fraction();
  }
  std::uint64_t any() { return random_(); }

 private:
  int field() {
    const int middle = format<B>::bias;
    switch (random_() % 8) {
      case 0:
        return static_cast<int>(random_() % 3);
      case 1:
        return largest_field<B> - static_cast<int>(random_() % 3);
      case 2:
        return static_cast<int>(random_() % (largest_field<B> + 1));
      case 3:
        return middle / 2 + static_cast<int>(random_() % 64);
      default:
        return middle + static_cast<int>(random_() % 64) - 32;
    }
  }
  B fraction() {
    const B all = static_cast<B>(random_()) & fraction_mask<B>;
    switch (random_() % 6) {
      case 0:
        return 0;
      case 1:
        return fraction_mask<B>;
      case 2:
        return B{1} << random_() % fraction_bits<B>;
      case 3:
        return all >> random_() % fraction_bits<B>;
      case 4:
        return static_cast<B>(all << random_() % fraction_bits<B>) & fraction_mask<B>;
      default:
        return all;
    }
  }

  std::mt19937_64 random_;
};

// `ours` takes a status; the host's flags are those of one operation from a clean state.
template <class B, class Ours>
outcome of_ours(rounding mode, std::uint32_t before, Ours compute) {
  status s{mode, before};
  const B bits = compute(s);
  return {bits, s.flags};
}

template <class B, class Ours, class Fast, class Host>
void compare(rounding mode, Ours soft, Fast fast, Host host) {
  const outcome wanted = on_host<B>(mode, host);
  REQUIRE(of_ours<B>(mode, 0, soft) == wanted);
  REQUIRE(of_ours<B>(mode, 0, fast) == wanted);
  REQUIRE(of_ours<B>(mode, inexact, fast) == outcome{wanted.bits, wanted.flags | inexact});
}

template <class B>
void compare_arithmetic(std::uint64_t seed, int rounds) {
  using host = typename format<B>::host;
  operands<B> source(seed);
  for (int i = 0; i < rounds; ++i) {
    const B a = source.next(), b = source.next();
    const volatile host x = to_host(a), y = to_host(b);
    for (const rounding mode : host_modes) {
      INFO(std::hex << +a << ", " << +b << " mode " << static_cast<int>(mode));
      compare<B>(
          mode, [&](status& s) { return soft_add(a, b, s); },
          [&](status& s) { return add(a, b, s); }, [&] { return x + y; });
      compare<B>(
          mode, [&](status& s) { return soft_sub(a, b, s); },
          [&](status& s) { return sub(a, b, s); }, [&] { return x - y; });
      compare<B>(
          mode, [&](status& s) { return soft_mul(a, b, s); },
          [&](status& s) { return mul(a, b, s); }, [&] { return x * y; });
      compare<B>(
          mode, [&](status& s) { return soft_div(a, b, s); },
          [&](status& s) { return div(a, b, s); }, [&] { return x / y; });
      compare<B>(
          mode, [&](status& s) { return soft_sqrt(a, s); }, [&](status& s) { return sqrt(a, s); },
          [&] { return std::sqrt(x); });
    }
  }
}

}  // namespace

TEST_CASE("single precision rounds and raises exceptions as the host does") {
  compare_arithmetic<std::uint32_t>(1, 30'000);
}

TEST_CASE("double precision rounds and raises exceptions as the host does") {
  compare_arithmetic<std::uint64_t>(2, 30'000);
}

// The host's product and sum of a NaN and 0 times infinity raise what they like.
TEMPLATE_TEST_CASE("a fused multiply-add rounds once", "", std::uint32_t, std::uint64_t) {
  using B = TestType;
  operands<B> source(3);
  for (int i = 0; i < 30'000; ++i) {
    const B a = source.next(), b = source.next(), c = source.next();
    const bool is_refused = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
    if (is_refused) continue;
    const volatile typename format<B>::host x = to_host(a), y = to_host(b), z = to_host(c);
    for (const rounding mode : host_modes) {
      INFO(std::hex << +a << ", " << +b << ", " << +c << " mode " << static_cast<int>(mode));
      compare<B>(
          mode, [&](status& s) { return soft_fma(a, b, c, s); },
          [&](status& s) { return fma(a, b, c, s); }, [&] { return std::fma(x, y, z); });
    }
  }
}

TEMPLATE_TEST_CASE("0 times infinity is invalid, also beside a quiet NaN", "", std::uint32_t,
                   std::uint64_t) {
  using B = TestType;
  status s;
  CHECK(soft_fma<B>(infinity<B>, 0, canonical_nan<B>, s) == canonical_nan<B>);
  CHECK(s.flags == invalid);
}

// Halfway between two numbers lies what has one bit more.
TEST_CASE("ties go away from zero where the mode says so") {
  operands<std::uint32_t> source(4);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint32_t a = source.next(), b = source.next();
    const double exact = static_cast<double>(to_host(a)) * static_cast<double>(to_host(b));
    status down{rounding::down, 0}, up{rounding::up, 0}, away{rounding::nearest_away, 0};
    const double below = to_host(soft_mul(a, b, down)), above = to_host(soft_mul(a, b, up));
    const double ours = to_host(soft_mul(a, b, away));
    if (!std::isfinite(exact) || !std::isfinite(below) || !std::isfinite(above)) continue;
    const double to_below = exact - below, to_above = above - exact;
    const bool takes_above = to_above < to_below || (to_above == to_below && exact > 0);
    INFO(std::hex << a << " times " << b);
    REQUIRE(ours == (takes_above ? above : below));
    REQUIRE(away.flags == down.flags);
  }
}

TEMPLATE_TEST_CASE("integers to floating point as the host does", "", std::uint32_t,
                   std::uint64_t) {
  using B = TestType;
  using host = typename format<B>::host;
  operands<B> source(5);
  for (int i = 0; i < 100'000; ++i) {
    const volatile std::int64_t number =
        static_cast<std::int64_t>(source.any()) >> source.any() % 64;
    for (const rounding mode : host_modes) {
      INFO(number << " mode " << static_cast<int>(mode));
      const auto ours = of_ours<B>(mode, 0, [&](status& s) { return from_signed<B>(number, s); });
      REQUIRE(ours == on_host<B>(mode, [&] { return static_cast<host>(number); }));
    }
    const volatile std::uint64_t positive = source.any() >> source.any() % 64;
    const auto ours = of_ours<B>(rounding::nearest_even, 0,
                                 [&](status& s) { return from_unsigned<B>(positive, s); });
    REQUIRE(ours.bits == from_host<B>(static_cast<host>(positive)));
  }
}

TEST_CASE("floating point to integers") {
  struct row {
    double from;
    rounding mode;
    int bits;
    bool is_signed;
    std::uint64_t to;
    std::uint32_t flags;
  };
  constexpr std::uint64_t minus1 = ~std::uint64_t{0};
  const double nan = std::nan("");
  const row rows[] = {
      {2.5, rounding::nearest_even, 32, true, 2, inexact},
      {2.5, rounding::nearest_away, 32, true, 3, inexact},
      {-2.5, rounding::nearest_away, 32, true, minus1 - 2, inexact},
      {2.5, rounding::up, 32, true, 3, inexact},
      {-2.5, rounding::up, 32, true, minus1 - 1, inexact},
      {-2.5, rounding::down, 32, true, minus1 - 2, inexact},
      {-2.9, rounding::toward_zero, 32, true, minus1 - 1, inexact},
      {7, rounding::nearest_even, 64, false, 7, 0},
      {-0.5, rounding::nearest_even, 32, false, 0, inexact},
      {-0.6, rounding::nearest_even, 32, false, 0, invalid},
      {-1, rounding::nearest_even, 64, false, 0, invalid},
      {2147483647.5, rounding::down, 32, true, 0x7fffffff, inexact},
      {2147483647.5, rounding::nearest_even, 32, true, 0x7fffffff, invalid},
      {-2147483648.0, rounding::nearest_even, 32, true, 0xffffffff80000000, 0},
      {4294967295.0, rounding::nearest_even, 32, false, minus1, 0},
      {4294967296.0, rounding::nearest_even, 32, false, minus1, invalid},
      {9223372036854775808.0, rounding::nearest_even, 64, true, minus1 >> 1, invalid},
      {-9223372036854775808.0, rounding::nearest_even, 64, true, std::uint64_t{1} << 63, 0},
      {9223372036854775808.0, rounding::nearest_even, 64, false, std::uint64_t{1} << 63, 0},
      {18446744073709551616.0, rounding::nearest_even, 64, false, minus1, invalid},
      {nan, rounding::nearest_even, 32, true, 0x7fffffff, invalid},
      {nan, rounding::nearest_even, 64, false, minus1, invalid},
      {-std::numeric_limits<double>::infinity(), rounding::nearest_even, 64, true,
       std::uint64_t{1} << 63, invalid},
      {1e-300, rounding::up, 32, true, 1, inexact},
      {0, rounding::up, 32, true, 0, 0},
  };
  for (const row& each : rows) {
    INFO(each.from << " in mode " << static_cast<int>(each.mode));
    status s{each.mode, 0};
    CHECK(to_integer(from_host<std::uint64_t>(each.from), each.bits, each.is_signed, s) == each.to);
    CHECK(s.flags == each.flags);
  }
}

TEST_CASE("between the precisions") {
  operands<std::uint64_t> source(6);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t wide = source.next();
    const volatile double x = to_host(wide);
    for (const rounding mode : host_modes) {
      INFO(std::hex << wide << " mode " << static_cast<int>(mode));
      const auto ours = of_ours<std::uint32_t>(
          mode, 0, [&](status& s) { return convert<std::uint32_t>(wide, s); });
      REQUIRE(ours == on_host<std::uint32_t>(mode, [&] { return static_cast<float>(x); }));
    }
  }
  status s;
  CHECK(convert<std::uint64_t>(from_host<std::uint32_t>(-1.5F), s) ==
        from_host<std::uint64_t>(-1.5));
  CHECK(convert<std::uint64_t>(std::uint32_t{1}, s) == from_host<std::uint64_t>(0x1p-149));
  CHECK(s.flags == 0);
  CHECK(convert<std::uint64_t>(std::uint32_t{0x7f800001}, s) == canonical_nan<std::uint64_t>);
  CHECK(s.flags == invalid);
}

TEMPLATE_TEST_CASE("the lesser, the greater, and comparisons", "", std::uint32_t, std::uint64_t) {
  using B = TestType;
  const B one = from_host<B>(1), two = from_host<B>(2), minus = from_host<B>(-1), zero = 0,
          minus_zero = sign_bit<B>, quiet = canonical_nan<B>, signaling = infinity<B> | 1;
  status s;
  CHECK(minimum(one, two, s) == one);
  CHECK(maximum(minus, one, s) == one);
  CHECK(minimum(zero, minus_zero, s) == minus_zero);
  CHECK(maximum(minus_zero, zero, s) == zero);
  CHECK(minimum(quiet, two, s) == two);
  CHECK(maximum(quiet, static_cast<B>(quiet | 1), s) == quiet);
  CHECK(equal(zero, minus_zero, s));
  CHECK_FALSE(less(zero, minus_zero, s));
  CHECK(less_or_equal(zero, minus_zero, s));
  CHECK(less(minus, one, s));
  CHECK_FALSE(equal(quiet, quiet, s));
  CHECK(s.flags == 0);
  CHECK_FALSE(less(quiet, one, s));
  CHECK(s.flags == invalid);
  s.flags = 0;
  CHECK(minimum(signaling, two, s) == two);
  CHECK(s.flags == invalid);
}

TEMPLATE_TEST_CASE("classes", "", std::uint32_t, std::uint64_t) {
  using B = TestType;
  const B minus = sign_bit<B>;
  CHECK(classify<B>(minus | infinity<B>) == 1U << 0);
  CHECK(classify<B>(from_host<B>(-1)) == 1U << 1);
  CHECK(classify<B>(minus | 1) == 1U << 2);
  CHECK(classify<B>(minus) == 1U << 3);
  CHECK(classify<B>(0) == 1U << 4);
  CHECK(classify<B>(1) == 1U << 5);
  CHECK(classify<B>(from_host<B>(1)) == 1U << 6);
  CHECK(classify<B>(infinity<B>) == 1U << 7);
  CHECK(classify<B>(infinity<B> | 1) == 1U << 8);
  CHECK(classify<B>(canonical_nan<B>) == 1U << 9);
}
