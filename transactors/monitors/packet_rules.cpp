#include "transactors/monitors/packet_rules.hpp"

#include <fmt/format.h>

#include "transactors/packet/vc_partition.hpp"

namespace heddle {
namespace {

std::string broken_time_rule(const packet& p, const monitored_link& link, fs_t now, fs_t delay) {
  if (p.head != now + delay)
    return fmt::format("head is at {} fs, the call says {} fs", p.head, now + delay);
  if (delay < link.latency)
    return fmt::format("head arrives after {} fs, the link takes {} fs", delay, link.latency);
  const fs_t on_wire = link.rate.duration(p.bytes_to_tail());
  if (p.tail < p.head + on_wire)
    return fmt::format("tail is at {} fs, but the wire carries the packet from {} fs until {} fs",
                       p.tail, p.head, p.head + on_wire);
  return {};
}

// Every packet of a train has a header of the same size, of a byte at least; a header of its
// protocol comes on top of that.
std::string broken_size_rule(const packet& p) {
  if (p.train == 0) return "a train of no packets";
  if (p.kind == packet_kind::none) return "it is of no kind";
  const std::uint32_t of_protocol = p.header.wire_bytes();
  if (p.wire_bytes <= of_protocol)
    return fmt::format("{} B do not hold a protocol header of {} B", p.wire_bytes, of_protocol);
  const std::uint32_t rest = p.wire_bytes - of_protocol;
  if (has_payload(p.kind)) {
    if (p.payload_bytes == 0) return "a payload of no bytes";
    if (rest < p.payload_bytes + p.train)
      return fmt::format("{} B do not hold a payload of {} B and {} headers", rest, p.payload_bytes,
                         p.train);
    if (p.carries_data && !p.payload) return "carries data, but no bytes";
    return {};
  }
  if (rest % p.train != 0) return fmt::format("{} B are not {} equal headers", rest, p.train);
  return {};
}

// Packets without a message class use any virtual channel.
std::string broken_channel_rule(const packet& p, const monitored_link& link) {
  if (p.is_inc)
    return p.vc == inc_vc_of(p.kind) ? "" : "not the in-network channel of such packets";
  if (p.vc >= link.vcs) return fmt::format("the link has {} virtual channels", link.vcs);
  if (sheet_of(p.kind).of == message::unclassified) return {};
  const vc_partition classes(link.vcs);
  if (classes.admits(p.kind, p.vc)) return {};
  return fmt::format("requests use the virtual channels below {}, responses the others",
                     classes.of_class());
}

}  // namespace

std::string broken_rule(const packet& p, const monitored_link& link, fs_t now, fs_t delay) {
  std::string rule = broken_channel_rule(p, link);
  if (rule.empty()) rule = broken_size_rule(p);
  if (rule.empty()) rule = broken_time_rule(p, link, now, delay);
  if (rule.empty() && sheet_of(p.kind).broken_rule) rule = sheet_of(p.kind).broken_rule(p);
  return rule;
}

}  // namespace heddle
