// In-network computing: how a device inside a switch meets the switch's ports (SCIN 3.2). Each port
// has queues for the devices beside those of the switching core: what arrives with the
// in-network-computing flag for a device goes to it; what devices send is served round-robin with
// what the core forwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/unit/port.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

class inc_device {
 public:
  // Where packets for it are addressed to.
  virtual std::vector<endpoint_id> inc_endpoints() const = 0;
  // Its first byte arrives at packet.head >= now. The device frees the receive buffer of `at` with
  // release() and owns the packet.
  virtual void receive_inc(packet_port& at, packet& arrived) = 0;
  // A packet of this device, of so many packets and this kind, has started on the wire.
  virtual void inc_transmitted(int port, packet_kind kind, std::uint32_t packets) = 0;

 protected:
  ~inc_device() = default;
};

class inc_host {
 public:
  virtual unit& inc_unit() = 0;
  virtual int inc_port_count() const = 0;
  virtual packet_port& inc_port_at(int port) = 0;
  virtual void attach(inc_device& device) = 0;  // throws user_error where it cannot
  // Queues the packet at the port. packet::tail is the instant when the device has its last byte.
  virtual void inc_transmit(int port, packet& p) = 0;

 protected:
  ~inc_host() = default;
};

// Of a switch; takes any number of devices.
class inc_host_port final : public port {
 public:
  inc_host_port(unit& owner, const std::string& name, inc_host& host)
      : port(owner, name), host_(host) {}

  std::string kind() const override { return "in-network host"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: devices connect
  inc_host& host() const { return host_; }

 private:
  inc_host& host_;
};

// Of a device.
class inc_device_port final : public port {
 public:
  inc_device_port(unit& owner, const std::string& name, inc_device& device)
      : port(owner, name), device_(device) {}

  std::string kind() const override { return "in-network device"; }
  void connect(port& peer, const parameter_set* link) override;
  inc_host& host() const { return *host_; }  // once bound

 private:
  inc_device& device_;
  inc_host* host_ = nullptr;
};

}  // namespace heddle
