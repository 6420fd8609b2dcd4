#include "models/mesh/collective/collective_router.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/mesh/axi_channel.hpp"
#include "models/mesh/mesh_causes.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/energy_book.hpp"
#include "platform/unit/simulation.hpp"
#include "transactors/arbitration/round_robin.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(collective_router,
                     describe_unit<collective_router>("collective_router",
                                                      "router of a 2D mesh with multicast, "
                                                      "reductions and barriers"));

constexpr port_mask bit(int index) {
  return 1U << index;
}

}  // namespace

std::vector<port_description> collective_router::port_descriptions() {
  return {{"north", "flit", "y + 1"},
          {"east", "flit", "x + 1"},
          {"south", "flit", "y - 1"},
          {"west", "flit", "x - 1"},
          {"local", "flit", "the tile"},
          {"offload", "offload initiator", "the functional unit of wide reductions"}};
}

collective_router::collective_router(const unit_context& context, const parameters& p)
    : unit(context),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      reductions_(p.reductions()),
      may_cross_(p.crossing()),
      pipeline_(p.pipeline()),
      flit_bytes_(p.data().bytes),
      no_loopback_(p.loopback() ? 0 : bit(local)),
      payloads_(sim().service<flit_payloads>()),
      ports_{{{*this, clock_, "north", north, arrivals_, {static_cast<int>(pipeline_), 0}},
              {*this, clock_, "east", east, arrivals_, {static_cast<int>(pipeline_), 0}},
              {*this, clock_, "south", south, arrivals_, {static_cast<int>(pipeline_), 0}},
              {*this, clock_, "west", west, arrivals_, {static_cast<int>(pipeline_), 0}},
              {*this, clock_, "local", local, arrivals_, {static_cast<int>(pipeline_), 0}}}},
      offload_(*this, clock_, "offload", p.header_buffer()),
      wide_(offload_, p.header_buffer()) {
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  sim().service<flit_network>().add_router(*this);
  sim().service<mesh_causes>().hop = pipeline_ + 1;
  sim().service<energy_book>().enter(
      {path(), "hop", quantity::bytes, &counters_.hops, p.data().bytes, p.hop_energy()});
}

void collective_router::on_connected() {
  const trace_scope scope(sim().trace(), path());
  state_trace_ = scope.state<state>(
      "state", {"IDLE", "FORWARD", "FORK", "REDUCE", "WAIT_MEMBER", "WAIT_CREDIT"});
  state_trace_.set(state::idle, 0);
  operation_ = scope.text("operation");
  operation_.set("", 0);
  for (int i = 0; i < mesh_directions; ++i) {
    const flit_port& link = ports_[i];
    if (!link.is_bound()) continue;
    if (link.vcs() != 1)
      throw user_error(link.path() +
                       ": a collective_router has no virtual channels; links have "
                       "`vcs: 1`");
    link.check_flit(flit_bytes_);
    bound_ |= bit(i);
    ports_[i].listen_from(i);
    depth_[i] = trace_scope(sim().trace(), link.path()).vector("buffered", 16);
    depth_[i].set(0, 0);
  }
  sim().service<flit_network>().check();
  waiting_.set_capacity(gathering_size());
}

// Contributions to several reductions may come in at two inputs in different orders. If there is no
// room for all of them, the ones that wait keep out the ones that they wait for.
std::size_t collective_router::gathering_size() const {
  const std::size_t under_way = sim().service<flit_network>().reductions_under_way(*this);
  if (reductions_ == 0) return under_way > 0 ? under_way : SIZE_MAX;
  if (may_cross_ && reductions_ < under_way)
    throw user_error(
        fmt::format("{}: with `reductions: {}` reductions that cross could deadlock: the "
                    "interfaces of its mesh "
                    "can have {} flits of reductions under way; state as many, or 0, or `crossing: "
                    "false` where "
                    "firmware keeps reductions apart",
                    path(), reductions_, under_way));
  return reductions_;
}

// A router that is blocked is not evaluated: what stays is counted here.
const collective_router_counters& collective_router::count() const {
  const cycle_t now = now_fs() / clock_.domain().period();
  for (const input_fifo& in : inputs_) {
    if (in.flits == 0 || in.head_since >= now) continue;
    counters_.stalls += now - in.head_since;
    in.head_since = now;
  }
  return counters_;
}

void collective_router::evaluate(cycle_t now) {
  if (is_rejected_) return;
  is_moving_ = lacks_credit_ = false;
  if (const auto arrived = static_cast<port_mask>(arrivals_.take(now)))
    buffer_arrivals(arrived, now);
  if (operation_.enabled()) operation_.set(operation(), clock_.domain().start_of(now));
  if (offload_.has_result(now)) wide_.take_results(now);
  if (filled_) look_at_heads(now);
  if (!waiting_.empty() || !wide_.empty()) start_wide(now);
  arbitrate(now);
  if (state_trace_.enabled()) show_state(now);
  if (is_moving_) clock_.wake(now + 1);  // else an arrival, a credit or a result wakes it
}

void collective_router::buffer_arrivals(port_mask arrived, cycle_t now) {
  filled_ |= arrived;
  for (; arrived; arrived &= arrived - 1) {
    const int from = __builtin_ctz(arrived);
    if (inputs_[from].flits++ == 0) inputs_[from].head_since = now;
    depth_[from].set(static_cast<std::uint64_t>(inputs_[from].flits),
                     clock_.domain().start_of(now));
  }
}

void collective_router::look_at_heads(cycle_t now) {
  for (port_mask left = filled_; left; left &= left - 1) {
    const int from = __builtin_ctz(left);
    input_fifo& in = inputs_[from];
    if (in.is_known) continue;
    const flit& head = head_of(from);
    if (is_reduction(head.op)) {
      const port_mask expected = reduction_inputs(here_, head.destination, head.source, head.mask);
      if (!(expected & bit(from)))
        return reject(fmt::format("a {} from {} came in at {}, which no member's way leads through",
                                  name_of(head.op), text_of(head.source), mesh_port_names[from]));
      if (expected & ~bound_)
        return reject(fmt::format("members {} mask {} of a {} lie outside the mesh",
                                  text_of(head.source), text_of(head.mask), name_of(head.op)));
      if (expected != bit(from)) {
        if (gather(from, expected)) pop(from, now);
        continue;
      }
    }
    find_outputs(from);
    if (is_rejected_) return;
  }
}

// Flits that go on unchanged: unicasts, multicasts and the only contribution to a reduction here.
void collective_router::find_outputs(int from) {
  input_fifo& in = inputs_[from];
  const flit& head = head_of(from);
  in.is_known = true;
  in.outputs = head.op == flit_op::multicast
                   ? multicast_outputs(here_, from, head.destination, head.mask)
                   : bit(route(head.destination));
  if (from == local && head.op == flit_op::multicast) in.outputs &= ~no_loopback_;
  for (port_mask left = in.outputs; left; left &= left - 1) {
    const int to = __builtin_ctz(left);
    if (!ports_[to].is_bound())
      return reject(fmt::format("a {} for {} mask {} has to leave to the {}, where the mesh ends",
                                name_of(head.op), text_of(head.destination), text_of(head.mask),
                                mesh_port_names[to]));
    outputs_[to].asking |= bit(from);
  }
  const auto copies = static_cast<std::uint32_t>(__builtin_popcount(in.outputs));
  if (head.op != flit_op::multicast || copies < 2) return;
  payloads_.share(head.payload, copies - 1);
  counters_.forks += copies - 1;
}

// Puts a contribution with those of the other members. Returns whether there was room.
bool collective_router::gather(int from, port_mask expected) {
  const flit& contribution = head_of(from);
  reduction_entry* entry = waiting_.find(contribution, from);
  if (entry) {
    check_ends(*entry, contribution, from);
  } else {
    if (!may_cross_ && !waiting_.empty()) check_crossing(contribution);
    if (is_rejected_ || waiting_.is_full()) return false;
    if (is_arithmetic(contribution.op) && !offload_.is_bound()) {
      reject(fmt::format("a {} needs a functional unit at the offload port, which is open",
                         name_of(contribution.op)));
      return false;
    }
    entry = &waiting_.add(contribution, expected, route(contribution.destination));
    counters_.peak_waiting.raise_to(waiting_.entries().size());
  }
  entry->operands[from] = contribution.payload;
  entry->arrived |= bit(from);
  return true;
}

void collective_router::start_wide(cycle_t now) {
  if (!offload_.is_bound()) return;
  if (wide_.issue(now)) {
    ++counters_.wide_operations;
    is_moving_ = true;
    return;
  }
  if (!wide_.has_room()) return;
  for (const reduction_entry& each : waiting_.entries()) {
    if (!each.is_complete()) continue;
    if (is_arithmetic(each.header.op)) {
      wide_.start(each);
    } else if (each.header.op == flit_op::select_aw) {
      wide_.pass(merge(each), each.output);
    } else {
      continue;
    }
    waiting_.remove(each);
    is_moving_ = true;
    if (wide_.issue(now)) ++counters_.wide_operations;
    return;
  }
}

const reduction_entry* collective_router::complete_for(int output) const {
  for (const reduction_entry& each : waiting_.entries()) {
    if (each.output != output || !each.is_complete() || is_arithmetic(each.header.op)) continue;
    if (each.header.op == flit_op::select_aw && offload_.is_bound()) continue;  // in its order
    return &each;
  }
  return nullptr;
}

void collective_router::arbitrate(cycle_t now) {
  const int wide_to = wide_.has_result() ? wide_.output() : nobody;  // one result a cycle
  for (int to = 0; to < mesh_directions; ++to) {
    output_port& out = outputs_[to];
    port_mask asking = out.asking;
    if (!waiting_.empty() && complete_for(to)) asking |= bit(from_parallel);
    if (wide_to == to) asking |= bit(from_wide);
    if (out.owner != nobody) asking &= bit(out.owner);
    if (!asking) continue;
    if (!ports_[to].is_bound())
      return reject(fmt::format("a reduction has to leave to the {}, where the mesh ends",
                                mesh_port_names[to]));
    if (!ports_[to].has_credit(0, now)) {
      lacks_credit_ = true;
      continue;
    }
    const int from = round_robin(asking, out.next);
    out.next = from + 1;
    forward(from, to, now);
  }
}

void collective_router::forward(int from, int to, cycle_t now) {
  is_moving_ = true;
  ++counters_.flits;
  if (from < mesh_directions) return forward_head(from, to, now);
  if (from == from_wide) return send(wide_.take_result(), from, to, now);
  const reduction_entry& entry = *complete_for(to);
  send(merge(entry), from, to, now);
  waiting_.remove(entry);
}

void collective_router::send(const flit& sent, int from, int to, cycle_t now) {
  const axi_channel channel = axi_tag::channel(sent.tag);
  if (from != local && to != local && (channel == axi_channel::w || channel == axi_channel::r))
    ++counters_.hops;
  ports_[to].send(sent, 0, now + pipeline_);
}

void collective_router::forward_head(int from, int to, cycle_t now) {
  input_fifo& in = inputs_[from];
  const flit& head = head_of(from);
  if (head.op == flit_op::unicast) outputs_[to].owner = head.is_tail() ? nobody : from;
  send(head, from, to, now);
  outputs_[to].asking &= ~bit(from);
  in.outputs &= ~bit(to);
  if (in.outputs == 0) pop(from, now);
}

void collective_router::pop(int from, cycle_t now) {
  input_fifo& in = inputs_[from];
  --in.flits;
  counters_.stalls += now - in.head_since;
  in.head_since = now + 1;
  in.is_known = false;
  if (in.flits == 0) filled_ &= ~bit(from);
  depth_[from].set(static_cast<std::uint64_t>(in.flits), clock_.domain().start_of(now));
  ports_[from].pop(0, now);
  is_moving_ = true;
}

// Performs one of the lightweight operations, on all inputs at once.
flit collective_router::merge(const reduction_entry& complete) {
  ++counters_.reductions;
  flit merged = complete.header;
  port_mask left = complete.arrived;
  merged.payload = complete.operands[__builtin_ctz(left)];
  for (left &= left - 1; left; left &= left - 1) {
    const payload_handle other = complete.operands[__builtin_ctz(left)];
    if (merged.payload && other) {
      auto& result = payloads_.at(merged.payload).words[0];
      const std::uint64_t operand = payloads_.at(other).words[0];
      if (merged.op == flit_op::lsb_and) result &= operand | ~std::uint64_t{1};
      if (merged.op == flit_op::collect_b) result = std::max(result, operand);
    }
    payloads_.give_back(other);
  }
  return merged;
}

void collective_router::reject(const std::string& what) {
  if (!is_rejected_)
    sim().service<run_control>().reject(std::make_exception_ptr(user_error(path() + ": " + what)));
  is_rejected_ = true;
}

// Of the head of the first input that has one, else of what has waited longest for members, else of
// the oldest reduction whose result has not left: its operands are in the functional unit.
const char* collective_router::operation() const {
  if (filled_) return name_of(head_of(__builtin_ctz(filled_)).op);
  if (!waiting_.empty()) return name_of(waiting_.entries().front().header.op);
  return wide_.empty() ? "" : name_of(wide_.oldest().op);
}

void collective_router::show_state(cycle_t now) {
  // A head that neither moves nor waits is behind a packet whose next flit has not come.
  state next = filled_ || is_moving_ ? state::forward : state::idle;
  if (!is_moving_ && lacks_credit_)
    next = state::wait_credit;
  else if (!is_moving_ && !waiting_.empty())
    next = state::wait_member;  // heads may wait for its place
  for (const input_fifo& in : inputs_)
    if (in.is_known && __builtin_popcount(in.outputs) > 1) next = state::fork;
  if (!wide_.empty()) next = state::reduce;
  if (next == shown_) return;
  shown_ = next;
  state_trace_.set(next, clock_.domain().start_of(now));
}

std::size_t collective_router::bytes() const {
  std::size_t sum = sizeof *this + waiting_.bytes() + arrivals_.bytes();
  for (const auto& each : ports_) sum += each.bytes() - sizeof each;
  return sum;
}

}  // namespace heddle
