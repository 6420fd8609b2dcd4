// The pipes. What software sees of them: tor_registers.cpp.
#include "models/inc/tor/tor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/simulation.hpp"
#include "transactors/fabric/fabric.hpp"
#include "transactors/packet/vc_partition.hpp"

namespace heddle {
namespace {

HEDDLE_REGISTER_UNIT(tor, describe_unit<tor>("tor",
                                             "middle pipes of a top-of-rack switch: property cache "
                                             "and concatenators",
                                             tor_regs::markdown));

}  // namespace

std::vector<port_description> tor::port_descriptions() {
  return {{"registers", "memory target", "the register block"},
          {"switch", "in-network device", "the switch whose middle pipes these are"}};
}

tor::pipe::pipe(tor& o, int n, const concatenator_settings& settings, std::uint64_t cache_bytes)
    : owner(o),
      number(n),
      due(timed_call::to<pipe, &pipe::handle>(*this)),
      cache(cache_bytes),
      together(o, settings) {}

stage_sheet tor::sheet() const {
  stage_sheet result;
  result.place = stage_place::middle;
  result.latency = lookup_ * cycle_;
  result.charged = site();
  return result;
}

// Throws user_error for a port that cannot send the packets that are put together here: they leave
// through any port.
void tor::check_links() const {
  for (int i = 0; i < switch_port_.port_count(); ++i) {
    const packet_port& each = switch_port_.port_at(i);
    if (each.peer() && each.buffer_bytes() < together_.mtu)
      throw user_error(fmt::format("{}: the link's buffer of {} B holds no packet of {} B of {}",
                                   each.path(), each.buffer_bytes(), together_.mtu, path()));
  }
}

void tor::on_connected() {
  check_links();
  const fabric& net = sim().service<fabric>();
  own_.assign(net.endpoints(), -1);
  const int ports = switch_port_.port_count();
  uses_.resize(directory_.nodes());
  formula_in_.resize(static_cast<std::size_t>(ports));
  formula_out_.resize(static_cast<std::size_t>(ports));
  for (std::uint32_t node = 0; node < directory_.nodes(); ++node) {
    if (!directory_.has(node)) continue;
    const endpoint_id endpoint = directory_.endpoint_of(node);
    for (int i = 0; i < ports; ++i) {
      const packet_port* peer = switch_port_.port_at(i).peer();
      if (peer && &peer->owner() == net.endpoint(endpoint).owner)
        own_[endpoint] = static_cast<int>(hosts_);
    }
    if (own_[endpoint] >= 0) ++hosts_;
  }
  const int count = switch_port_.host().pipe_count();
  if (count > static_cast<int>(tor_regs::pipe_count))
    throw user_error(fmt::format("{}: {} pipes, at most {}", path(), count, tor_regs::pipe_count));
  // Reads, responses for own hosts, and those of each own host, because its number is their route.
  together_.queues = directory_.nodes() * (2 + hosts_);
  const trace_scope scope(sim().trace(), path());
  for (int i = 0; i < count; ++i) {
    pipe& added = *pipes_.emplace_back(std::make_unique<pipe>(
        *this, i, together_, cache_bytes_ / static_cast<std::uint64_t>(count)));
    added.depth_trace = scope.vector(fmt::format("depth_{}", i), 16);
    added.hits_trace = scope.vector(fmt::format("hits_{}", i), 32);
    added.depth_trace.set(0, 0);
    added.hits_trace.set(0, 0);
  }
  regs_.pipes.set(static_cast<std::uint32_t>(count));
}

bool tor::is_own(std::uint32_t endpoint) const {
  return endpoint < own_.size() && own_[endpoint] >= 0;
}

bool tor::is_for_pipes(const packet& p, const gather_view& view) const {
  return is_enabled_ && (is_own(p.source) || is_own(p.destination)) &&
         view.header().length <= gather_format::longest_property(together_.mtu);
}

bool tor::intercept(const stage_visit& visit, packet& p) {
  if (p.kind != gather_request && p.kind != gather_response) return false;
  if (visit.input == stage_visit::no_port) return false;  // of another stage
  const gather_view view(p);
  formula_in_[visit.input] += view.wire_bytes();
  if (!is_for_pipes(p, view)) {
    formula_out_[visit.output] += view.wire_bytes();
    return false;
  }
  const int port = p.kind == gather_request ? visit.output : visit.input;
  pipe& in = *pipes_[static_cast<std::size_t>(port) % pipes_.size()];
  const fs_t whole = visit.first + (p.tail - p.head);
  const std::uint64_t count = view.count();
  arrival_at_pipe at;
  at.visit = visit;
  at.is_request = p.kind == gather_request;
  at.start = std::max(whole, in.free_at);
  in.free_at = at.start + count * cycle_;
  auto& inside = in.inside[at.is_request ? 0 : 1];
  inside.push(p, at.start + (count - 1 + lookup_) * cycle_, at);
  in.due.at(std::max(inside.next_due(), now_fs()));
  in.depth_trace.set(++in.depth, now_fs());
  return true;
}

// Responses first: they need nothing but room for themselves.
void tor::handle(pipe& in) {
  for (int of_class = classes; of_class-- > 0;) handle(in, of_class);
}

void tor::handle(pipe& in, int of_class) {
  auto& inside = in.inside[of_class];
  const fs_t now = now_fs();
  bool& is_held_up = in.is_held_up[of_class];
  while (inside.is_due(now)) {
    if (!has_slots(of_class == 0 ? gather_request : gather_response)) {
      if (!is_held_up) ++counters_.held;
      is_held_up = true;
      return;
    }
    is_held_up = false;
    const arrival_at_pipe at = inside.next_about();
    take_apart(in, at, inside.pop());
  }
  if (!inside.empty()) in.due.at(inside.next_due());
}

bool tor::has_slots(packet_kind kind) const {
  if (waiting_[1] >= slots_) return false;
  return kind != gather_request || waiting_[0] < slots_;
}

void tor::take_apart(pipe& in, const arrival_at_pipe& at, packet& p) {
  const gather_view view(p);
  ++counters_.packets;
  counters_.requests += view.count();
  for (std::uint32_t i = 0; i < view.count(); ++i) {
    const fs_t when = at.start + (i + lookup_) * cycle_;
    if (at.is_request)
      pass_request(in, at, p, view, i, when);
    else
      pass_response(in, at, p, view, i, when);
  }
  in.depth_trace.set(--in.depth, now_fs());
  in.hits_trace.set(regs_.pipe[static_cast<std::size_t>(in.number)].hits.value(), now_fs());
  switch_port_.release(at.visit, p, now_fs());
  give_back(&p);
}

bool tor::is_cached(const property_request& pr, std::uint32_t length) const {
  return uses_cache_ && length == length_ && pr.id >> 24 == kernel_;
}

void tor::pass_request(pipe& in, const arrival_at_pipe& at, const packet& p,
                       const gather_view& view, std::uint32_t number, fs_t when) {
  const property_request pr = view.request(number);
  const std::uint32_t length = view.header().length, node = view.header().node;
  const bool may_hit = is_cached(pr, length) && in.cache.is_usable();
  const std::uint32_t place = may_hit ? in.cache.find(pr.index) : property_cache::none;
  const auto bank = regs_.pipe[static_cast<std::size_t>(in.number)];
  gather_flow flow;
  if (place == property_cache::none) {
    if (may_hit && (takes_all_ || !is_own(p.destination))) {
      ++counters_.misses;
      ++uses_[pr.source_node].misses;
      bank.misses.add(1);
    }
    flow.queue = node;
    flow.node = node;
    flow.kind = gather_request;
    flow.source = p.source;
    flow.destination = p.destination;
    flow.port = at.visit.output;
    flow.vc = p.vc;
    in.together.push(flow, pr, nullptr, length, when);
    return;
  }
  ++counters_.hits;
  ++uses_[pr.source_node].hits;
  bank.hits.add(1);
  packet probe;  // the answer, as its owner would have sent it
  probe.kind = gather_response;
  probe.source = p.destination;
  probe.destination = directory_.endpoint_of(pr.source_node);
  probe.vc = vc_partition(switch_port_.port_at(at.visit.input).vcs()).first(probe.kind);
  const route_hop hop = switch_port_.host().hop_of(probe);
  answer_from(probe.source, probe.destination, pr.source_node, flow);
  flow.port = at.visit.input;
  flow.vc = hop.vc;
  in.together.push(flow, pr, in.cache.bytes_at(place), length, when);
}

// Responses of an own host to other racks keep to a queue of that host: its number is their route.
void tor::answer_from(std::uint16_t source, std::uint16_t destination, std::uint32_t node,
                      gather_flow& flow) const {
  const std::uint32_t lane = is_own(destination) ? 1 : 2 + static_cast<std::uint32_t>(own_[source]);
  flow.queue = lane * directory_.nodes() + node;
  flow.node = node;
  flow.kind = gather_response;
  flow.source = source;
  flow.destination = destination;
}

void tor::pass_response(pipe& in, const arrival_at_pipe& at, const packet& p,
                        const gather_view& view, std::uint32_t number, fs_t when) {
  const property_request pr = view.request(number);
  const std::uint32_t length = view.header().length;
  const bool is_in_scope = takes_all_ || !is_own(p.source);
  if (is_cached(pr, length) && is_in_scope && in.cache.is_usable()) {
    bool has_evicted = false;
    const auto bank = regs_.pipe[static_cast<std::size_t>(in.number)];
    if (in.cache.insert(pr.index, view.property(number), has_evicted)) {
      ++counters_.inserts;
      bank.inserts.add(1);
    }
    if (has_evicted) {
      ++counters_.evictions;
      bank.evictions.add(1);
    }
  }
  gather_flow flow;
  answer_from(p.source, p.destination, view.header().node, flow);
  flow.port = at.visit.output;
  flow.vc = p.vc;
  in.together.push(flow, pr, view.property(number), length, when);
}

std::uint64_t tor::used_cache_bytes(std::uint32_t length) const {
  std::uint64_t bytes = 0;
  for (const auto& each : pipes_) bytes += each->cache.used_bytes(length);
  return bytes;
}

tor::link_bytes tor::bytes_at(int port) const {
  const auto at = static_cast<std::size_t>(port);
  link_bytes of;
  of.in = formula_in_[at];
  of.out = formula_out_[at];
  const packet_port& link = switch_port_.port_at(port);
  if (!link.peer()) return of;
  of.counted_in = link.peer()->counters().bytes.raw();
  of.counted_out = link.counters().bytes.raw();
  return of;
}

void tor::emitted(packet& p, std::uint16_t port) {
  ++counters_.sent_packets;
  formula_out_[port] += gather_view(p).wire_bytes();
  ++waiting_[is_response(p.kind)];
  switch_port_.emit(port, p);
}

void tor::transmitted(int, packet_kind kind, std::uint32_t packets) {
  std::uint64_t& waiting = waiting_[is_response(kind)];
  const bool was_full = waiting >= slots_;
  waiting -= packets;
  if (!was_full || waiting >= slots_) return;
  for (const auto& each : pipes_)
    if (each->is_held_up[0] || each->is_held_up[1]) each->due.at(now_fs());
}

std::string tor::waiting_for() const {
  std::string text;
  for (const auto& each : pipes_)
    if (each->is_held_up[0] || each->is_held_up[1])
      text += fmt::format("{}pipe {} for a slot", text.empty() ? "" : ", ", each->number);
  return text;
}

}  // namespace heddle
