#include "models/switch/switch.hpp"

#include <fmt/format.h>

#include "models/switch/voq_core.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(packet_switch,
                     describe_unit<packet_switch>("switch",
                                                  "N-port packet switch, cut-through "
                                                  "with virtual output queues"));

}  // namespace

std::vector<port_description> packet_switch::port_descriptions() {
  return {{"port[ports]", "packet", "a link to an endpoint or another switch"},
          {"inc", "in-network host", "stages: devices in the switch's pipeline, any number"}};
}

packet_switch::packet_switch(const unit_context& context, const parameters& p)
    : unit(context),
      pipes_(static_cast<int>(p.pipes())),
      core_(std::make_unique<voq_core>(*this, p)),
      stage_port_(*this, "inc", *this) {
  if (p.pipes() > p.ports())
    throw user_error(fmt::format("{}: {} pipes for {} ports", path(), p.pipes(), p.ports()));
  for (int i = 0; i < static_cast<int>(p.ports()); ++i)
    ports_.push_back(
        std::make_unique<packet_port>(*this, *core_, "port[" + std::to_string(i) + "]", i));
  for (const auto& each : ports_) each->state_holding(p.forwarding().fs);
}

int packet_switch::attach(stage& added) {
  if (!bay_) bay_ = std::make_unique<stage_bay>(*this, *core_);
  return bay_->add(added);
}

void packet_switch::emit(int stage_number, int port, packet& p) {
  core_->transmit(port, {&p, static_cast<std::uint8_t>(stage_number)});
}

void packet_switch::emit_copy(int stage_number, int port, packet& original,
                              const copy_order& order) {
  core_->transmit(port, {&original, static_cast<std::uint8_t>(stage_number), true, order});
}

void packet_switch::add_waiting(std::vector<waiting_packet>& all) const {
  core_->add_waiting(all);
  if (bay_) bay_->add_kept(all);
}

void packet_switch::on_connected() {
  fabric& net = sim().service<fabric>();
  routes_ = &net.routes(*this);
  routes_->measure(*this);
  net.add_forwarder(*this);
  if (bay_) bay_->start();
  core_->start();
  for (const auto& each : ports_)
    if (each->is_bound()) each->trace_wire();
}

}  // namespace heddle
