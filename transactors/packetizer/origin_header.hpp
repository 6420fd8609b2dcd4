// Which instruction of which core has sent a request: on the model's side only, without a byte on
// the wire. A device in the network passes it on to its registers, which hold firmware to their
// contracts and answer what was accessed.
#pragma once

#include "platform/contracts/access_origin.hpp"
#include "transactors/packet/packet_header.hpp"

namespace heddle {

struct origin_header final : pooled_header<origin_header> {
  access_origin origin;
  std::uint32_t wire_bytes() const override { return 0; }
  void clear() {}
};

}  // namespace heddle
