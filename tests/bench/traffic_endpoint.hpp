// Source and sink of random traffic at the packet level: one packet at a time, after a random
// pause, to a random other endpoint; what arrives is consumed at the instant of its last byte. Each
// of the two is one timed call a packet, as in any unit that sends and receives for a purpose.
#pragma once

#include "platform/random/random_stream.hpp"
#include "platform/time/agenda.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/arrival_queue.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

struct endpoint_traffic {
  std::uint32_t wire_bytes = 144;  // one MTU of 128 B and its header
  fs_t mean_pause = 0;             // between the starts of two packets
};

class traffic_endpoint final : public unit, private packet_receiver {
 public:
  traffic_endpoint(const unit_context& context, const endpoint_traffic& traffic);

  packet_port& link_port() { return port_; }
  void start();
  void stop() { is_sending_ = false; }  // what is under way still arrives

 private:
  void send();
  void consume();
  void receive(packet_port& at, packet& arrived) override;
  void credits_returned(packet_port&) override { send(); }

  const endpoint_traffic traffic_;
  random_stream random_;
  packet_port port_;
  endpoint_id self_;
  std::uint32_t others_ = 0;
  bool is_sending_ = false;
  fs_t next_ = 0;  // no packet starts before
  packet probe_;   // asks for credits
  arrival_queue arriving_;
  timed_call injection_, arrival_;
};

}  // namespace heddle
