// Routes in the form in which packets look them up: what all units of a fabric share.
//
// An entry is one word. Of several equal ways it names a list, from which a key of the packet
// chooses a share; a way has as many shares as its weight says.
#pragma once

#include <cstdint>
#include <vector>

#include "transactors/fabric/endpoint.hpp"

namespace heddle {

// Which routes an endpoint shares, and which of those who share them it is.
struct destination {
  std::uint32_t group;
  std::uint32_t member;
};

// By what packets are spread over equal ways. The first four keep packets of equal keys in order.
enum class spread_key {
  destination,  // number of the destination
  owner,        // number of the endpoint that serves: where requests go and responses come from
  flow,         // hash of source, destination and switch
  address,      // block of addresses
  packet,       // the next way for every packet
  adaptive      // the shortest queue, equal ones in turns
};

const char* name_of(spread_key key);  // as in a netlist

namespace route_entry {

inline constexpr std::uint32_t nowhere = 0;
inline constexpr std::uint32_t is_single = 1U << 31;  // port and phase follow
inline constexpr std::uint32_t is_local = 1U << 30;  // index into the unit's own entries, by member
inline constexpr std::uint32_t is_list = 1U << 29;   // index of a list

constexpr std::uint32_t single(int port, int phase) {
  return is_single | static_cast<std::uint32_t>(phase) << 16 | static_cast<std::uint32_t>(port);
}
constexpr int port_of(std::uint32_t entry) {
  return static_cast<int>(entry & 0xffff);
}
constexpr int phase_of(std::uint32_t entry) {
  return static_cast<int>(entry >> 16 & 0xff);
}
constexpr std::uint32_t index_of(std::uint32_t entry) {
  return entry & 0xff'ffff;
}

}  // namespace route_entry

struct way_list {
  std::uint32_t first = 0;  // share
  std::uint32_t shares = 0;
  std::uint32_t divisor = 1;  // which digit of the key chooses
  bool is_last = false;       // the ways lead to the destination itself
};

struct route_book {
  std::vector<destination> where;     // by endpoint
  std::vector<std::uint32_t> number;  // by endpoint: destination_list::number
  std::vector<way_list> lists;
  std::vector<std::uint32_t> shares;  // single entries
  spread_key spread = spread_key::destination;
  std::uint64_t interleave = 4096;  // bytes of a block of addresses
  int phases = 1;                   // virtual channels that a route needs in each message class
};

}  // namespace heddle
