// The format of packets as parameters of whoever makes them.
#pragma once

#include "platform/unit/literals.hpp"
#include "platform/unit/parameter.hpp"
#include "transactors/packet/packet_format.hpp"

namespace heddle {

struct packet_format_parameters : parameter_set {
  parameter<byte_size> mtu{
      *this, "mtu", 128_B, within(8_B, 64_KiB), "largest payload of a packet", "SCIN 4.1"};
  parameter<byte_size> header{
      *this,
      "header",
      16_B,
      within(1_B, 256_B),
      "header of every packet; a read request or a write response is nothing else",
      "SCIN 4.1: one flit"};
  parameter<byte_size> flit{
      *this,     "flit", 16_B, within(1_B, 4_KiB), "payloads are padded to whole flits on the wire",
      "SCIN 4.1"};

  packet_format format() const { return {mtu().bytes, header().bytes, flit().bytes}; }
};

}  // namespace heddle
