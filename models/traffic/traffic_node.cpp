#include "models/traffic/traffic_node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(traffic_node, describe_unit<traffic_node>("traffic_node",
                                                               "injects and takes synthetic "
                                                               "traffic, flit by flit"));

// A statistic starts at 0, which is no minimum of anything.
void lower_to(statistic& smallest, fs_t value, bool is_first) {
  if (is_first || value < smallest.raw()) smallest += value - smallest.raw();
}

}  // namespace

std::vector<port_description> traffic_node::port_descriptions() {
  return {{"port", "packet", "a link to a switch with `core: fifo`"}};
}

traffic_node::traffic_node(const unit_context& context, const parameters& p)
    : unit(context),
      pattern_(p.to),
      hot_terminal_(p.hot_endpoint()),
      random_(sim().settings().seed, path()),
      creation_(p.rate() / static_cast<double>(p.packet_flits())),
      port_(*this, *this, "port", 0),
      self_(sim().service<fabric>().add_terminal(*this, packet_order::by_flow)),
      cycle_(p.cycle().fs),
      window_start_(p.warmup().fs),
      window_end_(window_start_ + p.measure().fs),
      last_creation_(window_end_ + p.cooldown().fs),
      flit_bytes_(static_cast<std::uint32_t>(p.flit().bytes)),
      packet_flits_(static_cast<std::uint32_t>(p.packet_flits())),
      injection_(timed_call::to<traffic_node, &traffic_node::inject>(*this)) {
  if (p.measure().fs < cycle_)
    throw user_error(path() + ".measure is shorter than a cycle: there is nothing to measure");
  probe_.wire_bytes = flit_bytes_;
  sim().service<traffic_terminals>().add(path(), self_, packet_granularity::flits);
  enter_traffic(*this, p, counters_);
}

void traffic_node::on_connected() {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  if (port_.rate().duration(flit_bytes_) > cycle_)
    throw user_error(fmt::format("{}: a flit of {} B takes longer than a cycle on this link",
                                 port_.path(), flit_bytes_));
  if (port_.latency() == 0)
    throw user_error(port_.path() + ": flits need a link with a latency of a cycle or more");
  pattern_.start(sim().service<traffic_terminals>(), packet_granularity::flits, self_,
                 sim().settings().seed);
  if (pattern_.sends_all_to_one()) pattern_.send_all_to(hot_terminal_, path() + ".hot_endpoint");
  sim().service<traffic_terminals>().check_reachable(*this, pattern_.addressed());
  if (pattern_.has_destination()) plan_next_packet();
}

void traffic_node::plan_next_packet() {
  const std::uint64_t cycle = creation_.next(random_);
  if (cycle >= last_creation_ / cycle_) {
    created_ = fs_never;
    return;
  }
  created_ = cycle * cycle_;
  destination_ = pattern_.next(random_);
  flits_left_ = packet_flits_;
  injection_.at(std::max(created_, next_turn_));
}

// Credits of this very instant count, whichever of the two calls comes first.
void traffic_node::inject() {
  const fs_t now = now_fs();
  if (created_ > now || next_turn_ > now) return;  // woken for credits that were used already
  const bool may_send =
      flits_left_ == packet_flits_ ? choose_vc(now) : port_.has_credits(probe_, now);
  if (may_send) send_flit(now);
}

bool traffic_node::choose_vc(fs_t now) {
  const int last = probe_.vc;
  for (int i = 1; i <= port_.vcs(); ++i) {
    probe_.vc = static_cast<std::uint8_t>((last + i) % port_.vcs());
    if (port_.has_credits(probe_, now)) return true;
  }
  return false;  // probe_.vc came round to where it was
}

void traffic_node::send_flit(fs_t now) {
  const bool is_first = flits_left_ == packet_flits_;
  if (is_first) injected_ = now;
  --flits_left_;
  packet& flit = *take_packet();
  flit.kind = packet_kind::flit;
  flit.source = self_;
  flit.destination = destination_;
  flit.vc = probe_.vc;
  flit.wire_bytes = flit_bytes_;
  flit.created = created_;
  flit.injected = injected_;
  flit.first_flit = is_first;
  flit.last_flit = flits_left_ == 0;
  next_turn_ = now + cycle_;
  ++counters_.flits_sent;
  port_.send(flit, now, now);
  if (flits_left_ > 0) return injection_.at(next_turn_);
  ++counters_.packets_sent;
  plan_next_packet();
}

void traffic_node::credits_returned(packet_port&) {
  if (created_ == fs_never) return;
  const fs_t edge = (now_fs() + cycle_ - 1) / cycle_ * cycle_;
  injection_.at(std::max({edge, next_turn_, created_}));
}

// Called when the flit is sent: all that follows is computed ahead for the instant of arrival.
void traffic_node::receive(packet_port& at, packet& arrived) {
  ++counters_.flits_received;
  if (is_in_window(arrived.head)) ++counters_.window_flits;
  if (arrived.last_flit) {
    ++counters_.packets_received;
    if (is_in_window(arrived.created)) record(arrived);
  }
  at.release(arrived, arrived.head);
  give_back(&arrived);
}

void traffic_node::record(const packet& tail) {
  const bool is_first = counters_.measured.raw() == 0;
  ++counters_.measured;
  const fs_t latency = tail.head - tail.created;
  counters_.latency += latency;
  counters_.max_latency.raise_to(latency);
  lower_to(counters_.min_latency, latency, is_first);
  const fs_t in_network = tail.head - tail.injected;
  counters_.network_latency += in_network;
  counters_.max_network_latency.raise_to(in_network);
  lower_to(counters_.min_network_latency, in_network, is_first);
}

std::string traffic_node::waiting_for() const {
  if (created_ > now_fs()) return {};
  return fmt::format("a credit of {}, to send {} more flits to endpoint {}",
                     port_.peer() ? port_.peer()->path() : "an open port", flits_left_,
                     destination_);
}

}  // namespace heddle
