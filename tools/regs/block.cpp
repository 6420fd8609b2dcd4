#include "tools/regs/block.hpp"

#include <algorithm>

namespace heddle::regs {

std::uint32_t id_of(const block& of) {
  const auto id = std::find_if(of.registers.begin(), of.registers.end(),
                               [](const reg& each) { return each.name == "id"; });
  if (id != of.registers.end() && id->offset == 0 && id->width == 32 && id->has_reset)
    return static_cast<std::uint32_t>(id->reset);
  constexpr std::uint32_t fnv_basis = 0x811c9dc5, fnv_prime = 0x01000193;
  std::uint32_t hash = fnv_basis;
  for (const char each : of.name) hash = (hash ^ static_cast<unsigned char>(each)) * fnv_prime;
  return hash;
}

}  // namespace heddle::regs
