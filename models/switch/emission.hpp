// What waits at an output for its turn, sent by a stage: a packet, or the order for a copy of one.
#pragma once

#include <cstdint>

#include "transactors/packet/packet.hpp"
#include "transactors/stages/stage.hpp"

namespace heddle {

struct emission {
  packet* what = nullptr;
  std::uint8_t stage = 0;  // its number
  bool is_copy = false;
  copy_order order{};
};

}  // namespace heddle
