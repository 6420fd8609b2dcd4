// The in-switch accelerator's side of the switch's ports: makes packets, hands over what arrives.
// Reads, writes and responses have queues of their own at each port (SCIN 3.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/inc/isa/instruction.hpp"
#include "models/inc/isa/isa_parameters.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_format.hpp"
#include "transactors/stages/stage_line.hpp"
#include "transactors/stages/stage_port.hpp"

namespace heddle {

// Packets are taken back by the transport when these return, except requests: respond() ends them.
class isa_transport_client {
 public:
  virtual void take_read_response(int member, packet& response) = 0;
  virtual void take_write_response(int member, packet& response) = 0;
  virtual void take_request(int port, packet& request) = 0;
  virtual void writes_left(int member) = 0;  // a port has sent packets with results

 protected:
  ~isa_transport_client() = default;
};

class isa_transport final : public stage, private stage_line::listener {
 public:
  isa_transport(unit& owner, isa_transport_client& client, const isa_parameters& p);

  // Every port is bound; user_error where a train fits no buffer.
  void start(const stage_port& at);

  endpoint_id endpoint() const { return endpoint_; }

  member_mask present() const { return present_; }
  std::uint64_t base_of(int member) const { return sides_[member]->window.base; }
  std::string name_of(int member) const;  // "gpu[3]"
  // "gpu[1], gpu[3]"
  std::string names_of(member_mask members) const;
  bool maps(int member, std::uint64_t address, std::uint64_t bytes) const;

  // Longest piece of a transfer that is one packet object.
  std::uint32_t piece_bytes() const { return train_ * format_.mtu; }
  std::uint32_t packets(std::uint32_t bytes) const { return format_.packets(bytes); }

  // At most a piece each. `step` labels the packet.
  void read(int member, std::uint64_t address, std::uint32_t bytes, std::uint32_t tag,
            std::uint16_t step);
  // `bytes` may be empty (`data: off`); the last of them is there at `ready`.
  void write(int member, std::uint64_t address, const payload_slice& bytes, std::uint32_t count,
             std::uint32_t tag, fs_t ready, std::uint16_t step);
  // Adds to a 64-bit word.
  void add(int member, std::uint64_t address, std::uint64_t operand, std::uint32_t tag);
  // Sends the request back as its response.
  void respond(int port, packet& request);

  // Why its last packet left towards the member when it did.
  const cause& latest_start(int member) const {
    return switch_->port_at(member).latest_start(endpoint_);
  }
  // Packets of results that wait at the port; reserve() counts some ahead of their write().
  std::uint32_t write_backlog(int member) const { return sides_[member]->write_backlog; }
  void reserve(int member, std::uint32_t packets) { sides_[member]->write_backlog += packets; }

  stage_sheet sheet() const override;
  std::vector<endpoint_id> endpoints() const override { return {endpoint_}; }

 private:
  struct side {
    side(isa_transport& transport, int port);

    int port;
    stage_line arriving;  // by tail, through the crossbar
    std::uint32_t write_backlog = 0;
    address_window window;  // of the member
    std::string name;
  };

  bool intercept(const stage_visit& visit, packet& arrived) override;
  void leave(int port, const stage_visit& visit, packet& p) override;
  void transmitted(int port, packet_kind kind, std::uint32_t packets) override;
  void find_member(side& at);
  packet& make_request(int member, packet_kind kind, std::uint64_t address, std::uint32_t bytes);

  unit& owner_;
  isa_transport_client& client_;
  const packet_format format_;
  const std::uint32_t train_;
  const bool carries_data_;
  const fs_t forwarding_;
  const fabric& fabric_;
  const endpoint_id endpoint_;
  const stage_port* switch_ = nullptr;
  std::vector<std::unique_ptr<side>> sides_;
  member_mask present_ = 0;
};

}  // namespace heddle
