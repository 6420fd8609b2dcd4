// Bytes of sparse gathers on the wire (NetSparse 6.1.1, Fig 6). A property request (PR) asks for
// one property, the K elements that belong to a column of a matrix; a response brings it. PRs for
// one node share a packet behind a concatenation header, or travel alone behind a shorter one.
//
//   upper layers   50 B   Ethernet to RDMA; counted, not modeled
//   concatenation  14 B   type:2 dest:4 length:4 count:4      (alone: 10 B, without count)
//   each PR        18 B   source_node:4 source_tid:2 index:8 request_id:4
//   each response  + length bytes of property behind its PR
//
// All fields are little-endian (the source is silent). A type of the lone format has its own value,
// so that a receiver can tell the two formats apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle {

struct property_request {
  std::uint64_t index = 0;        // of the property: a column of the matrix
  std::uint32_t source_node = 0;  // who asks
  std::uint32_t id = 0;           // of the requester; a response returns it
  std::uint16_t tid = 0;          // unit of the source node that asks
};

enum class gather_type : std::uint16_t { read = 1, response = 2, lone_read = 3, lone_response = 4 };

struct gather_header {
  gather_type type = gather_type::read;
  std::uint32_t node = 0;    // destination
  std::uint32_t length = 0;  // bytes of each property
  std::uint32_t count = 0;   // of PRs; 1 in the lone format, which does not carry it

  bool is_response() const {
    return type == gather_type::response || type == gather_type::lone_response;
  }
  bool is_lone() const {
    return type == gather_type::lone_read || type == gather_type::lone_response;
  }
};

namespace gather_format {

inline constexpr std::uint32_t upper_bytes = 50;
inline constexpr std::uint32_t concatenation_bytes = 14;
inline constexpr std::uint32_t lone_bytes = 10;
inline constexpr std::uint32_t request_bytes = 18;
inline constexpr std::uint32_t default_mtu = 1500;  // of the whole packet (the source is silent)

constexpr std::uint32_t header_bytes(bool is_lone) {
  return is_lone ? lone_bytes : concatenation_bytes;
}
// Of a PR in a packet: a READ carries no property.
constexpr std::uint32_t bytes_of_each(bool is_response, std::uint32_t length) {
  return request_bytes + (is_response ? length : 0);
}
constexpr std::uint32_t packet_bytes(bool is_response, bool is_lone, std::uint32_t count,
                                     std::uint32_t length) {
  return upper_bytes + header_bytes(is_lone) + count * bytes_of_each(is_response, length);
}
// A longer property fits into no packet, alone or not.
constexpr std::uint32_t longest_property(std::uint32_t mtu) {
  return mtu - upper_bytes - concatenation_bytes - request_bytes;
}

template <class T>
void put(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}
template <class T>
T get(const std::byte* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void put_header(std::byte* to, const gather_header& h) {
  put(to, static_cast<std::uint16_t>(h.type));
  put(to + 2, h.node);
  put(to + 6, h.length);
  if (!h.is_lone()) put(to + 10, h.count);
}
inline gather_header get_header(const std::byte* from) {
  gather_header h;
  h.type = static_cast<gather_type>(get<std::uint16_t>(from));
  h.node = get<std::uint32_t>(from + 2);
  h.length = get<std::uint32_t>(from + 6);
  h.count = h.is_lone() ? 1 : get<std::uint32_t>(from + 10);
  return h;
}

inline void put_request(std::byte* to, const property_request& pr) {
  put(to, pr.source_node);
  put(to + 4, pr.tid);
  put(to + 6, pr.index);
  put(to + 14, pr.id);
}
inline property_request get_request(const std::byte* from) {
  property_request pr;
  pr.source_node = get<std::uint32_t>(from);
  pr.tid = get<std::uint16_t>(from + 4);
  pr.index = get<std::uint64_t>(from + 6);
  pr.id = get<std::uint32_t>(from + 14);
  return pr;
}

}  // namespace gather_format
}  // namespace heddle
