#include "models/mesh/traffic/mesh_traffic.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(mesh_traffic,
                     describe_unit<mesh_traffic>("mesh_traffic",
                                                 "injects and takes synthetic traffic at a node "
                                                 "of a mesh"));

// The cycle that ended in these 32 bits last.
cycle_t latest(cycle_t now, std::uint32_t low_bits) {
  return now - static_cast<std::uint32_t>(static_cast<std::uint32_t>(now) - low_bits);
}

}  // namespace

std::vector<port_description> mesh_traffic::port_descriptions() {
  return {{"port", "flit", "the local port of a router"}};
}

mesh_traffic::mesh_traffic(const unit_context& context, const parameters& p)
    : unit(context),
      pattern_(static_cast<pattern>(p.pattern.index())),
      here_{static_cast<std::uint8_t>(p.x()), static_cast<std::uint8_t>(p.y())},
      width_(static_cast<std::uint32_t>(p.width())),
      height_(static_cast<std::uint32_t>(p.height())),
      packet_flits_(static_cast<std::uint32_t>(p.packet_flits())),
      random_(sim().settings().seed, path()),
      creation_(p.rate() / static_cast<double>(p.packet_flits())),
      window_start_(p.warmup().fs / p.cycle().fs),
      window_end_(window_start_ + p.measure().fs / p.cycle().fs),
      last_creation_(window_end_ + p.cooldown().fs / p.cycle().fs),
      port_(*this, clock_, "port", 0, arrivals_, {}) {
  if (p.x() >= p.width() || p.y() >= p.height())
    throw user_error(fmt::format("{}: ({}, {}) is outside the mesh of {} x {}", path(), p.x(),
                                 p.y(), p.width(), p.height()));
  if (p.measure().fs < p.cycle().fs)
    throw user_error(path() + ".measure is shorter than a cycle: there is nothing to measure");
  if (pattern_ == pattern::transpose && width_ != height_)
    throw user_error(path() + ": `transpose` needs a square mesh");
  sim().service<clock_domains>().with_period(p.cycle().fs).join(*this, clock_);
  enter_traffic(*this, p, counters_, &counters_.hops);
}

void mesh_traffic::on_connected() {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  next_.source = here_;
  plan_next_packet();
  if (created_ != never) clock_.wake(created_);
}

void mesh_traffic::plan_next_packet() {
  const std::uint64_t cycle = creation_.next(random_);
  created_ = cycle < last_creation_ ? cycle : never;
  flits_left_ = packet_flits_;
  next_.destination = next_destination();
}

mesh_position mesh_traffic::next_destination() {
  const auto at = [](std::uint32_t x, std::uint32_t y) {
    return mesh_position{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
  };
  const auto half_way = [](std::uint32_t from, std::uint32_t size) {
    return (from + (size + 1) / 2 - 1) % size;
  };
  switch (pattern_) {
    case pattern::uniform: {
      const std::uint32_t drawn = random_.below(width_ * height_);
      return at(drawn % width_, drawn / width_);
    }
    case pattern::transpose:
      return at(here_.y, here_.x);
    case pattern::neighbor:
      return at((here_.x + 1U) % width_, (here_.y + 1U) % height_);
    case pattern::tornado:
      return at(half_way(here_.x, width_), half_way(here_.y, height_));
    case pattern::bit_complement:
      return at(width_ - 1 - here_.x, height_ - 1 - here_.y);
  }
  return here_;
}

void mesh_traffic::evaluate(cycle_t now) {
  for (std::uint64_t vcs = arrivals_.take(now); vcs; vcs &= vcs - 1)
    receive(port_.take(__builtin_ctzll(vcs), now), now);
  if (created_ <= now) inject(now);
}

// A blocked source is woken by the port, for the cycle in which a credit is back.
void mesh_traffic::inject(cycle_t now) {
  const bool is_first = flits_left_ == packet_flits_;
  const bool may_send = is_first ? choose_vc(now) : port_.has_credit(next_.vc(), now);
  if (!may_send) return;
  if (is_first) {
    next_.tag = static_cast<std::uint32_t>(created_);
    next_.payload = static_cast<std::uint32_t>(now);
  }
  --flits_left_;
  next_.set_ends(is_first, flits_left_ == 0);
  ++counters_.flits_sent;
  port_.send(next_, next_.vc(), now);
  if (flits_left_ == 0) {
    ++counters_.packets_sent;
    plan_next_packet();
  }
  if (created_ != never) clock_.wake(std::max(created_, now + 1));
}

bool mesh_traffic::choose_vc(cycle_t now) {
  const int last = next_.vc();
  for (int i = 1; i <= port_.vcs(); ++i) {
    next_.set_vc((last + i) % port_.vcs());
    if (port_.has_credit(next_.vc(), now)) return true;
  }
  return false;  // the VC came round to where it was
}

void mesh_traffic::receive(const flit& arrived, cycle_t now) {
  ++counters_.flits_received;
  if (arrived.destination != here_) ++counters_.misdelivered;
  if (is_in_window(now)) ++counters_.window_flits;
  if (arrived.is_tail()) {
    ++counters_.packets_received;
    const cycle_t created = latest(now, arrived.tag);
    if (is_in_window(created)) record(arrived, created, now);
  }
}

void mesh_traffic::record(const flit& tail, cycle_t created, cycle_t now) {
  const fs_t period = clock_.domain().period();
  const cycle_t in_network = now - latest(now, tail.payload);
  const int columns = std::abs(tail.source.x - here_.x), rows = std::abs(tail.source.y - here_.y);
  // A statistic starts at 0, which is no minimum of anything.
  statistic& smallest = counters_.min_network_latency;
  if (counters_.measured.raw() == 0 || in_network * period < smallest.raw())
    smallest += in_network * period - smallest.raw();
  ++counters_.measured;
  counters_.latency += (now - created) * period;
  counters_.network_latency += in_network * period;
  counters_.hops += 1 + static_cast<cycle_t>(columns) + static_cast<cycle_t>(rows);
}

std::string mesh_traffic::waiting_for() const {
  if (created_ == never || clock_.domain().start_of(created_) > now_fs()) return {};
  return fmt::format("a credit of {}, to send {} more flits to ({}, {})",
                     port_.peer() ? port_.peer()->path() : "an open port", flits_left_,
                     next_.destination.x, next_.destination.y);
}

}  // namespace heddle
