#include "models/noc/functional_unit.hpp"

#include "models/noc/lane_arithmetic.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(functional_unit,
                     describe_unit<functional_unit>("functional_unit",
                                                    "8 pipelined FP64 lanes for a router's "
                                                    "reductions"));

}  // namespace

std::vector<port_description> functional_unit::port_descriptions() {
  return {{"port", "offload target", "the router whose reductions it computes"}};
}

functional_unit::functional_unit(const unit_context& context, const parameters& p)
    : unit(context),
      port_(*this, clock_, "port", p.queue()),
      latency_(p.latency()),
      payloads_(sim().service<flit_payloads>()) {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
}

void functional_unit::evaluate(cycle_t now) {
  if (!port_.has_request(now)) return;
  const offload_request asked = port_.take_request(now);
  port_.respond(combine_lanes(payloads_, asked.op, asked.left, asked.right), now + latency_);
  ++counters_.operations;
  counters_.busy += clock_.domain().period();
  if (port_.has_request(now + 1)) clock_.wake(now + 1);
}

}  // namespace heddle
