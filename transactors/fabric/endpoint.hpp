// What the fabric knows of a unit at which packets start and end.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle {

class unit;

using endpoint_id = std::uint16_t;

struct address_window {
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  endpoint_id endpoint = 0;
};

// How much of the order of its packets an endpoint relies on.
enum class packet_order {
  by_flow,     // all packets for one destination, of one message class
  by_address,  // those among them that touch the same addresses
  none
};

struct endpoint_record {
  const unit* owner;               // for messages
  std::vector<const unit*> homes;  // where packets for it end
  bool is_inc;
  bool serves;  // others may address it
  packet_order order;
  bool is_apart = false;  // addresses its like alone, and nobody else addresses it
};

// For several endpoints stands one that others address, else one that addresses others.
inline bool stands_before(const endpoint_record& a, const endpoint_record& b) {
  return a.serves != b.serves ? a.serves : !a.is_apart && b.is_apart;
}

}  // namespace heddle
