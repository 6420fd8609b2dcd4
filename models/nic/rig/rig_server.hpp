// RIG unit as a server (NetSparse 5.3): reads the properties that others ask for from the memory of
// the host and answers. The property buffer holds each from its read until the answer is accepted;
// requests that find it full wait in the receive queue.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "models/nic/rig/rig_hub.hpp"

namespace heddle {

// A property that has been asked of the host.
struct served_property {
  property_request pr;
  fs_t ready = 0;           // it is here
  std::uint32_t place = 0;  // of the property buffer
  bool is_here = true;      // else the answer is that there is no such property
};

class rig_server {
 public:
  class listener {
   public:
    virtual void reads(int unit, const served_property& property) = 0;
    virtual void read_failed(int unit, std::uint64_t property, std::uint64_t address) = 0;

   protected:
    ~listener() = default;
  };

  rig_server(listener& owner, rig_hub& hub, int number)
      : owner_(owner), hub_(hub), number_(number) {}
  rig_server(const rig_server&) = delete;
  rig_server& operator=(const rig_server&) = delete;

  bool has_room() const { return waiting_.size() < hub_.limits.rx_queue; }
  void take(const property_request& pr, fs_t when);
  // It is here; the answer may have to wait for the transmit buffer.
  void answer(const served_property& property);
  void answer_waiting();

  bool waits_for_transmit_buffer() const { return !unsent_.empty(); }

 private:
  std::uint32_t places() const;
  void read(const property_request& pr, fs_t when);
  void send(const served_property& property, fs_t when);

  listener& owner_;
  rig_hub& hub_;
  const int number_;
  std::vector<std::byte> buffer_;    // properties, by place; empty where bytes are not carried
  std::vector<std::uint32_t> free_;  // places
  std::uint32_t length_ = 0;         // of the properties for which the buffer is laid out
  std::uint32_t reading_ = 0;        // places that are taken
  std::deque<property_request> waiting_;
  std::deque<served_property> unsent_;
};

}  // namespace heddle
