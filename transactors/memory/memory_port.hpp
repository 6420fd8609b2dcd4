// Ports of the memory plane: plain TLM-2.0 base-protocol sockets that a netlist can name. Any
// TLM-2.0 component with such sockets binds.
#pragma once

#include <functional>
#include <string>
#include <tlm>
#include <utility>

#include "platform/unit/port.hpp"

namespace heddle {

using memory_initiator_base = tlm::tlm_base_initiator_socket<32>;
using memory_target_base = tlm::tlm_base_target_socket_b<32>;

class memory_target_port final : public port {
 public:
  using socket_source = std::function<memory_target_base&()>;

  // `is_shared`: the socket takes any number of initiators.
  memory_target_port(unit& owner, const std::string& name, memory_target_base& socket,
                     bool is_shared = false)
      : memory_target_port(owner, name, [&socket]() -> memory_target_base& { return socket; }) {
    is_shared_ = is_shared;
  }
  // Every initiator gets a socket of its own.
  memory_target_port(unit& owner, const std::string& name, socket_source next_socket)
      : port(owner, name), next_socket_(std::move(next_socket)), is_shared_(true) {}

  std::string kind() const override { return "memory target"; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: initiators connect
  memory_target_base& socket_for_initiator() const { return next_socket_(); }
  bool is_shared() const { return is_shared_; }

 private:
  socket_source next_socket_;
  bool is_shared_;
};

class memory_initiator_port final : public port {
 public:
  memory_initiator_port(unit& owner, const std::string& name, memory_initiator_base& socket,
                        bool is_optional = false)
      : port(owner, name), socket_(socket), is_optional_(is_optional) {}

  std::string kind() const override { return "memory initiator"; }
  bool must_be_bound() const override { return !is_optional_; }
  void connect(port& peer, const parameter_set* link) override;
  const memory_target_port* target() const { return target_; }  // nullptr: it is open

 private:
  memory_initiator_base& socket_;
  const memory_target_port* target_ = nullptr;
  bool is_optional_;
};

// A level-sensitive interrupt line from a device to a core.
class interrupt_sink {
 public:
  virtual void set_interrupt(int line, bool is_up) = 0;

 protected:
  ~interrupt_sink() = default;
};

class interrupt_input_port final : public port {
 public:
  interrupt_input_port(unit& owner, const std::string& name, interrupt_sink& sink, int line)
      : port(owner, name), sink_(sink), line_(line) {}

  std::string kind() const override { return "interrupt input"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;
  void set(bool is_up) { sink_.set_interrupt(line_, is_up); }

 private:
  interrupt_sink& sink_;
  int line_;
};

class interrupt_output_port final : public port {
 public:
  interrupt_output_port(unit& owner, const std::string& name) : port(owner, name) {}

  std::string kind() const override { return "interrupt output"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;
  void set(bool is_up);

 private:
  interrupt_input_port* input_ = nullptr;
  bool is_up_ = false;
};

}  // namespace heddle
