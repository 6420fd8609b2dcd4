#include "transactors/gather/gather_packet.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

// Monitors ask it of each packet on each link: bytes on the wire are those of the formula.
std::string broken_gather_rule(const packet& p) {
  if (!p.payload) return "a gather packet without its headers";
  const gather_view view(p);
  const gather_header& header = view.header();
  if (header.is_response() != is_response(p.kind))
    return fmt::format("type {} in a {}", static_cast<int>(header.type), name_of(p.kind));
  if (header.count == 0) return "a gather packet without property requests";
  if (p.wire_bytes != view.wire_bytes())
    return fmt::format("{} property requests of {} B take {} B, not {} B", header.count,
                       header.length, view.wire_bytes(), p.wire_bytes);
  return {};
}

packet_kind_sheet sheet(const char* name, message of) {
  packet_kind_sheet result;
  result.name = name;
  result.of = of;
  result.broken_rule = broken_gather_rule;
  return result;
}

}  // namespace

const packet_kind gather_request = add_packet_kind(sheet("gather_request", message::request));
const packet_kind gather_response = add_packet_kind(sheet("gather_response", message::response));

}  // namespace heddle
