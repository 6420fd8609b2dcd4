// Registers of 64 bits of which firmware has written one half, and the other never.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "platform/registers/register_cell.hpp"

namespace heddle {

class half_writes {
 public:
  static constexpr unsigned lower = 1, upper = 2;

  static half_writes& of_run() {
    static half_writes all;
    return all;
  }

  // `enabled`: bits of the register.
  void add(const register_cell& written, std::uint64_t enabled) {
    if (written.bytes != 8) return;
    const unsigned touched =
        ((enabled & UINT32_MAX) != 0 ? lower : 0U) | (enabled >> 32 ? upper : 0U);
    halves_[&written] |= touched;
  }
  // lower or upper; 0: both halves were written, or none.
  unsigned only_half(const register_cell& of) const {
    const auto found = halves_.find(&of);
    return found == halves_.end() || found->second == (lower | upper) ? 0 : found->second;
  }

  // The register of which a rule has found one half only, until the report is made.
  const register_cell* blamed = nullptr;

 private:
  std::unordered_map<const register_cell*, unsigned> halves_;
};

}  // namespace heddle
