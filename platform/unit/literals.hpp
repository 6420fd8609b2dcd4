// Quantities as a data sheet writes them: 4_KiB, 250_ns, 450_GBps.
#pragma once

#include "platform/unit/parameter.hpp"

namespace heddle {
inline namespace literals {

constexpr byte_size operator""_B(unsigned long long v) {
  return {v};
}
constexpr byte_size operator""_KiB(unsigned long long v) {
  return {v << 10};
}
constexpr byte_size operator""_MiB(unsigned long long v) {
  return {v << 20};
}
constexpr byte_size operator""_GiB(unsigned long long v) {
  return {v << 30};
}
constexpr duration operator""_fs(unsigned long long v) {
  return {v};
}
constexpr duration operator""_ns(unsigned long long v) {
  return {v * fs_per_ns};
}
constexpr duration operator""_us(unsigned long long v) {
  return {v * fs_per_us};
}
constexpr duration operator""_ms(unsigned long long v) {
  return {v * fs_per_ms};
}
inline bandwidth operator""_GBps(unsigned long long v) {
  return bandwidth(v * 1'000'000'000);
}
inline bandwidth operator""_GBps(long double v) {
  return bandwidth(static_cast<std::uint64_t>(v * 1e9L + 0.5L));
}

}  // namespace literals
}  // namespace heddle
