#include "platform/tensor/fp16_sum.hpp"

#include <array>
#include <cstring>

#include "platform/tensor/float_bits.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif
// Clang knows the instructions of AVX512-FP16 from version 16 on.
#if defined(__x86_64__) && (__clang_major__ >= 16 || (!defined(__clang__) && __GNUC__ >= 12))
#define HEDDLE_HAS_FP16_SUMS
#endif

namespace heddle {
namespace {

using word = fp16_format::word;

// Adds with the exponents left where they are in fp32, that is scaled by 2^-112. Subnormals then
// line up by themselves, and so does the rounded sum: a third of the work of converting.
float scaled(word half) {
  const std::int32_t extended = static_cast<std::int16_t>(half);
  const std::uint32_t bits = (static_cast<std::uint32_t>(extended) << 13) & 0x8fffe000u;
  const bool is_special = detail::below(0x0f7fffff, bits & detail::fp32_magnitude);
  return float_of(bits | (is_special ? fp32_format::infinity : 0u));
}

word sum_of(word a, word b) {
  const std::uint32_t bits = bits_of(scaled(a) + scaled(b));
  const std::uint32_t magnitude = bits & detail::fp32_magnitude;
  const std::uint32_t rounded = (magnitude + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const std::uint32_t number =
      detail::below(fp16_format::infinity, rounded) ? fp16_format::infinity : rounded;
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const bool is_nan = detail::below(fp32_format::infinity, magnitude);
  return static_cast<word>(is_nan ? fp16_format::quiet_nan : (sign | number));
}

// Works on copies, so that the compiler makes vectors of it without knowing whether the arrays are
// the same.
template <std::size_t width>
void add_block(std::byte* sum, const std::byte* a, const std::byte* b) {
  std::array<word, width> first, second;
  std::memcpy(first.data(), a, sizeof first);
  std::memcpy(second.data(), b, sizeof second);
  for (std::size_t i = 0; i < width; ++i) first[i] = sum_of(first[i], second[i]);
  std::memcpy(sum, first.data(), sizeof first);
}

// Whole vectors; the bits are those of sum_of(). Both return how many elements they have added.
#ifdef HEDDLE_HAS_FP16_SUMS
__attribute__((target("avx512f,avx512bw,avx512fp16"))) std::size_t add_natively(
    std::byte* sum, const std::byte* a, const std::byte* b, std::size_t elements) {
  constexpr std::size_t width = sizeof(__m512i) / sizeof(word);
  const __m512i quiet_nan = _mm512_set1_epi16(fp16_format::quiet_nan);
  std::size_t done = 0;
  for (; done + width <= elements; done += width) {
    const std::size_t at = done * sizeof(word);
    const __m512h rounded = _mm512_add_ph(_mm512_loadu_ph(a + at), _mm512_loadu_ph(b + at));
    const __mmask32 is_nan = _mm512_cmp_ph_mask(rounded, rounded, _CMP_UNORD_Q);
    _mm512_storeu_si512(sum + at,
                        _mm512_mask_mov_epi16(_mm512_castph_si512(rounded), is_nan, quiet_nan));
  }
  return done;
}
#endif

#ifdef __x86_64__
__attribute__((target("avx2,f16c"))) std::size_t add_by_conversion(std::byte* sum,
                                                                   const std::byte* a,
                                                                   const std::byte* b,
                                                                   std::size_t elements) {
  constexpr std::size_t width = sizeof(__m128i) / sizeof(word);
  const __m128i magnitude = _mm_set1_epi16(0x7fff);
  const __m128i infinity = _mm_set1_epi16(fp16_format::infinity);
  const __m128i quiet_nan = _mm_set1_epi16(fp16_format::quiet_nan);
  std::size_t done = 0;
  for (; done + width <= elements; done += width) {
    const std::size_t at = done * sizeof(word);
    const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + at));
    const __m128i second = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + at));
    const __m256 in_fp32 = _mm256_add_ps(_mm256_cvtph_ps(first), _mm256_cvtph_ps(second));
    const __m128i rounded = _mm256_cvtps_ph(in_fp32, _MM_FROUND_TO_NEAREST_INT);
    const __m128i is_nan = _mm_cmpgt_epi16(_mm_and_si128(rounded, magnitude), infinity);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sum + at),
                     _mm_blendv_epi8(rounded, quiet_nan, is_nan));
  }
  return done;
}
#endif

}  // namespace

void add_fp16_by_integers(void* sum, const void* a, const void* b, std::size_t elements) {
  constexpr std::size_t width = 32;
  auto* to = static_cast<std::byte*>(sum);
  const auto* first = static_cast<const std::byte*>(a);
  const auto* second = static_cast<const std::byte*>(b);
  std::size_t done = 0;
  for (; done + width <= elements; done += width) {
    const std::size_t at = done * sizeof(word);
    add_block<width>(to + at, first + at, second + at);
  }
  for (; done < elements; ++done) {
    const std::size_t at = done * sizeof(word);
    add_block<1>(to + at, first + at, second + at);
  }
}

void add_fp16(void* sum, const void* a, const void* b, std::size_t elements) {
  auto* to = static_cast<std::byte*>(sum);
  const auto* first = static_cast<const std::byte*>(a);
  const auto* second = static_cast<const std::byte*>(b);
  std::size_t done = 0;
  const auto add_rest = [&](auto add) {
    const std::size_t at = done * sizeof(word);
    done += add(to + at, first + at, second + at, elements - done);
  };
#ifdef HEDDLE_HAS_FP16_SUMS
  if (__builtin_cpu_supports("avx512fp16")) add_rest(add_natively);
#endif
#ifdef __x86_64__
  // No processor has AVX2 without F16C.
  if (__builtin_cpu_supports("avx2")) add_rest(add_by_conversion);
#endif
  const std::size_t at = done * sizeof(word);
  add_fp16_by_integers(to + at, first + at, second + at, elements - done);
}

}  // namespace heddle
