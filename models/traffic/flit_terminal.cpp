#include "models/traffic/flit_terminal.hpp"

#include <fmt/format.h>

#include "models/traffic/traffic_deadline.hpp"
#include "platform/services/run_control.hpp"
#include "platform/text/counted.hpp"
#include "platform/unit/simulation.hpp"

namespace heddle {
namespace {

// The cycle that ended in these 32 bits last.
cycle_t latest(cycle_t now, std::uint32_t low_bits) {
  return now - static_cast<std::uint32_t>(static_cast<std::uint32_t>(now) - low_bits);
}

}  // namespace

inline void flit_terminal::receiver::evaluate(cycle_t now) {
  for (std::uint64_t vcs = terminal.arrivals_.take(now); vcs; vcs &= vcs - 1) {
    const int vc = __builtin_ctzll(vcs) % sink_channel;
    const flit& arrived = end.cells[channels[vc].first];
    const bool is_tail = arrived.is_tail();
    ++terminal.counters_.flits_received;
    if (is_tail || arrived.destination != terminal.address_)
      terminal.receive_last(arrived, now);
    else if (terminal.is_in_window(now))
      ++terminal.counters_.window_flits;
    end.pop(channels[vc], vc, is_tail, now);
  }
}

flit_terminal::flit_terminal(const unit_context& context, const traffic_schedule& p,
                             arrival_counters& counters)
    : unit(context),
      counters_(counters),
      packet_flits_(static_cast<std::uint32_t>(p.packet_flits())),
      random_(sim().settings().seed, path()),
      creation_(p.rate() / static_cast<double>(p.packet_flits()), p.burst()),
      window_start_(p.warmup().fs / p.cycle().fs),
      window_middle_(window_start_ + p.measure().fs / p.cycle().fs / 2),
      window_end_(window_start_ + p.measure().fs / p.cycle().fs),
      last_creation_(window_end_ + p.cooldown().fs / p.cycle().fs),
      drains_(p.drain()),
      port_(*this, clock_, "port", 0, arrivals_, {0, 0, &receiver_clock_}) {
  if (p.measure().fs < p.cycle().fs)
    throw user_error(path() + ".measure is shorter than a cycle: there is nothing to measure");
  clock_domain& domain = sim().service<clock_domains>().with_period(p.cycle().fs);
  domain.join(*this, clock_);
  domain.join(receiver_, receiver_clock_);
}

void flit_terminal::start(mesh_position address, bool sends, flit_port* sink) {
  if (!port_.is_bound()) throw user_error(port_.path() + " is not connected");
  if (sink) sink->listen_from(sink_channel);
  flit_port& way_in = sink ? *sink : port_;
  receiver_.end = way_in.receiver();
  receiver_.channels = way_in.channels();
  if (!drains_)
    sim().service<traffic_deadline>().not_before(clock_.domain().start_of(last_creation_),
                                                 sim().service<run_control>());
  next_.source = address_ = address;
  if (!sends) return;
  plan_next_packet();
  if (created_ != never) clock_.wake(created_);
}

bool flit_terminal::start_creation(const packet_destinations& to, std::size_t entry) {
  const clock_domain& domain = clock_.domain();
  // Those from behind the start of one cycle up to that of the next are created in the next.
  const auto behind_cycle_before = [&](cycle_t cycle) {
    return cycle == 0 ? 0 : domain.start_of(cycle - 1) + 1;
  };
  const std::optional<std::uint64_t> traced =
      to.traced_packets(behind_cycle_before(window_start_), behind_cycle_before(window_end_));
  if (!traced) return creation_.creates_any();
  sim().service<traffic_directory>().terminals[entry].offered =
      static_cast<double>(*traced) * static_cast<double>(packet_flits_) /
      static_cast<double>(window_end_ - window_start_);
  return true;
}

cycle_t flit_terminal::creation_of(const packet_destinations& to, random_stream& random) {
  const std::optional<fs_t> traced = to.traced_creation();
  if (!traced) return creation_.next(random);
  if (*traced == fs_never) return never;
  const fs_t period = clock_.domain().period();
  return (*traced + period - 1) / period;
}

void flit_terminal::plan_next_packet() {
  const cycle_t cycle = next_creation(random_);
  created_ = cycle < last_creation_ ? cycle : never;
  flits_left_ = packet_flits_;
  if (created_ == never) return;
  next_.destination = next_destination(random_);
  next_.tag = static_cast<std::uint32_t>(created_);
  next_.set_ends(true, packet_flits_ == 1);
}

// Flits in the middle of a packet are alike, and most. A blocked source is woken by the port, for
// the cycle in which a credit is back.
bool flit_terminal::evaluate(cycle_t now) {
  if (created_ > now) return false;
  if (flits_left_ == packet_flits_) return send_head(now);
  if (!port_.has_credit(vc_, now)) return false;
  if (flits_left_ == 1) return send_tail(now);
  send(now);
  return true;
}

inline void flit_terminal::send(cycle_t now) {
  --flits_left_;
  ++counters_.flits_sent;
  port_.send(next_, vc_, now);
}

bool flit_terminal::send_head(cycle_t now) {
  if (!choose_vc(now)) return false;
  next_.payload = static_cast<std::uint32_t>(now);
  send(now);
  next_.set_ends(false, false);
  return flits_left_ > 0 || end_packet(now);
}

bool flit_terminal::send_tail(cycle_t now) {
  next_.set_ends(false, true);
  send(now);
  return end_packet(now);
}

bool flit_terminal::end_packet(cycle_t now) {
  ++counters_.packets_sent;
  plan_next_packet();
  if (created_ <= now + 1) return true;
  if (created_ != never) clock_.wake(created_);
  return false;
}

bool flit_terminal::choose_vc(cycle_t now) {
  const int vcs = port_.vcs();
  int vc = vc_;
  for (int i = 0; i < vcs; ++i) {
    if (++vc >= vcs) vc = 0;
    if (!port_.has_credit(vc, now)) continue;
    vc_ = vc;
    return true;
  }
  return false;
}

// Takes the last flit of a packet, or the only one; and all flits that are not for this terminal.
void flit_terminal::receive_last(const flit& arrived, cycle_t now) {
  if (arrived.destination != address_) return refuse(arrived);
  if (is_in_window(now)) ++counters_.window_flits;
  ++counters_.packets_received;
  const cycle_t created = latest(now, arrived.tag);
  if (is_in_window(created)) record(arrived, created, now);
}

void flit_terminal::record(const flit& tail, cycle_t created, cycle_t now) {
  const fs_t period = clock_.domain().period();
  const fs_t in_network = (now - latest(now, tail.payload)) * period;
  const fs_t latency = (now - created) * period;
  lower_to(counters_.min_network_latency, in_network, counters_.measured.raw() == 0);
  measured(tail, latency);
  const std::size_t half = created >= window_middle_;
  ++counters_.halves.packets[half];
  counters_.halves.latency[half] += static_cast<double>(latency);
  ++counters_.measured;
  counters_.latency += latency;
  counters_.network_latency += in_network;
}

void flit_terminal::refuse(const flit& arrived) {
  receiver_clock_.after_cycle([this, to = arrived.destination] {
    sim().service<run_control>().fail(fmt::format("a flit for {} came to {}", name_of(to), path()));
  });
}

std::string flit_terminal::waiting_for() const {
  if (created_ == never || clock_.domain().start_of(created_) > now_fs()) return {};
  return fmt::format("a credit of {}, to send {} to {}",
                     port_.peer() ? port_.peer()->path() : "an open port",
                     counted(flits_left_, "more flit"), name_of(next_.destination));
}

}  // namespace heddle
