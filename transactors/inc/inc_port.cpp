#include "transactors/inc/inc_port.hpp"

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"

namespace heddle {
void inc_host_port::connect(port& peer, const parameter_set*) {
  refuse_to_bind(peer);
}

void inc_device_port::connect(port& peer, const parameter_set*) {
  auto* target = dynamic_cast<inc_host_port*>(&peer);
  if (!target) refuse_to_bind(peer);
  host_ = &target->host();
  host_->attach(device_);
  fabric& net = owner().sim().service<fabric>();
  for (const endpoint_id each : device_.inc_endpoints()) net.place(each, host_->inc_unit());
  mark_bound();
  target->mark_bound();
}

}  // namespace heddle
