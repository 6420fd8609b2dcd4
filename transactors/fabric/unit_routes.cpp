#include "transactors/fabric/unit_routes.hpp"

#include <fmt/format.h>

#include <set>

#include "platform/random/split_mix.hpp"
#include "platform/services/run_control.hpp"
#include "platform/unit/simulation.hpp"
#include "platform/unit/unit.hpp"
#include "transactors/packet/packet_port.hpp"

namespace heddle {

const char* name_of(spread_key key) {
  static constexpr const char* names[] = {"destination", "owner",  "flow",
                                          "address",     "packet", "adaptive"};
  return names[static_cast<std::size_t>(key)];
}

int unit_routes::port_for(endpoint_id to, std::uint64_t turn) const {
  const std::uint32_t entry = entry_to(to);
  if (entry & route_entry::is_single) return route_entry::port_of(entry);
  if (entry == route_entry::nowhere) return -1;
  const way_list& ways = book_.lists[route_entry::index_of(entry)];
  return route_entry::port_of(book_.shares[ways.first + turn % ways.shares]);
}

std::uint32_t unit_routes::choose(const packet& p, std::uint32_t entry) {
  if (entry == route_entry::nowhere) return refuse(p);
  const way_list& ways = book_.lists[route_entry::index_of(entry)];
  if (book_.spread == spread_key::adaptive) return least_loaded(ways);
  return book_.shares[ways.first + key_of(p, ways) / ways.divisor % ways.shares];
}

std::vector<route_hop> unit_routes::every_next(const packet& p) const {
  std::vector<route_hop> hops;
  const auto add = [&](std::uint32_t entry) {
    hops.push_back({route_entry::port_of(entry), keeps_channels_ ? p.vc : channel_of(p, entry)});
  };
  const std::uint32_t entry = entry_to(p.destination);
  if (entry & route_entry::is_single) add(entry);
  if (!(entry & route_entry::is_list)) return hops;
  const way_list& ways = book_.lists[route_entry::index_of(entry)];
  for (std::uint32_t i = 0; i < ways.shares; ++i) add(book_.shares[ways.first + i]);
  return hops;
}

std::vector<std::vector<int>> unit_routes::choices() const {
  std::set<std::uint32_t> lists;
  for (const auto* entries : {all_.row.get(), &all_.local})
    for (const std::uint32_t entry : *entries)
      if (entry & route_entry::is_list) lists.insert(route_entry::index_of(entry));
  std::set<std::vector<int>> found;
  for (const std::uint32_t each : lists) {
    const way_list& ways = book_.lists[each];
    std::set<int> ports;
    for (std::uint32_t i = 0; i < ways.shares; ++i)
      ports.insert(route_entry::port_of(book_.shares[ways.first + i]));
    found.insert({ports.begin(), ports.end()});
  }
  return {found.begin(), found.end()};
}

// The run ends; until then the packet leaves by any port.
std::uint32_t unit_routes::refuse(const packet& p) const {
  owner_.sim().service<run_control>().reject(std::make_exception_ptr(
      user_error(fmt::format("{}: no way to endpoint {}", owner_.path(), p.destination))));
  for (const port* each : owner_.ports())
    if (const auto* out = dynamic_cast<const packet_port*>(each))
      if (out->is_bound()) return route_entry::single(out->index(), 0);
  return route_entry::single(0, 0);
}

// The destination does not tell the links to itself apart, so there the source does.
std::uint64_t unit_routes::key_of(const packet& p, const way_list& ways) {
  switch (book_.spread) {
    case spread_key::destination:
      return book_.number[ways.is_last ? p.source : p.destination];
    case spread_key::owner:
      return book_.number[ways.is_last || is_response(p.kind) ? p.source : p.destination];
    case spread_key::flow:
      return split_mix::mix(std::uint64_t{all_.salt} << 32 | std::uint64_t{p.source} << 16 |
                            p.destination);
    case spread_key::address:
      return p.address / book_.interleave;
    default:
      return turn_++ * ways.divisor;
  }
}

// Among equally loaded ways the turn moves on: idle ways share what there is.
std::uint32_t unit_routes::least_loaded(const way_list& ways) {
  std::uint32_t best = route_entry::nowhere;
  std::uint64_t least = UINT64_MAX;
  const std::uint64_t first = turn_++;
  for (std::uint32_t i = 0; i < ways.shares; ++i) {
    const std::uint32_t entry = book_.shares[ways.first + (first + i) % ways.shares];
    const std::uint64_t load = loads_ ? loads_->load_of(route_entry::port_of(entry)) : 0;
    if (load >= least) continue;
    least = load;
    best = entry;
  }
  return best;
}

// A packet keeps its place among the channels of its phase.
std::uint8_t unit_routes::channel_of(const packet& p, std::uint32_t entry) const {
  if (p.is_inc) return p.vc;
  const channels& out = all_.ports[static_cast<std::size_t>(route_entry::port_of(entry))];
  const int within = route_entry::phase_of(entry) * out.of_phase + p.vc % out.of_phase;
  return static_cast<std::uint8_t>(out.classes.first(p.kind) + within);
}

}  // namespace heddle
