// Engines in several planes share one endpoint, so their tags must differ: each has a prefix.
#pragma once

#include <cstdint>

namespace heddle {

class multicast_tags {
 public:
  static constexpr std::uint32_t number_bits = 20;
  static constexpr std::uint32_t number_mask = (1U << number_bits) - 1;

  std::uint32_t next_prefix() { return engines_++ << number_bits; }

 private:
  std::uint32_t engines_ = 0;
};

}  // namespace heddle
