// Ports of the memory plane: plain TLM-2.0 base-protocol sockets that a netlist can name. Any
// TLM-2.0 component with such sockets binds.
#pragma once

#include <tlm>

#include "platform/unit/port.hpp"

namespace heddle {

using memory_initiator_base = tlm::tlm_base_initiator_socket<32>;
using memory_target_base = tlm::tlm_base_target_socket_b<32>;

class memory_target_port final : public port {
 public:
  // `is_shared`: the socket takes any number of initiators.
  memory_target_port(unit& owner, const std::string& name, memory_target_base& socket,
                     bool is_shared = false)
      : port(owner, name), socket_(socket), is_shared_(is_shared) {}

  std::string kind() const override { return "memory target"; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: initiators connect
  memory_target_base& socket() const { return socket_; }
  bool is_shared() const { return is_shared_; }

 private:
  memory_target_base& socket_;
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

 private:
  memory_initiator_base& socket_;
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
