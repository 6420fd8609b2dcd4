// What a member pushes in front of its buffer in mode EXCHANGE: the number of chunks, then an entry
// each. Firmware writes it: sw/drivers/exchange.h has the same layout.
#pragma once

#include <cstdint>

#include "sw/drivers/exchange.h"

namespace heddle {

struct exchange_table {
  static constexpr std::uint64_t bytes = EXCHANGE_TABLE_BYTES;  // the buffer begins behind it
};

}  // namespace heddle
