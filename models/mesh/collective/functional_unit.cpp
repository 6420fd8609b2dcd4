#include "models/mesh/collective/functional_unit.hpp"

#include <algorithm>

#include "models/mesh/collective/lane_arithmetic.hpp"
#include "models/mesh/mesh_causes.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(functional_unit,
                     describe_unit<functional_unit>("functional_unit",
                                                    "8 pipelined FP64 lanes of a cluster, which "
                                                    "its router borrows"));

}  // namespace

std::vector<port_description> functional_unit::port_descriptions() {
  return {{"port", "offload target", "the router whose reductions it computes"},
          {"issue", "issue target", "the cluster's own work"}};
}

functional_unit::functional_unit(const unit_context& context, const parameters& p)
    : unit(context),
      port_(*this, clock_, "port", p.queue()),
      issue_(*this, "issue", *this),
      latency_(p.latency()),
      payloads_(sim().service<flit_payloads>()) {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  sim().service<mesh_causes>().sum = latency_;
  constexpr std::uint64_t lanes = 8;
  sim().service<energy_book>().enter(
      {path(), "dca_reduce", quantity::count, &counters_.operations, lanes, p.energy()});
}

void functional_unit::on_connected() {
  owner_trace_ =
      trace_scope(sim().trace(), path()).state<owner>("owner", {"IDLE", "ROUTER", "STREAM", "RUN"});
  owner_trace_.set(owner::idle, 0);
}

bool functional_unit::is_turn_of_run(cycle_t cycle) const {
  return is_run(cycle) && cycle > run_first_ &&
         (router_cycle_ == cycle - 1 || stream_cycle_ == cycle - 1);
}

// Who has a cycle that is given to no router.
functional_unit::owner functional_unit::resting_owner(cycle_t cycle) const {
  if (std::find(given_.begin(), given_.end(), cycle) != given_.end()) return owner::stream;
  return is_run(cycle) ? owner::run : owner::idle;
}

// In that cycle; in the next one, whoever has it as far as is known now.
void functional_unit::show(owner of, cycle_t cycle) {
  if (!owner_trace_.enabled()) return;
  const auto& domain = clock_.domain();
  const cycle_t now = now_fs() / domain.period();
  given_.erase(
      std::remove_if(given_.begin(), given_.end(), [now](cycle_t each) { return each < now; }),
      given_.end());
  if (of == owner::stream) given_.push_back(cycle);
  owner_trace_.set(of, std::max(now_fs(), domain.start_of(cycle)), now_fs());  // or it has begun
  owner_trace_.set(resting_owner(cycle + 1), domain.start_of(cycle + 1), now_fs());
}

void functional_unit::evaluate(cycle_t now) {
  if (owner_trace_.enabled() && run_end_ > run_first_) {
    if (now < run_end_)
      clock_.wake(run_end_);  // it may have got later
    else if (now == run_end_)
      owner_trace_.set(resting_owner(now), now_fs());
  }
  if (!port_.has_request(now)) return;
  if (stream_cycle_ == now || is_turn_of_run(now)) {
    ++counters_.waits;
    return clock_.wake(now + 1);
  }
  if (is_run(now)) {
    ++counters_.borrowed;
    ++run_end_;
  }
  compute(now);
  if (port_.has_request(now + 1)) clock_.wake(now + 1);
}

void functional_unit::compute(cycle_t now) {
  router_cycle_ = now;
  show(owner::router, now);
  const offload_request asked = port_.take_request(now);
  port_.respond(combine_lanes(payloads_, asked.op, asked.left, asked.right), now + latency_);
  ++counters_.operations;
  counters_.busy += clock_.domain().period();
}

fs_t functional_unit::stream_delay(fs_t from) {
  const cycle_t asked = from / clock_.domain().period();
  const auto is_taken = [this](cycle_t cycle) {
    const bool is_given = stream_cycle_ != never && cycle <= stream_cycle_;
    if (is_given || router_cycle_ == cycle || is_turn_of_run(cycle)) return true;
    return stream_cycle_ == cycle - 1 && port_.has_request(cycle);  // the router's turn
  };
  cycle_t given = asked;
  while (is_taken(given)) ++given;
  if (is_run(given)) ++run_end_;
  stream_cycle_ = given;
  show(owner::stream, given);
  counters_.core_waits += given - asked;
  return (given - asked) * clock_.domain().period();
}

void functional_unit::start_run(cycle_t first, cycle_t cycles) {
  run_first_ = first;
  run_end_ = first + cycles;
  if (!owner_trace_.enabled()) return;
  owner_trace_.set(resting_owner(first), clock_.domain().start_of(first), now_fs());
  clock_.wake(run_end_);
}

}  // namespace heddle
