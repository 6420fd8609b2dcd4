// A broken protocol rule is a bug of a model: it fails the run with a text that names the object,
// the time and the transaction.
#pragma once

#include <cstdint>
#include <string>
#include <tlm>

#include "transactors/packet/packet.hpp"

namespace heddle {

class simulation;

// "gpu[0].ni.port[1] -> nvs[1].port[0]: protocol violation at 12.5 us: TRANSACTION: RULE"
void report_violation(simulation& sim, const std::string& object, const std::string& transaction,
                      const std::string& rule);

// What is said of an access, taken down before whoever has it changes it: "write of 64 B at
// 0x1000".
class described_access {
 public:
  explicit described_access(const tlm::tlm_generic_payload& payload)
      : command_(payload.get_command()),
        bytes_(payload.get_data_length()),
        address_(payload.get_address()) {}
  std::string text() const;

 private:
  tlm::tlm_command command_;
  unsigned bytes_;
  std::uint64_t address_;
};

// "write_request with tag 3 from endpoint 0 to endpoint 1, 144 B on vc 0"
class described_packet {
 public:
  explicit described_packet(const packet& p)
      : wire_bytes_(p.wire_bytes),
        tag_(p.tag),
        source_(p.source),
        destination_(p.destination),
        kind_(p.kind),
        vc_(p.vc) {}
  std::string text() const;
  packet_kind kind() const { return kind_; }

 private:
  std::uint32_t wire_bytes_, tag_;
  std::uint16_t source_, destination_;
  packet_kind kind_;
  std::uint8_t vc_;
};

}  // namespace heddle
