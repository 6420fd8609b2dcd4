#include "transactors/stages/stage_port.hpp"

#include <algorithm>
#include <utility>

#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/fabric/fabric.hpp"

namespace heddle {

void stage_host_port::connect(port& peer, const parameter_set*) {
  refuse_to_bind(peer);
}

void stage_port::connect(port& peer, const parameter_set*) {
  auto* target = dynamic_cast<stage_host_port*>(&peer);
  if (!target) refuse_to_bind(peer);
  host_ = &target->host();
  number_ = host_->attach(stage_);
  fabric& net = owner().sim().service<fabric>();
  for (const endpoint_id each : stage_.endpoints()) net.settle(each, target->owner());
  mark_bound();
  target->mark_bound();
  stage_.on_attached();
}

void stage_port::release(const stage_visit& visit, packet& p, fs_t when) const {
  // At egress the switch has released it, and what a stage emitted was in no receive buffer.
  if (visit.place == stage_place::egress || visit.input == stage_visit::no_port) return;
  // Once routed, the packet has the virtual channel of its next link, but the credit is for the
  // link that it came by.
  const bool is_routed = visit.place == stage_place::middle;
  if (is_routed) std::swap(p.vc, p.held_vc);
  port_at(visit.input).release(p, when);
  if (is_routed) std::swap(p.vc, p.held_vc);
}

// The last byte has come meanwhile, or follows at the pace at which it came.
void stage_port::resume(const stage_visit& visit, packet& p) const {
  stage_visit here = visit;
  here.first = now_fs();
  if (p.is_explained) p.why.then(category::queueing, owner().site(), here.first);
  p.head += here.first - visit.first;
  p.tail = std::max(p.tail, p.head);
  host_->resume(here, p);
}

void stage_port::consume(const stage_visit& visit, packet& p) const {
  const fs_t last = visit.first + (p.tail - p.head);
  release(visit, p, std::max(now_fs(), last));
  give_back(&p);
}

}  // namespace heddle
