#include "models/switch/switch.hpp"

#include "models/switch/voq_core.hpp"
#include "models/switch/wormhole_core.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(packet_switch,
                     describe_unit<packet_switch>("switch",
                                                  "N-port packet switch, cut-through "
                                                  "with virtual output queues or "
                                                  "wormhole with input FIFOs"));

std::unique_ptr<switching_core> make_core(packet_switch& owner, const switch_parameters& p) {
  if (p.core() == "fifo") return std::make_unique<wormhole_core>(owner, p);
  return std::make_unique<voq_core>(owner, p);
}

}  // namespace

std::vector<port_description> packet_switch::port_descriptions() {
  return {{"port[ports]", "packet", "a link to an endpoint or another switch"},
          {"inc", "in-network host", "devices that compute in the network, any number"}};
}

packet_switch::packet_switch(const unit_context& context, const parameters& p)
    : unit(context), core_(make_core(*this, p)), inc_port_(*this, "inc", *this) {
  for (int i = 0; i < static_cast<int>(p.ports()); ++i)
    ports_.push_back(
        std::make_unique<packet_port>(*this, *core_, "port[" + std::to_string(i) + "]", i));
  if (p.core() == "voq")
    for (const auto& each : ports_) each->state_holding(p.forwarding().fs);
}

void packet_switch::attach(inc_device& device) {
  if (!core_->takes_devices())
    throw user_error(path() + ": only the voq core takes in-network devices");
  attached_.push_back(&device);
}

void packet_switch::on_connected() {
  fabric& net = sim().service<fabric>();
  devices_.resize(net.endpoints());
  for (inc_device* each : attached_)
    for (const endpoint_id endpoint : each->inc_endpoints()) devices_[endpoint] = each;
  routes_ = &net.routes(*this);
  routes_->measure(*this);
  net.add_forwarder(*this);
  core_->start();
  for (const auto& each : ports_)
    if (each->is_bound()) each->trace_wire();
}

}  // namespace heddle
