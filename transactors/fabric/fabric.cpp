#include "transactors/fabric/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platform/unit/unit.hpp"
#include "transactors/fabric/route_builder.hpp"
#include "transactors/fabric/shortest.hpp"

namespace heddle {
namespace {

// The first window that starts above the address.
std::vector<address_window>::const_iterator first_above(const std::vector<address_window>& windows,
                                                        std::uint64_t address) {
  return std::upper_bound(
      windows.begin(), windows.end(), address,
      [](std::uint64_t value, const address_window& w) { return value < w.base; });
}

bool keeps(spread_key key, packet_order relied_on) {
  switch (relied_on) {
    case packet_order::none:
      return true;
    case packet_order::by_address:
      return key != spread_key::packet && key != spread_key::adaptive;
    case packet_order::by_flow:
      break;
  }
  return key == spread_key::destination || key == spread_key::owner || key == spread_key::flow;
}

void refuse_reordering(const std::vector<endpoint_record>& endpoints, spread_key key) {
  for (const endpoint_record& each : endpoints) {
    if (keeps(key, each.order)) continue;
    const bool is_by_flow = each.order == packet_order::by_flow;
    throw user_error(fmt::format(
        "packets that are spread by `{}` may overtake each other, but {} relies on the order of "
        "its packets{}: spread them by `destination`, `owner` or `flow`{}",
        name_of(key), each.owner->path(), is_by_flow ? "" : " for one address",
        is_by_flow ? "" : ", or by `address`"));
  }
}

}  // namespace

fabric::fabric() = default;
fabric::~fabric() = default;

endpoint_id fabric::add_endpoint(unit& owner, std::uint64_t base, std::uint64_t size,
                                 packet_order relied_on) {
  const auto id = static_cast<endpoint_id>(endpoints_.size());
  add_window(owner, {base, size, id});
  endpoints_.push_back({&owner, {&owner}, false, size > 0, relied_on});
  owners_.insert(&owner);
  return id;
}

endpoint_id fabric::add_terminal(unit& owner, packet_order relied_on) {
  const endpoint_id id = add_endpoint(owner, 0, 0, relied_on);
  endpoints_[id].is_apart = true;
  return id;
}

endpoint_id fabric::add_inc_endpoint(unit& owner, std::uint64_t base, std::uint64_t size,
                                     packet_order relied_on) {
  const address_window* known = find_window(base);
  if (known && known->base == base && known->size == size && is_inc(known->endpoint))
    return known->endpoint;
  const auto id = static_cast<endpoint_id>(endpoints_.size());
  add_window(owner, {base, size, id});
  endpoints_.push_back({&owner, {}, true, size > 0, relied_on});
  return id;
}

void fabric::settle(endpoint_id endpoint, unit& at) {
  endpoints_[endpoint].homes.push_back(&at);
}

void fabric::add_window(const unit& owner, const address_window& window) {
  if (endpoints_.size() > UINT16_MAX)
    throw user_error(
        fmt::format("{}: a fabric has at most {} endpoints", owner.path(), UINT16_MAX + 1));
  if (window.size == 0) return;
  const auto after = first_above(windows_, window.base);
  const address_window* other = after == windows_.begin() ? nullptr : &*(after - 1);
  bool is_taken = other && window.base - other->base < other->size;
  if (!is_taken && after != windows_.end()) {
    other = &*after;
    is_taken = other->base - window.base < window.size;
  }
  if (is_taken)
    throw user_error(fmt::format(
        "address windows overlap: {} has {:#x}..{:#x}, {} has {:#x}..{:#x}", owner.path(),
        window.base, window.base + window.size - 1, endpoints_[other->endpoint].owner->path(),
        other->base, other->base + other->size - 1));
  windows_.insert(after, window);
}

void fabric::add_link(packet_port& a, packet_port& b) {
  for (packet_port* each : {&a, &b}) {
    ports_.push_back(each);
    if (!smallest_buffer_ || each->buffer_bytes() < smallest_buffer_->buffer_bytes())
      smallest_buffer_ = each;
  }
}

const address_window* fabric::find_window(std::uint64_t address) const {
  const auto after = first_above(windows_, address);
  if (after == windows_.begin()) return nullptr;
  const address_window& candidate = *(after - 1);
  return address - candidate.base < candidate.size ? &candidate : nullptr;
}

bool fabric::is_at(endpoint_id endpoint, const unit& home) const {
  const auto& homes = endpoints_[endpoint].homes;
  return std::find(homes.begin(), homes.end(), &home) != homes.end();
}

unit_routes& fabric::routes(const unit& of) {
  close();
  std::unique_ptr<unit_routes>& table = tables_[&of];
  if (!table) {  // a unit without links
    auto nowhere = std::make_shared<std::vector<std::uint32_t>>(endpoints_.size());
    table = std::make_unique<unit_routes>(of, book_, unit_routes::contents{nowhere, {}, {}, 0});
  }
  return *table;
}

// Only devices end in units that forward packets; endpoints do not forward.
void fabric::close() {
  if (topology_) return;
  topology_ =
      std::make_unique<topology>(ports_, [this](const unit& u) { return owners_.count(&u) == 0; });
  const auto policy = choice_.make_policy ? choice_.make_policy(*topology_, endpoints_)
                                          : std::make_unique<shortest_paths>(*topology_);
  book_.spread = choice_.spread;
  book_.interleave = choice_.interleave;
  refuse_reordering(endpoints_, choice_.spread);
  route_builder builder(*topology_, endpoints_, *policy, book_);
  tables_ = builder.build();
  if (choice_.is_checked) builder.check();
  report_findings();
}

}  // namespace heddle
