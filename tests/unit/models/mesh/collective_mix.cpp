#include "tests/unit/models/mesh/collective_mix.hpp"

#include <cstdio>

namespace heddle {
namespace {

constexpr std::uint32_t longest_packet = 4;  // flits
constexpr std::uint64_t release_mark = 99;

mesh_links links_of(const mix_options& options) {
  mesh_links links;
  links.buffer = options.buffer;
  return links;
}

}  // namespace

collective_mix::collective_mix(const mix_options& options)
    : bench_(options.width, options.height, links_of(options)),
      random_(options.seed),
      operations_(options.operations),
      beats_(options.operations),
      nodes_(static_cast<std::size_t>(options.width * options.height)) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].last.resize(nodes_.size());
    flit_endpoint& endpoint = bench_.node(position(i));
    endpoint.keeps_flits = false;
    endpoint.on_receive = [this, i](const flit& arrived, cycle_t) { receive(i, arrived); };
  }
  for (std::uint32_t n = 0; n < options.operations; ++n) add_operation(n);
}

mesh_position collective_mix::position(std::size_t i) const {
  return at(static_cast<int>(i) % bench_.width, static_cast<int>(i) / bench_.width);
}

// Mostly few members, now and then all nodes.
mesh_position collective_mix::random_mask() {
  const auto x = static_cast<unsigned>(bench_.width - 1),
             y = static_cast<unsigned>(bench_.height - 1);
  if (random_() % 16 == 0) return at(static_cast<int>(x), static_cast<int>(y));
  return at(static_cast<int>(random_() & random_() & x),
            static_cast<int>(random_() & random_() & y));
}

void collective_mix::add_operation(std::uint32_t number) {
  operation& added = operations_[number];
  added.source = position(random_() % nodes_.size());
  added.destination = position(random_() % nodes_.size());
  added.flits = 1 + static_cast<std::uint32_t>(random_() % longest_packet);
  const unsigned kind = static_cast<unsigned>(random_() % 10);
  if (kind >= 5) added.mask = random_mask();
  if (kind >= 5) added.op = flit_op::multicast;
  if (kind >= 7) added.op = flit_op::add_f64;
  if (kind >= 8) added.op = kind == 8 ? flit_op::lsb_and : flit_op::collect_b;
  if (added.op == flit_op::lsb_and || added.op == flit_op::collect_b) added.flits = 1;
  const auto members = std::uint64_t{1}
                       << (__builtin_popcount(added.mask.x) + __builtin_popcount(added.mask.y));
  if (!is_reduction(added.op)) {
    nodes_[index(added.source)].script.push_back(number);
    expected_flits_ += added.flits * members;
    return;
  }
  expected_flits_ += added.flits + members;  // the result, and a release for each
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!is_member(position(i), added.source, added.mask)) continue;
    nodes_[i].script.push_back(number);
    added.sum += contribution(i, number);
  }
}

void collective_mix::proceed(std::size_t node) {
  node_state& state = nodes_[node];
  while (state.next < state.script.size()) {
    const std::uint32_t number = state.script[state.next];
    send(node, number);
    if (is_reduction(operations_[number].op)) return;  // until it is released
    ++state.next;
  }
}

void collective_mix::send(std::size_t node, std::uint32_t number) {
  const operation& o = operations_[number];
  ++result_.packets;
  for (std::uint32_t beat = 0; beat < o.flits; ++beat) {
    flit sent = make_flit(position(node), o.destination, o.op, o.mask);
    sent.tag = number;
    sent.set_ends(beat == 0, beat + 1 == o.flits);
    if (o.op == flit_op::add_f64) {
      sent.payload = bench_.payloads().take();
      bench_.payloads()
          .at(sent.payload)
          .lanes.fill(static_cast<double>(contribution(node, number) * (beat + 1)));
      bench_.node(position(node)).send(sent);
    } else {
      const std::uint64_t worst = o.op == flit_op::collect_b ? contribution(node, number) : 1;
      send_flit(node, sent, {worst, ++nodes_[node].sent, number, beat, 0, 0, 0, 0});
    }
  }
}

void collective_mix::send_flit(std::size_t node, flit sent,
                               const std::array<std::uint64_t, 8>& words) {
  sent.payload = bench_.payloads().take();
  bench_.payloads().at(sent.payload).words = words;
  bench_.node(position(node)).send(sent);
}

void collective_mix::receive(std::size_t node, const flit& arrived) {
  ++result_.flits;
  if (is_reduction(arrived.op)) {
    receive_result(node, arrived);
    return bench_.payloads().give_back(arrived.payload);
  }
  const auto words = bench_.payloads().at(arrived.payload).words;
  bench_.payloads().give_back(arrived.payload);
  const bool is_here = arrived.op == flit_op::multicast
                           ? is_member(position(node), arrived.destination, arrived.mask)
                           : arrived.destination == position(node);
  if (!is_here || words[2] != arrived.tag) ++result_.wrong;
  std::uint64_t& last = nodes_[node].last[index(arrived.source)];
  if (words[1] <= last) ++result_.out_of_order;
  last = words[1];
  if (words[4] != release_mark) return;
  ++nodes_[node].next;
  proceed(node);
}

void collective_mix::receive_result(std::size_t node, const flit& arrived) {
  const operation& o = operations_[arrived.tag];
  const flit_payloads::block& got = bench_.payloads().at(arrived.payload);
  if (o.destination != position(node)) ++result_.wrong;
  const std::uint32_t beat = ++beats_[arrived.tag];
  if (o.op == flit_op::add_f64)
    for (const double lane : got.lanes)
      if (lane != static_cast<double>(o.sum * beat)) ++result_.wrong;
  if (o.op == flit_op::lsb_and && (got.words[0] & 1) != 1) ++result_.wrong;
  if (o.op == flit_op::collect_b) {
    std::uint64_t worst = 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (is_member(position(i), o.source, o.mask))
        worst = std::max(worst, contribution(i, arrived.tag));
    if (got.words[0] != worst) ++result_.wrong;
  }
  if (arrived.is_tail() != (beat == o.flits)) ++result_.wrong;
  if (arrived.is_tail()) release_members(node, arrived.tag);
}

void collective_mix::release_members(std::size_t node, std::uint32_t number) {
  const operation& o = operations_[number];
  ++result_.packets;
  flit release = make_flit(position(node), o.source, flit_op::multicast, o.mask);
  release.tag = number;
  send_flit(node, release, {0, ++nodes_[node].sent, number, 0, release_mark, 0, 0, 0});
}

mix_result collective_mix::run() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) proceed(i);
  bench_.run();
  result_.missing = expected_flits_ - result_.flits;
  result_.unreleased = bench_.payloads().in_use();
  for (const unit* each : bench_.sim.units()) {
    const std::string text = each->waiting_for();
    if (text.empty()) continue;
    std::snprintf(result_.waiting, sizeof result_.waiting, "%s waits for %s", each->path().c_str(),
                  text.c_str());
    break;
  }
  return result_;
}

}  // namespace heddle
