// Packets of sparse gathers. Their payload slice holds everything behind the upper layers, encoded
// as gather_format.hpp says. Headers are always there; with `data: off` the bytes of properties are
// not, while packet::wire_bytes still counts them.
#pragma once

#include "transactors/gather/gather_format.hpp"
#include "transactors/packet/packet.hpp"

namespace heddle {

extern const packet_kind gather_request;
extern const packet_kind gather_response;

// What a packet carries, read once; PRs are decoded one by one.
class gather_view {
 public:
  explicit gather_view(const packet& p)
      : packet_(p),
        header_(gather_format::get_header(p.payload.data())),
        first_(gather_format::header_bytes(header_.is_lone())),
        carried_(header_.is_response() && p.carries_data ? header_.length : 0) {}

  const gather_header& header() const { return header_; }
  std::uint32_t count() const { return header_.count; }
  property_request request(std::uint32_t number) const {
    return gather_format::get_request(at(number));
  }
  // The property of a response; nullptr when its bytes are not carried.
  const std::byte* property(std::uint32_t number) const {
    return carried_ > 0 ? at(number) + gather_format::request_bytes : nullptr;
  }
  // The same, for who keeps it longer than the packet.
  payload_slice property_slice(std::uint32_t number) const {
    return carried_ > 0 ? packet_.payload.from(offset(number) + gather_format::request_bytes)
                        : payload_slice();
  }
  std::uint32_t wire_bytes() const {
    return gather_format::packet_bytes(header_.is_response(), header_.is_lone(), header_.count,
                                       header_.length);
  }

 private:
  std::uint32_t offset(std::uint32_t number) const {
    return first_ + number * (gather_format::request_bytes + carried_);
  }
  const std::byte* at(std::uint32_t number) const {
    return packet_.payload.data() + offset(number);
  }

  const packet& packet_;
  const gather_header header_;
  const std::uint32_t first_, carried_;
};

}  // namespace heddle
