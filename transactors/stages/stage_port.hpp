// How a stage is bound to its switch, and how it acts on the packets that it has.
#pragma once

#include <string>

#include "platform/unit/port.hpp"
#include "transactors/stages/stage_host.hpp"

namespace heddle {

// The port of a switch; takes any number of stages, in the order in which the netlist binds them.
class stage_host_port final : public port {
 public:
  stage_host_port(unit& owner, const std::string& name, stage_host& host)
      : port(owner, name), host_(host) {}

  std::string kind() const override { return "in-network host"; }
  bool must_be_bound() const override { return false; }
  void connect(port& peer, const parameter_set* link) override;  // refuses: stages connect
  stage_host& host() const { return host_; }

 private:
  stage_host& host_;
};

// The port of a stage. All members but connect() are for after it is bound.
class stage_port final : public port {
 public:
  stage_port(unit& owner, const std::string& name, stage& device)
      : port(owner, name), stage_(device) {}

  std::string kind() const override { return "in-network device"; }
  void connect(port& peer, const parameter_set* link) override;

  stage_host& host() const { return *host_; }
  int port_count() const { return host_->port_count(); }
  packet_port& port_at(int index) const { return host_->port_at(index); }

  // Sends a packet of the stage, or one that it has taken and whose receive buffer is released. Its
  // last byte is there at packet::tail. It waits in a queue of the stages at that port, which the
  // output serves in turns with what it forwards.
  void emit(int index, packet& p) const { host_->emit(number_, index, p); }
  // The same with a copy of a packet, for which stage::copy() is asked when its turn has come: of
  // many copies that wait, only those under way take memory. `original` stays as it is until then.
  void emit_copy(int index, packet& original, const copy_order& order) const {
    host_->emit_copy(number_, index, original, order);
  }
  // Lets a packet go on that the stage has held since the visit.
  void resume(const stage_visit& visit, packet& p) const;
  // The packet leaves the receive buffer of its input port completely at `when`.
  void release(const stage_visit& visit, packet& p, fs_t when) const;
  // The packet ends here; its receive buffer is free when its last byte has come.
  void consume(const stage_visit& visit, packet& p) const;

 private:
  stage& stage_;
  stage_host* host_ = nullptr;
  int number_ = -1;
};

}  // namespace heddle
