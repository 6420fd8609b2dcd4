#include "transactors/multicast/multicast_region.hpp"

#include <fmt/format.h>

#include "platform/tensor/accumulate.hpp"
#include "platform/tensor/reduce.hpp"

namespace heddle {

void multicast_region::resolve(fabric& net, const unit& at) {
  const unit_routes& routes = net.routes(at);
  member_of_.assign(net.endpoints(), -1);
  for (std::size_t i = 0; i < members_.size(); ++i) {
    multicast_member& each = members_[i];
    const address_window* window = net.find_window(each.base);
    if (!window || net.is_inc(window->endpoint)) continue;
    const int port = routes.port_for(window->endpoint, 0);
    if (port < 0) continue;
    each.bytes = window->base + window->size - each.base;
    each.endpoint = window->endpoint;
    each.port = port;
    if (present_.has(static_cast<int>(i))) member_of_[each.endpoint] = static_cast<int>(i);
  }
}

bool multicast_region::is_mapped(const packet& request) const {
  const std::uint64_t at = offset(request);
  return at < mapped_bytes_ && request.payload_bytes <= mapped_bytes_ - at;
}

bool multicast_region::is_reducible(const packet& request) {
  return request.kind != packet_kind::read_request ||
         (can_accumulate(static_cast<dtype>(request.reduced_type)) &&
          request.reduced_by <= static_cast<int>(reduce_op::max));
}

std::uint32_t multicast_region::element_bytes(const packet& request) {
  switch (request.kind) {
    case packet_kind::read_request:
      return static_cast<std::uint32_t>(size_of(static_cast<dtype>(request.reduced_type)));
    case packet_kind::atomic_request:
      return sizeof(std::uint64_t);
    default:
      return 1;
  }
}

bool multicast_region::serves(const multicast_member& member, const packet& request) const {
  const std::uint64_t at = offset(request);
  return member.port >= 0 && at < member.bytes && request.payload_bytes <= member.bytes - at;
}

bool multicast_region::accepts(const packet& request) const {
  if (present_.empty() || !is_mapped(request) || !is_reducible(request)) return false;
  const std::uint32_t element = element_bytes(request);
  if (request.address % element != 0 || request.payload_bytes % element != 0) return false;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (present_.has(static_cast<int>(i)) && !serves(members_[i], request)) return false;
  return true;
}

std::string multicast_region::refusal(const packet& request) const {
  if (present_.empty()) return "the region has no members";
  if (!is_mapped(request))
    return fmt::format("{} B at {:#x} are outside the region, {:#x}..{:#x}", request.payload_bytes,
                       request.address, base_, base_ + mapped_bytes_ - 1);
  if (!is_reducible(request)) return "a load from a multicast region must name type and operator";
  const std::uint32_t element = element_bytes(request);
  if (request.address % element != 0 || request.payload_bytes % element != 0)
    return fmt::format("{} B at {:#x} are not whole elements of {} B", request.payload_bytes,
                       request.address, element);
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (present_.has(static_cast<int>(i)) && !serves(members_[i], request))
      return fmt::format("member {} is missing: nobody serves {} B at {:#x}", i,
                         request.payload_bytes, members_[i].base + offset(request));
  return {};
}

}  // namespace heddle
