// What a payload weighs on the wire.
#pragma once

#include <cstdint>

namespace heddle {

struct packet_format {
  packet_format(std::uint64_t mtu_bytes, std::uint64_t header_bytes, std::uint64_t flit_bytes)
      : mtu(static_cast<std::uint32_t>(mtu_bytes)),
        header(static_cast<std::uint32_t>(header_bytes)),
        flit(static_cast<std::uint32_t>(flit_bytes)),
        padded_mtu(padded(mtu)) {}

  std::uint32_t mtu;     // largest payload of a packet
  std::uint32_t header;  // of every packet; a request to read or a write response is nothing else
  std::uint32_t flit;    // payloads are padded to whole flits
  std::uint32_t padded_mtu;

  std::uint32_t packets(std::uint32_t payload) const { return (payload + mtu - 1) / mtu; }
  std::uint32_t padded(std::uint32_t bytes) const { return (bytes + flit - 1) / flit * flit; }
  // Every packet of a train has a header, and its payload is padded to whole flits.
  std::uint32_t wire_bytes(std::uint32_t payload, std::uint32_t packets) const {
    if (payload == mtu) return packets * header + padded_mtu;  // most packets: no divisions
    return packets * header + payload / mtu * padded_mtu + padded(payload % mtu);
  }
};

}  // namespace heddle
