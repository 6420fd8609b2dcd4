// The ports of a hub, one link a plane. What waits for a port leaves when it is free and the far
// end has room. What arrives goes by its kind to the part of the hub that it is for.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/gpu/hub/hub_part.hpp"
#include "models/gpu/hub/wire_profile.hpp"
#include "platform/time/agenda.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_port.hpp"
#include "transactors/packet/transmit_queue.hpp"

namespace heddle {

class hub_wires;
class token_notices;
class token_target;
class vector_mover;

// A port, and what is on its way through it.
struct hub_side {
  hub_side(hub_wires& of, unit& owner, int index);
  void transmit();
  void arrive();
  void fetch_arrival() const;

  std::size_t number() const { return static_cast<std::size_t>(port.index()); }

  hub_wires& wires;
  packet_port port;
  transmit_queue waiting;
  struct header_of {
    const void* header = nullptr;  // of the packet
  };
  arrivals_with<header_of> arriving;  // by tail
  timed_call wake, arrival;
};

class hub_wires final : private hub_part, private packet_receiver {
 public:
  // Answers go to the mover, requests to the target, notices to the notices. Of other packets, the
  // target refuses requests.
  hub_wires(hub_core& core, unit& owner, int ports, vector_mover& mover, token_target& target,
            token_notices& notices);

  // Routes are known. Throws user_error where the network does not fit the hub's packets.
  void connect();
  // A layer begins: bytes on the wires count from now on.
  void start();

  const std::vector<std::unique_ptr<hub_side>>& sides() const { return sides_; }
  // Whether a port leads there.
  bool reaches(endpoint_id destination) const { return routes_->reaches(destination); }
  // The side through which packets for that address leave. Where no port leads to the destination,
  // the run ends with a user_error.
  hub_side& towards(endpoint_id destination, std::uint64_t address);
  std::uint8_t vc_of(const hub_side& through, const packet& p) const;
  void enqueue(hub_side& to, packet& p);

  // Bytes on all links since the layer was started.
  const wire_profile& sent() const { return sent_; }
  const wire_profile& received() const { return received_; }
  double rate() const;  // B/s of all links, in each direction

 private:
  friend hub_side;

  packet_granularity granularity() const override { return packet_granularity::packets; }
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port& at) override;
  hub_side& side_of(const packet_port& at) { return *sides_[static_cast<std::size_t>(at.index())]; }
  void transmit(hub_side& from);
  void arrive(hub_side& at);

  unit& owner_;
  fabric& fabric_;
  vector_mover& mover_;
  token_target& target_;
  token_notices& notices_;
  unit_routes* routes_ = nullptr;  // once connected
  std::vector<std::unique_ptr<hub_side>> sides_;
  wire_profile sent_, received_;
};

}  // namespace heddle
